package cl

import "slices"

// Info answers clGetMemObjectInfo (OpenCL API 3.0 section 5.6.5).
func (m *Mem) Info(param uint32, out Out) Status { return memInfo.Get(m, param, out) }

var memInfo = Table[*Mem]{
	CL_MEM_TYPE:            func(m *Mem) Value { return Uint(m.kindOfMem()) },
	CL_MEM_FLAGS:           func(m *Mem) Value { return Ulong(m.flags) },
	CL_MEM_SIZE:            func(m *Mem) Value { return Size(m.size) },
	CL_MEM_HOST_PTR:        func(m *Mem) Value { return Ulong(uintptr(m.hostPtr)) },
	CL_MEM_MAP_COUNT:       func(m *Mem) Value { return Uint(m.mapCount()) },
	CL_MEM_REFERENCE_COUNT: func(m *Mem) Value { return Uint(m.References()) },
	CL_MEM_CONTEXT:         func(m *Mem) Value { return HandleOf(m.ctx) },
	CL_MEM_ASSOCIATED_MEMOBJECT: func(m *Mem) Value {
		if m.parent == nil {
			return NoHandle()
		}
		return HandleOf(m.parent)
	},
	CL_MEM_OFFSET: func(m *Mem) Value {
		if m.image != nil {
			return Size(0)
		}
		return Size(m.origin)
	},
	CL_MEM_USES_SVM_POINTER: func(m *Mem) Value { return Bool(m.svm) },
	// "a list of device addresses for the buffer, one for each device in the context"; CL_INVALID_OPERATION if the buffer was not
	// allocated with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
	CL_MEM_DEVICE_ADDRESS_EXT: func(m *Mem) Value {
		if !m.addressed {
			return Fail(CL_INVALID_OPERATION)
		}
		return Ulongs(slices.Repeat([]uint64{uint64(m.address())}, len(m.ctx.devices))...)
	},
	CL_MEM_PROPERTIES: func(m *Mem) Value { return Ulongs(m.properties...) },
}

// kindOfMem is CL_MEM_TYPE.
func (m *Mem) kindOfMem() uint32 {
	switch {
	case m.image != nil:
		return m.image.kind
	case m.pipe != nil:
		return CL_MEM_OBJECT_PIPE
	}
	return CL_MEM_OBJECT_BUFFER
}

// ImageInfo answers clGetImageInfo (OpenCL API 3.0 section 5.3.7).
func (m *Mem) ImageInfo(param uint32, out Out) Status {
	// CL_INVALID_MEM_OBJECT if image is not a valid image object
	if m.image == nil {
		return CL_INVALID_MEM_OBJECT
	}
	return imageInfo.Get(m.image, param, out)
}

var imageInfo = Table[*image]{
	CL_IMAGE_FORMAT:       func(i *image) Value { return Uints(i.format.Order, i.format.Type) },
	CL_IMAGE_ELEMENT_SIZE: func(i *image) Value { return Size(i.layout.Size) },
	CL_IMAGE_ROW_PITCH:    func(i *image) Value { return Size(i.row) },
	CL_IMAGE_SLICE_PITCH:  func(i *image) Value { return Size(i.slice) },
	CL_IMAGE_WIDTH:        func(i *image) Value { return Size(i.width) },
	CL_IMAGE_HEIGHT:       func(i *image) Value { return Size(i.height) },
	CL_IMAGE_DEPTH:        func(i *image) Value { return Size(i.depth) },
	CL_IMAGE_ARRAY_SIZE:   func(i *image) Value { return Size(i.array) },
	CL_IMAGE_BUFFER: func(i *image) Value {
		if i.source == nil || i.source.image != nil {
			return NoHandle()
		}
		return HandleOf(i.source)
	},
	CL_IMAGE_NUM_MIP_LEVELS: func(*image) Value { return Uint(uint32(0)) },
	CL_IMAGE_NUM_SAMPLES:    func(*image) Value { return Uint(uint32(0)) },
}
