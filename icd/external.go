package main

import "aqueduct/cl"

// external decodes the list of what is to be acquired or released, which may be empty.
func external(n uint32, list cl.Addr) ([]*cl.Mem, cl.Status) {
	// CL_INVALID_VALUE if num_mem_objects is zero and mem_objects is not a NULL value, or if num_mem_objects is greater than 0 and
	// mem_objects is NULL
	if (n == 0) != (list == 0) {
		return nil, cl.CL_INVALID_VALUE
	}
	if n == 0 {
		return nil, cl.CL_SUCCESS
	}
	mems, ok := objects[cl.Mem](list, n, cl.KindMem)
	// CL_INVALID_MEM_OBJECT if any of the memory objects in mem_objects is not a valid OpenCL memory object
	if !ok {
		return nil, cl.CL_INVALID_MEM_OBJECT
	}
	return mems, cl.CL_SUCCESS
}

func clEnqueueAcquireExternalMemObjectsKHR(q *cl.Queue, n uint32, list cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	mems, st := external(n, list)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	return q.AcquireExternal(mems, s)
}

func clEnqueueReleaseExternalMemObjectsKHR(q *cl.Queue, n uint32, list cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	mems, st := external(n, list)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	return q.ReleaseExternal(mems, s)
}
