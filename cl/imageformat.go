package cl

import "slices"

// What images may be: their limits and formats. They are the embedded agent's, which addresses pixels as any memory.
const (
	maxImageSize   = 1 << 14 // of a 1D or 2D image along an axis, pixels
	maxImage3D     = 1 << 11
	maxImageArray  = 1 << 11
	maxImageBuffer = 1 << 27
	maxSamplers    = 16
	maxImageArgs   = 128
)

// withinLimits reports whether the image is no larger than images may be.
func (i *image) withinLimits() bool {
	size := [3]uint64{maxImageSize, maxImageSize, 1}
	switch i.kind {
	case CL_MEM_OBJECT_IMAGE3D:
		size = [3]uint64{maxImage3D, maxImage3D, maxImage3D}
	case CL_MEM_OBJECT_IMAGE1D_BUFFER:
		size[0] = maxImageBuffer
	}
	return i.width <= size[0] && i.height <= size[1] && i.depth <= size[2] && i.array <= maxImageArray
}

// imageOrders and imageTypes are all there are, in the order in which clGetSupportedImageFormats lists them.
var (
	imageOrders = []uint32{CL_R, CL_A, CL_RG, CL_RA, CL_RGBA, CL_BGRA, CL_ARGB, CL_ABGR, CL_INTENSITY, CL_LUMINANCE, CL_RGB,
		CL_DEPTH, CL_sRGBA, CL_sBGRA}
	imageTypes = []uint32{CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16, CL_SIGNED_INT8, CL_SIGNED_INT16,
		CL_SIGNED_INT32, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT,
		CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010, CL_UNORM_INT_101010_2}
)

// formatFits reports whether images of a kind may have format f. Depth is for 2D images and arrays of them.
func formatFits(f ImageFormat, kind uint32) bool {
	return f.Order != CL_DEPTH || kind == CL_MEM_OBJECT_IMAGE2D || kind == CL_MEM_OBJECT_IMAGE2D_ARRAY
}

// SupportedImageFormats is clGetSupportedImageFormats (OpenCL API 3.0 section 5.3.2). All formats can be read, written, and
// both by one kernel.
func (ctx *Context) SupportedImageFormats(flags uint64, kind uint32) ([]ImageFormat, Status) {
	// CL_INVALID_VALUE if flags or image_type are not valid
	if !ValidMemFlags(flags&^CL_MEM_KERNEL_READ_AND_WRITE) || !imageKind(kind) {
		return nil, CL_INVALID_VALUE
	}
	if !ctx.images() {
		return nil, CL_SUCCESS
	}
	var formats []ImageFormat
	for _, order := range imageOrders {
		for _, t := range imageTypes {
			f := ImageFormat{Order: order, Type: t}
			if _, _, ok := f.Layout(); ok && formatFits(f, kind) {
				formats = append(formats, f)
			}
		}
	}
	return formats, CL_SUCCESS
}

// ColourComponents is how many a fill colour has: "a four component RGBA [...] if the image channel order is not CL_DEPTH".
func (m *Mem) ColourComponents() int {
	if m.image != nil && m.image.format.Order == CL_DEPTH {
		return 1
	}
	return 4
}

// images reports whether the device has images: the agent that is the CPU does.
func (d *Device) images() bool { return d.roc.Info().CPU }

// images reports whether a device of the context has images.
func (ctx *Context) images() bool { return slices.ContainsFunc(ctx.devices, (*Device).images) }
