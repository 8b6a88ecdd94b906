package cl

import (
	"slices"
	"sync"
	"unsafe"

	"aqueduct/roc"
)

// ImageFormat is cl_image_format.
type ImageFormat = roc.ImageFormat

// ImageDesc is cl_image_desc. Mem is the object of its mem_object, nil for NULL.
type ImageDesc struct {
	Type                        uint32
	Width, Height, Depth, Array uint64 // in pixels; of an array the number of images
	RowPitch, SlicePitch        uint64 // bytes
	MipLevels, Samples          uint32
	Mem                         *Mem
}

// image is what a Mem has that is an image (OpenCL API 3.0 section 5.3).
type image struct {
	kind                        uint32 // CL_MEM_OBJECT_IMAGE*
	format                      ImageFormat
	layout                      roc.PixelLayout
	width, height, depth, array uint64 // as queries tell them: 0 where the kind of image has none
	row, slice                  uint64 // bytes from one row, and one slice or image of an array, to the next; slice is 0 where there is one
	source                      *Mem   // what it was created from, nil if it has memory of its own

	mu         sync.Mutex  // guards descriptor
	descriptor *roc.Memory // what kernels get; nil while none did
}

// extent is the size of the image as origins and regions count it (sections 5.3.3 and following).
func (i *image) extent() [3]uint64 {
	switch i.kind {
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		return [3]uint64{i.width, i.array, 1}
	case CL_MEM_OBJECT_IMAGE2D:
		return [3]uint64{i.width, i.height, 1}
	case CL_MEM_OBJECT_IMAGE2D_ARRAY:
		return [3]uint64{i.width, i.height, i.array}
	case CL_MEM_OBJECT_IMAGE3D:
		return [3]uint64{i.width, i.height, i.depth}
	}
	return [3]uint64{i.width, 1, 1}
}

// pitches are the bytes from one second, and one third coordinate to the next.
func (i *image) pitches() [2]uint64 {
	if i.kind == CL_MEM_OBJECT_IMAGE1D_ARRAY {
		return [2]uint64{i.slice, 0}
	}
	return [2]uint64{i.row, i.slice}
}

// offset is that of a pixel in the image's memory.
func (i *image) offset(at [3]uint64) uint64 {
	p := i.pitches()
	return at[0]*i.layout.Size + at[1]*p[0] + at[2]*p[1]
}

// span is the bytes from the first pixel of a region behind its last.
func (i *image) span(region [3]uint64) uint64 {
	return i.offset([3]uint64{region[0] - 1, region[1] - 1, region[2] - 1}) + i.layout.Size
}

// CreateImage makes an image (OpenCL API 3.0 section 5.3.1). properties is empty or a list that ends in 0; format and desc
// are nil if the caller gave none.
func (ctx *Context) CreateImage(properties []uint64, flags uint64, format *ImageFormat, desc *ImageDesc, host unsafe.Pointer) (*Mem, Status) {
	ps, st := ctx.memProperties(properties, false)
	if st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if values specified in flags are not valid
	if !ValidMemFlags(flags) {
		return nil, CL_INVALID_VALUE
	}
	if st := ps.checkExternal(flags, host != nil); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if values specified in image_format are not valid or if image_format is NULL
	if format == nil {
		return nil, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
	}
	layout, known, supported := format.Layout()
	if !known {
		return nil, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
	}
	// CL_INVALID_IMAGE_DESCRIPTOR if image_desc is NULL
	if desc == nil {
		return nil, CL_INVALID_IMAGE_DESCRIPTOR
	}
	if !supported || !formatFits(*format, desc.Type) {
		if !imageKind(desc.Type) {
			return nil, CL_INVALID_IMAGE_DESCRIPTOR
		}
		// CL_IMAGE_FORMAT_NOT_SUPPORTED if there are no devices in context that support image_format
		return nil, CL_IMAGE_FORMAT_NOT_SUPPORTED
	}
	i := &image{kind: desc.Type, format: *format, layout: layout}
	if st := i.describe(ctx, desc, host != nil || ps.handle != nil); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_OPERATION if there are no devices in context that support images
	if !ctx.images() {
		return nil, CL_INVALID_OPERATION
	}
	m := &Mem{ctx: ctx, flags: flags, properties: properties, image: i}
	switch {
	case i.source != nil && ps.handle != nil: // an image of one memory, and of another
		st = CL_INVALID_PROPERTY
	case i.source != nil:
		st = m.view(host)
	default:
		st = m.allocate(host, ps)
	}
	if st != CL_SUCCESS {
		return nil, st
	}
	m.start()
	return m, CL_SUCCESS
}

// imageKind reports whether t is a kind of image.
func imageKind(t uint32) bool {
	return t >= CL_MEM_OBJECT_IMAGE2D && t <= CL_MEM_OBJECT_IMAGE1D_BUFFER
}

// describe fills in i by desc. hosted: the application gave memory.
func (i *image) describe(ctx *Context, desc *ImageDesc, hosted bool) Status {
	// CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid
	if !imageKind(desc.Type) || desc.MipLevels != 0 || desc.Samples != 0 {
		return CL_INVALID_IMAGE_DESCRIPTOR
	}
	i.width = desc.Width
	switch i.kind {
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		i.array = desc.Array
	case CL_MEM_OBJECT_IMAGE2D:
		i.height = desc.Height
	case CL_MEM_OBJECT_IMAGE2D_ARRAY:
		i.height, i.array = desc.Height, desc.Array
	case CL_MEM_OBJECT_IMAGE3D:
		i.height, i.depth = desc.Height, desc.Depth
	}
	size := i.extent()
	if slices.Contains(size[:], 0) {
		return CL_INVALID_IMAGE_DESCRIPTOR
	}
	// Pitches beyond all memory: what follows multiplies them.
	if most := ctx.maxAlloc(); desc.RowPitch > most || desc.SlicePitch > most {
		return CL_INVALID_IMAGE_DESCRIPTOR
	}
	if st := i.from(ctx, desc); st != CL_SUCCESS {
		return st
	}
	// CL_INVALID_IMAGE_SIZE if image dimensions specified in image_desc exceed the maximum image dimensions described in the
	// Device Queries table for all devices in context
	if !i.withinLimits() {
		return CL_INVALID_IMAGE_SIZE
	}
	return i.pitch(desc, hosted)
}

// pitch finds the pitches: those of desc, of what the image is made from, or the least there may be.
func (i *image) pitch(desc *ImageDesc, hosted bool) Status {
	least := i.width * i.layout.Size
	i.row = desc.RowPitch
	given := hosted || i.source != nil
	switch {
	case i.row == 0 && i.source != nil && i.source.image != nil:
		i.row = i.source.image.row
	case i.row == 0:
		i.row = least
	// "image_row_pitch [...] must be 0 if host_ptr is NULL [and] can be either 0 or >= image_width * size of element in bytes if
	// host_ptr is not NULL. [...] If image_row_pitch is not 0, it must be a multiple of the image element size in bytes." What is
	// made from a buffer has the pitch it is given.
	case !given || i.row < least || i.row%i.layout.Size != 0:
		return CL_INVALID_IMAGE_DESCRIPTOR
	}
	rows := i.height
	switch i.kind {
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		rows = 1
	case CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D:
	default:
		return CL_SUCCESS
	}
	i.slice = desc.SlicePitch
	switch {
	case i.slice == 0:
		i.slice = i.row * rows
	// "image_slice_pitch [...] must be 0 if host_ptr is NULL. If host_ptr is not NULL, image_slice_pitch can be either 0 or >=
	// image_row_pitch * image_height for a 2D image array or 3D image and can be either 0 or >= image_row_pitch for a 1D image
	// array. [...] If image_slice_pitch is not 0, it must be a multiple of the image_row_pitch."
	case !hosted || i.slice < i.row*rows || i.slice%i.row != 0:
		return CL_INVALID_IMAGE_DESCRIPTOR
	}
	return CL_SUCCESS
}

// allocate gives an image memory of its own, or the application's, or what properties say.
func (m *Mem) allocate(host unsafe.Pointer, ps memProperties) Status {
	// CL_INVALID_HOST_PTR if host_ptr is NULL, and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set in flags, or if host_ptr
	// is not NULL but neither is set in flags
	if (host != nil) != (m.flags&(CL_MEM_USE_HOST_PTR|CL_MEM_COPY_HOST_PTR) != 0) {
		return CL_INVALID_HOST_PTR
	}
	i := m.image
	size := i.extent()
	m.size = i.span(size)
	if m.flags&memAccess == 0 {
		m.flags |= CL_MEM_READ_WRITE
	}
	// CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the image object
	if m.size > m.ctx.maxAlloc() {
		return CL_MEM_OBJECT_ALLOCATION_FAILURE
	}
	if ps.handle != nil {
		return ps.open(m)
	}
	var err error
	if m.flags&CL_MEM_USE_HOST_PTR != 0 {
		m.hostPtr = host
		m.store, err = m.ctx.wrap(host, m.size)
	} else {
		// Memory of the application's has its pitches, which a copy need not keep.
		from := i.pitches()
		i.row = i.width * i.layout.Size
		if i.slice != 0 {
			i.slice = i.row * max(i.height, 1)
		}
		m.size = i.span(size)
		if m.store, err = m.ctx.alloc(m.size, true); err == nil && host != nil && !copyPixels(m, host, from) {
			m.store.Release()
			return CL_INVALID_HOST_PTR
		}
	}
	if err != nil {
		return CL_MEM_OBJECT_ALLOCATION_FAILURE
	}
	return CL_SUCCESS
}

// copyPixels fills a new image from memory of the application's with pitches of its own, if that is there.
func copyPixels(m *Mem, host unsafe.Pointer, from [2]uint64) bool {
	i := m.image
	size, to := i.extent(), i.pitches()
	n := size[0] * i.layout.Size
	for z := range size[2] {
		for y := range size[1] {
			if !copyFromHost(unsafe.Add(m.store.Ptr, y*to[0]+z*to[1]), unsafe.Add(host, y*from[0]+z*from[1]), n) {
				return false
			}
		}
	}
	return true
}
