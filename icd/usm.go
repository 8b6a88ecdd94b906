package main

import "aqueduct/cl"

// The functions of cl_intel_unified_shared_memory.

func clHostMemAllocINTEL(c *cl.Context, props cl.Addr, size uintptr, alignment uint32) (cl.Addr, cl.Status) {
	return c.HostMemAlloc(properties(props), uint64(size), alignment)
}

func clDeviceMemAllocINTEL(c *cl.Context, d *cl.Device, props cl.Addr, size uintptr, alignment uint32) (cl.Addr, cl.Status) {
	return c.DeviceMemAlloc(d, properties(props), uint64(size), alignment)
}

func clSharedMemAllocINTEL(c *cl.Context, device uintptr, props cl.Addr, size uintptr, alignment uint32) (cl.Addr, cl.Status) {
	d, st := deviceOrNull(device)
	if st != cl.CL_SUCCESS {
		return 0, st
	}
	return c.SharedMemAlloc(d, properties(props), uint64(size), alignment)
}

func clMemFreeINTEL(c *cl.Context, p cl.Addr) cl.Status         { return c.MemFree(p, false) }
func clMemBlockingFreeINTEL(c *cl.Context, p cl.Addr) cl.Status { return c.MemFree(p, true) }

func clGetMemAllocInfoINTEL(c *cl.Context, p cl.Addr, param uint32, out cl.Out) cl.Status {
	return c.MemAllocInfo(p, param, out)
}

func clSetKernelArgMemPointerINTEL(k *cl.Kernel, index uint32, p cl.Addr) cl.Status {
	return k.SetPointer(index, p)
}

func clEnqueueMemFillINTEL(q *cl.Queue, p, pattern cl.Addr, patternSize, size uintptr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.MemFill(p, patternOf(pattern, patternSize), uint64(size), s)
}

func clEnqueueMemcpyINTEL(q *cl.Queue, blocking uint32, dst, src cl.Addr, size uintptr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.Memcpy(blocking != 0, dst, src, uint64(size), s)
}

func clEnqueueMigrateMemINTEL(q *cl.Queue, p cl.Addr, size uintptr, flags uint64, s cl.Sync) (*cl.Event, cl.Status) {
	return q.MigrateMem(p, flags, s)
}

func clEnqueueMemAdviseINTEL(q *cl.Queue, p cl.Addr, size uintptr, advice uint32, s cl.Sync) (*cl.Event, cl.Status) {
	return q.MemAdvise(p, advice, s)
}
