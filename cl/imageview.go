package cl

import "unsafe"

// An image may be made from another memory object, whose memory it shares (OpenCL API 3.0 section 5.3.1.2): a 1D buffer image
// from a buffer, a 2D image from a buffer (cl_khr_image2d_from_buffer) or, with another channel order, from a 2D image.

// from checks the mem_object of desc.
func (i *image) from(ctx *Context, desc *ImageDesc) Status {
	m := desc.Mem
	if m == nil {
		// "mem_object [...] may refer to a valid buffer or image [and] must be NULL" for all but 2D images and 1D buffer images,
		// of which the latter are nothing without a buffer.
		if i.kind == CL_MEM_OBJECT_IMAGE1D_BUFFER {
			return CL_INVALID_IMAGE_DESCRIPTOR
		}
		return CL_SUCCESS
	}
	if m.ctx != ctx || m.pipe != nil || i.kind != CL_MEM_OBJECT_IMAGE1D_BUFFER && i.kind != CL_MEM_OBJECT_IMAGE2D {
		return CL_INVALID_IMAGE_DESCRIPTOR
	}
	i.source = m
	if m.image != nil {
		return i.fromImage(desc)
	}
	if i.kind == CL_MEM_OBJECT_IMAGE1D_BUFFER {
		// "The size of the image elements [...] must be <= the size of buffer object data store"
		if bytes, ok := mul(i.width, i.layout.Size); !ok || bytes > m.size {
			return CL_INVALID_IMAGE_SIZE
		}
		return CL_SUCCESS
	}
	// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if a 2D image is created from a buffer and the row pitch and base address alignment does
	// not follow the rules described for creating a 2D image from a buffer: the pitch a multiple of
	// CL_DEVICE_IMAGE_PITCH_ALIGNMENT pixels, the base address of CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT
	if desc.RowPitch%i.layout.Size != 0 || uint64(uintptr(m.store.Ptr))%i.layout.Size != 0 {
		return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
	}
	row := desc.RowPitch
	if row == 0 {
		row = i.width * i.layout.Size
	}
	// "the size of the buffer object data store [...] must be >= the row pitch times the height"
	if bytes, ok := mul(row, i.height); !ok || bytes > m.size {
		return CL_INVALID_IMAGE_SIZE
	}
	return CL_SUCCESS
}

// fromImage checks a view of a 2D image: of the same size and channel type, with a channel order that goes with its own.
func (i *image) fromImage(desc *ImageDesc) Status {
	o := desc.Mem.image
	// "[...] created from the same size image with the same image_width, image_height"; only 2D images can be viewed
	if i.kind != CL_MEM_OBJECT_IMAGE2D || o.kind != CL_MEM_OBJECT_IMAGE2D || i.width != o.width || i.height != o.height ||
		desc.RowPitch != 0 && desc.RowPitch != o.row {
		return CL_INVALID_IMAGE_DESCRIPTOR
	}
	// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if a 2D image is created from a 2D image object and the rules described above are not
	// followed
	if i.format.Type != o.format.Type || !viewable(i.format.Order, o.format.Order) {
		return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
	}
	return CL_SUCCESS
}

// viewable reports whether an image of channel order b may be seen as one of order a (table of compatible channel orders, as far
// as these are supported).
func viewable(a, b uint32) bool {
	pairs := [][2]uint32{{CL_sBGRA, CL_BGRA}, {CL_sRGBA, CL_RGBA}, {CL_DEPTH, CL_R}}
	for _, p := range pairs {
		if a == p[0] && b == p[1] || a == p[1] && b == p[0] {
			return true
		}
	}
	return a == b
}

// view makes m, which is to be an image, one of the memory of what it is made from.
func (m *Mem) view(host unsafe.Pointer) Status {
	s := m.image.source
	// CL_INVALID_HOST_PTR if host_ptr is not NULL but neither CL_MEM_USE_HOST_PTR nor CL_MEM_COPY_HOST_PTR is set in flags
	if host != nil && m.flags&(CL_MEM_USE_HOST_PTR|CL_MEM_COPY_HOST_PTR) == 0 {
		return CL_INVALID_HOST_PTR
	}
	// CL_INVALID_VALUE if an image is being created from another memory object (buffer or image) with wider access than that
	// has, or with CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR or CL_MEM_COPY_HOST_PTR
	if !s.narrows(m.flags) {
		return CL_INVALID_VALUE
	}
	m.inherit(s)
	i := m.image
	m.size = i.span(i.extent())
	m.parent, m.origin = s, s.origin
	m.hostPtr = s.hostPtr
	m.store = s.store.Sub(0, m.size)
	s.Use()
	return CL_SUCCESS
}
