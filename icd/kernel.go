package main

import (
	"unsafe"

	"aqueduct/cl"
	"aqueduct/roc/compiler/codeobject"
)

func clCreateKernel(p *cl.Program, name cl.Addr) (*cl.Kernel, cl.Status) {
	// CL_INVALID_VALUE if kernel_name is NULL
	if name == 0 {
		return nil, cl.CL_INVALID_VALUE
	}
	return p.CreateKernel(cstring(name))
}

func clCreateKernelsInProgram(p *cl.Program, n uint32, list, count cl.Addr) cl.Status {
	limit := -1
	if list != 0 {
		limit = int(n)
	}
	ks, all, st := p.CreateKernels(limit)
	if st != cl.CL_SUCCESS {
		return st
	}
	for i, k := range ks {
		if !newHandle(&k.Object) {
			for _, k := range ks {
				k.Release()
			}
			return cl.CL_OUT_OF_HOST_MEMORY
		}
		array[uintptr](uintptr(list), n)[i] = k.Handle()
	}
	if count != 0 {
		count.PutUint(uint32(all))
	}
	return cl.CL_SUCCESS
}

func clCloneKernel(k *cl.Kernel) (*cl.Kernel, cl.Status) { return k.Clone(), cl.CL_SUCCESS }

func clRetainKernel(k *cl.Kernel) cl.Status  { return k.Retain() }
func clReleaseKernel(k *cl.Kernel) cl.Status { return k.Release() }

func clSetKernelArg(k *cl.Kernel, index uint32, size uintptr, value cl.Addr) cl.Status {
	kind, st := k.ArgKind(index, uint64(size), value != 0)
	if st != cl.CL_SUCCESS {
		return st
	}
	var arg cl.Arg
	switch kind {
	case codeobject.ArgValue:
		arg.Bytes = value.Bytes(size)
	case codeobject.ArgLocal:
		arg.Local = uint64(size)
	case codeobject.ArgGlobal, codeobject.ArgConstant:
		if value == 0 {
			break
		}
		// CL_INVALID_MEM_OBJECT if arg_value is not NULL, and does not point to NULL, and does not point to a valid memory object
		if h := *(*uintptr)(value.Pointer()); h != 0 {
			if arg.Mem = (*cl.Mem)(find(h, cl.KindMem)); arg.Mem == nil {
				return cl.CL_INVALID_MEM_OBJECT
			}
		}
	case codeobject.ArgImage, codeobject.ArgPipe:
		// CL_INVALID_MEM_OBJECT if arg_value does not point to a valid memory object (SetArg says so)
		if value != 0 {
			arg.Mem = (*cl.Mem)(find(*(*uintptr)(value.Pointer()), cl.KindMem))
		}
	case codeobject.ArgSampler:
		// CL_INVALID_SAMPLER if the kernel argument is a sampler, but arg_value does not point to a valid sampler object
		if value != 0 {
			arg.Sampler = (*cl.Sampler)(find(*(*uintptr)(value.Pointer()), cl.KindSampler))
		}
		if arg.Sampler == nil {
			return cl.CL_INVALID_SAMPLER
		}
	case codeobject.ArgQueue:
		// CL_INVALID_DEVICE_QUEUE if the kernel argument is a device queue, but arg_value does not point to a valid device queue
		// object
		if value != 0 {
			arg.Queue = deviceQueue(*(*uintptr)(value.Pointer()))
		}
		if arg.Queue == nil {
			return cl.CL_INVALID_DEVICE_QUEUE
		}
	}
	return k.SetArg(index, arg)
}

func clSetKernelArgSVMPointer(k *cl.Kernel, index uint32, value cl.Addr) cl.Status {
	return k.SetSVMPointer(index, value)
}

func clSetKernelArgDevicePointerEXT(k *cl.Kernel, index uint32, value uint64) cl.Status {
	return k.SetDevicePointer(index, cl.Addr(value))
}

func clGetKernelInfo(k *cl.Kernel, param uint32, out cl.Out) cl.Status {
	return k.Info(param, out)
}

func clGetKernelArgInfo(k *cl.Kernel, index, param uint32, out cl.Out) cl.Status {
	return k.ArgInfo(index, param, out)
}

// deviceOrNull decodes a device that may be NULL.
func deviceOrNull(h uintptr) (*cl.Device, cl.Status) {
	d := (*cl.Device)(find(h, cl.KindDevice))
	if h != 0 && d == nil {
		return nil, cl.CL_INVALID_DEVICE
	}
	return d, cl.CL_SUCCESS
}

func clGetKernelWorkGroupInfo(k *cl.Kernel, device uintptr, param uint32, out cl.Out) cl.Status {
	d, st := deviceOrNull(device)
	if st != cl.CL_SUCCESS {
		return st
	}
	return k.WorkGroupInfo(d, param, out)
}

func clGetKernelSubGroupInfo(k *cl.Kernel, device uintptr, param uint32, inputSize uintptr, input cl.Addr, out cl.Out) cl.Status {
	d, st := deviceOrNull(device)
	if st != cl.CL_SUCCESS {
		return st
	}
	// Where there has to be an input value it is of one size_t or more; none is found wrong by SubGroupInfo.
	var in []uint64
	if input != 0 && inputSize%8 == 0 {
		in = array[uint64](uintptr(input), uint32(min(inputSize/8, 4)))
	}
	return k.SubGroupInfo(d, param, in, out)
}

func clGetKernelSubGroupInfoKHR(k *cl.Kernel, device uintptr, param uint32, inputSize uintptr, input cl.Addr, out cl.Out) cl.Status {
	return clGetKernelSubGroupInfo(k, device, param, inputSize, input, out)
}

func clEnqueueNDRangeKernel(q *cl.Queue, k *cl.Kernel, dims uint32, offset, global, local cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	var r cl.Range
	ndrange(&r, dims, offset, global, local)
	return q.NDRangeKernel(k, &r, s)
}

// ndrange decodes the sizes of an NDRange, each of which may be NULL, into r, which is empty.
func ndrange(r *cl.Range, dims uint32, offset, global, local cl.Addr) {
	r.Dims, r.HasGlobal, r.HasLocal = dims, global != 0, local != 0
	// More dimensions than three are refused without a look at them.
	n := uintptr(min(dims, 3))
	for _, p := range [...]struct {
		to *[3]uint64
		at cl.Addr
	}{{&r.Offset, offset}, {&r.Global, global}, {&r.Local, local}} {
		if p.at != 0 {
			copy(p.to[:], unsafe.Slice((*uint64)(p.at.Pointer()), n))
		}
	}
}

func clGetKernelSuggestedLocalWorkSizeKHR(q *cl.Queue, k *cl.Kernel, dims uint32, offset, global, suggested cl.Addr) cl.Status {
	var r cl.Range
	ndrange(&r, dims, offset, global, 0)
	local, st := q.SuggestedLocalWorkSize(k, &r)
	switch {
	case st != cl.CL_SUCCESS:
		return st
	// CL_INVALID_VALUE if suggested_local_work_size is NULL
	case suggested == 0:
		return cl.CL_INVALID_VALUE
	}
	copy(array[uint64](uintptr(suggested), dims), local[:])
	return cl.CL_SUCCESS
}

func clEnqueueTask(q *cl.Queue, k *cl.Kernel, s cl.Sync) (*cl.Event, cl.Status) { return q.Task(k, s) }
