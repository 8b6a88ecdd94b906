package main

import "aqueduct/cl"

func clCreateSemaphoreWithPropertiesKHR(ctx *cl.Context, props cl.Addr) (*cl.Semaphore, cl.Status) {
	return ctx.CreateSemaphore(properties(props, cl.SemaphoreLists...))
}

func clRetainSemaphoreKHR(s *cl.Semaphore) cl.Status  { return s.Retain() }
func clReleaseSemaphoreKHR(s *cl.Semaphore) cl.Status { return s.Release() }

func clGetSemaphoreInfoKHR(s *cl.Semaphore, param uint32, out cl.Out) cl.Status {
	return s.Info(param, out)
}

// semaphores decodes a list of semaphores.
func semaphores(n uint32, list cl.Addr) ([]*cl.Semaphore, cl.Status) {
	// CL_INVALID_VALUE if num_sema_objects is 0
	if n == 0 || list == 0 {
		return nil, cl.CL_INVALID_VALUE
	}
	ss, ok := objects[cl.Semaphore](list, n, cl.KindSemaphore)
	// CL_INVALID_SEMAPHORE_KHR if any of the semaphore objects specified by sema_objects is not valid
	if !ok {
		return nil, cl.CL_INVALID_SEMAPHORE_KHR
	}
	return ss, cl.CL_SUCCESS
}

func clEnqueueWaitSemaphoresKHR(q *cl.Queue, n uint32, list, payloads cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	ss, st := semaphores(n, list)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	return q.WaitSemaphores(ss, s)
}

func clEnqueueSignalSemaphoresKHR(q *cl.Queue, n uint32, list, payloads cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	ss, st := semaphores(n, list)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	return q.SignalSemaphores(ss, s)
}

func clGetSemaphoreHandleForTypeKHR(s *cl.Semaphore, d *cl.Device, handleType uint32, size uintptr, handle, sizeRet cl.Addr) cl.Status {
	const fdSize = 4
	// CL_INVALID_VALUE if the size in bytes specified by handle_size is less than size of the requested handle and handle_ptr is not
	// NULL
	if handle != 0 && size < fdSize {
		return cl.CL_INVALID_VALUE
	}
	st := s.Exports(d, handleType)
	if st == cl.CL_SUCCESS && handle != 0 {
		var fd int
		if fd, st = s.Export(); st == cl.CL_SUCCESS {
			handle.PutUint(uint32(fd))
		}
	}
	if st == cl.CL_SUCCESS && sizeRet != 0 {
		sizeRet.PutSize(fdSize)
	}
	return st
}

func clReImportSemaphoreSyncFdKHR(s *cl.Semaphore, props cl.Addr, fd int32) cl.Status {
	return s.ReimportSync(int(fd))
}
