package cl

// Info answers clGetMemObjectInfo (OpenCL API 3.0 section 5.6.5).
func (m *Mem) Info(param uint32, out Out) Status { return memInfo.Get(m, param, out) }

var memInfo = Table[*Mem]{
	CL_MEM_TYPE:            func(*Mem) Value { return Uint(uint32(CL_MEM_OBJECT_BUFFER)) },
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
	CL_MEM_OFFSET:           func(m *Mem) Value { return Size(m.origin) },
	CL_MEM_USES_SVM_POINTER: func(*Mem) Value { return Bool(false) },
	CL_MEM_PROPERTIES:       func(m *Mem) Value { return Ulongs(m.properties...) },
}
