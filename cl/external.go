package cl

import (
	"errors"
	"slices"
	"syscall"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// Memory objects made from memory that another driver or process has, too (cl_khr_external_memory): a
// CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR is a file descriptor that can be mapped, such as a memfd.

// externalMemory are the types of handles that memory objects can be made from.
var externalMemory = []uint32{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR}

// MemLists are the properties of a memory object whose value is a list.
var MemLists = []uint64{CL_MEM_DEVICE_HANDLE_LIST_KHR}

// memProperties are the properties of a memory object.
type memProperties struct {
	addressed bool      // CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
	handle    *property // of external memory, nil if there is none
}

// memProperties reads a list that ends in 0, of a buffer or an image.
func (ctx *Context) memProperties(list []uint64, buffer bool) (m memProperties, st Status) {
	ps, once := splitProperties(list, MemLists...)
	// CL_INVALID_PROPERTY if the same property name is specified more than once
	if !once {
		return m, CL_INVALID_PROPERTY
	}
	listed := false
	for i := range ps {
		p := &ps[i]
		switch {
		case p.name == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT && buffer && (p.value == CL_TRUE || p.value == CL_FALSE):
			m.addressed = p.value == CL_TRUE
		case p.name == CL_MEM_DEVICE_HANDLE_LIST_KHR:
			listed = true
			// CL_INVALID_DEVICE if a device identified by the property CL_MEM_DEVICE_HANDLE_LIST_KHR is not a valid device or is not
			// associated with context
			for _, h := range p.values {
				if ctx.device([]uint64{h}) == nil {
					return m, CL_INVALID_DEVICE
				}
			}
		case slices.Contains(externalMemory, uint32(p.name)) && m.handle == nil:
			m.handle = p
		default:
			// CL_INVALID_PROPERTY if a property name in properties is not a supported property name, if the value specified for a
			// supported property name is not valid, or if properties includes more than one external memory handle
			return m, CL_INVALID_PROPERTY
		}
	}
	// CL_INVALID_PROPERTY if properties does not include a supported external memory handle and CL_MEM_DEVICE_HANDLE_LIST_KHR is
	// specified as part of properties
	if listed && m.handle == nil {
		return m, CL_INVALID_PROPERTY
	}
	return m, CL_SUCCESS
}

// checkExternal checks flags and host_ptr of an object of external memory.
func (p memProperties) checkExternal(flags uint64, hosted bool) Status {
	switch {
	case p.handle == nil:
		return CL_SUCCESS
	// CL_INVALID_VALUE if properties includes a supported external memory handle and flags includes CL_MEM_USE_HOST_PTR,
	// CL_MEM_ALLOC_HOST_PTR, or CL_MEM_COPY_HOST_PTR
	case flags&memHostPtr != 0:
		return CL_INVALID_VALUE
	// CL_INVALID_HOST_PTR if properties includes a supported external memory handle and host_ptr is not NULL
	case hosted:
		return CL_INVALID_HOST_PTR
	}
	return CL_SUCCESS
}

// open gives m, whose size is known, the memory behind the handle, which is the driver's from then on.
func (p memProperties) open(m *Mem) Status {
	fd := int(int32(p.handle.value))
	store, err := m.ctx.devices[0].roc.Import(fd, m.size)
	switch {
	// CL_INVALID_BUFFER_SIZE, CL_INVALID_IMAGE_SIZE: there is less
	case errors.Is(err, roc.ErrSmall) && m.image != nil:
		return CL_INVALID_IMAGE_SIZE
	case errors.Is(err, roc.ErrSmall):
		return CL_INVALID_BUFFER_SIZE
	// CL_INVALID_PROPERTY if the value specified for a supported property name is not valid
	case err != nil:
		return CL_INVALID_PROPERTY
	}
	syscall.Close(fd)
	m.store, m.external = store, true
	return CL_SUCCESS
}

// AcquireExternal is clEnqueueAcquireExternalMemObjectsKHR, and ReleaseExternal clEnqueueReleaseExternalMemObjectsKHR: kernels see
// the very memory that others have, so they order, and no more.
func (q *Queue) AcquireExternal(mems []*Mem, s Sync) (*Event, Status) {
	return q.external(CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, mems, s)
}

func (q *Queue) ReleaseExternal(mems []*Mem, s Sync) (*Event, Status) {
	return q.external(CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, mems, s)
}

func (q *Queue) external(kind uint32, mems []*Mem, s Sync) (*Event, Status) {
	for _, m := range mems {
		// CL_INVALID_MEM_OBJECT if any of the memory objects in mem_objects is not a valid OpenCL memory object created using an
		// external memory handle
		if !m.external {
			return nil, CL_INVALID_MEM_OBJECT
		}
		// CL_INVALID_COMMAND_QUEUE if one or more of mem_objects belong to a context that does not contain a device associated with
		// command_queue: or to another context at all, for which there is no error of its own
		if m.ctx != q.ctx {
			return nil, CL_INVALID_COMMAND_QUEUE
		}
	}
	if st := q.check(s); st != CL_SUCCESS {
		return nil, st
	}
	if st := s.failed(); st != CL_SUCCESS {
		return nil, st
	}
	if len(mems) == 0 {
		c, e := q.command(kind, hostqueue.KindCommand, roc.Nothing{}, s)
		return q.submit(c, e, s, false)
	}
	return q.enqueue(kind, roc.Nothing{}, s, false, mems...)
}
