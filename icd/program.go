package main

import "aqueduct/cl"

func clCreateProgramWithSource(ctx *cl.Context, count uint32, list, lengths cl.Addr) (*cl.Program, cl.Status) {
	// CL_INVALID_VALUE if count is zero or if strings or any entry in strings is NULL
	if count == 0 || list == 0 {
		return nil, cl.CL_INVALID_VALUE
	}
	texts := make([]string, count)
	for i, at := range array[cl.Addr](uintptr(list), count) {
		if at == 0 {
			return nil, cl.CL_INVALID_VALUE
		}
		// "If an element in lengths is zero, its accompanying string is null-terminated. If lengths is NULL, all strings in the
		// strings argument are considered null-terminated."
		length := uintptr(0)
		if lengths != 0 {
			length = array[uintptr](uintptr(lengths), count)[i]
		}
		if length == 0 {
			texts[i] = cstring(at)
		} else {
			texts[i] = string(at.Bytes(length))
		}
	}
	return ctx.CreateProgramWithSource(texts), cl.CL_SUCCESS
}

// deviceList decodes num_devices and device_list. NULL gives nil; a handle that is no device leaves a nil among them, which
// no object's devices contain.
func deviceList(n uint32, list cl.Addr) ([]*cl.Device, cl.Status) {
	// CL_INVALID_VALUE if device_list is NULL and num_devices is greater than zero, or if device_list is not NULL and
	// num_devices is zero
	if (n == 0) != (list == 0) {
		return nil, cl.CL_INVALID_VALUE
	}
	if n == 0 {
		return nil, cl.CL_SUCCESS
	}
	devices := make([]*cl.Device, n)
	for i, h := range array[uintptr](uintptr(list), n) {
		devices[i] = (*cl.Device)(find(h, cl.KindDevice))
	}
	return devices, cl.CL_SUCCESS
}

func clCreateProgramWithBinary(ctx *cl.Context, n uint32, list, lengths, binaries, status cl.Addr) (*cl.Program, cl.Status) {
	devices, st := deviceList(n, list)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if lengths or binaries is NULL
	if lengths == 0 || binaries == 0 {
		return nil, cl.CL_INVALID_VALUE
	}
	bins := make([][]byte, n)
	for i, at := range array[cl.Addr](uintptr(binaries), n) {
		if length := array[uintptr](uintptr(lengths), n)[i]; at != 0 && length != 0 {
			bins[i] = at.Bytes(length)
		}
	}
	p, each, st := ctx.CreateProgramWithBinary(devices, bins)
	if status != 0 {
		copy(array[cl.Status](uintptr(status), n), each)
	}
	return p, st
}

func clCreateProgramWithBuiltInKernels(ctx *cl.Context, n uint32, list, names cl.Addr) (*cl.Program, cl.Status) {
	devices, st := deviceList(n, list)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	return nil, ctx.CreateProgramWithBuiltInKernels(devices)
}

func clCreateProgramWithIL(ctx *cl.Context, il cl.Addr, length uintptr) (*cl.Program, cl.Status) {
	var module []byte
	if il != 0 {
		module = il.Bytes(length)
	}
	return ctx.CreateProgramWithIL(module)
}

func clCreateProgramWithILKHR(ctx *cl.Context, il cl.Addr, length uintptr) (*cl.Program, cl.Status) {
	return clCreateProgramWithIL(ctx, il, length)
}

func clRetainProgram(p *cl.Program) cl.Status  { return p.Retain() }
func clReleaseProgram(p *cl.Program) cl.Status { return p.Release() }

func clSetProgramReleaseCallback(p *cl.Program, notify, user cl.Addr) cl.Status {
	// CL_INVALID_OPERATION if no devices in the context associated with program support destructors for program scope global
	// variables
	return cl.CL_INVALID_OPERATION
}

func clSetProgramSpecializationConstant(p *cl.Program, id uint32, size uintptr, value cl.Addr) cl.Status {
	var text []byte
	if value != 0 && size <= cl.MaxSpecializationConstant {
		text = value.Bytes(size)
	}
	return p.SetSpecializationConstant(id, text)
}

// buildArgs decodes what clBuildProgram, clCompileProgram and clLinkProgram share.
func buildArgs(n uint32, list, options, notify, user cl.Addr) (a cl.BuildArgs, st cl.Status) {
	if a.Devices, st = deviceList(n, list); st != cl.CL_SUCCESS {
		return a, st
	}
	if options != 0 {
		text := cstring(options)
		a.Options = &text
	}
	// CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL
	if notify == 0 && user != 0 {
		return a, cl.CL_INVALID_VALUE
	}
	if notify != 0 {
		a.Notify = func(p *cl.Program) { objectCallback(notify, p, user)() }
	}
	return a, cl.CL_SUCCESS
}

func clBuildProgram(p *cl.Program, n uint32, list, options, notify, user cl.Addr) cl.Status {
	a, st := buildArgs(n, list, options, notify, user)
	if st != cl.CL_SUCCESS {
		return st
	}
	return p.Build(a)
}

func clCompileProgram(p *cl.Program, n uint32, list, options cl.Addr, numHeaders uint32, headers, names, notify, user cl.Addr) cl.Status {
	a, st := buildArgs(n, list, options, notify, user)
	if st != cl.CL_SUCCESS {
		return st
	}
	// CL_INVALID_VALUE if num_input_headers is zero and header_include_names or input_headers are not NULL or if
	// num_input_headers is not zero and header_include_names or input_headers are NULL
	if (numHeaders == 0) != (headers == 0) || (numHeaders == 0) != (names == 0) {
		return cl.CL_INVALID_VALUE
	}
	var hs []cl.Header
	if numHeaders > 0 {
		programs, ok := objects[cl.Program](headers, numHeaders, cl.KindProgram)
		if !ok {
			return cl.CL_INVALID_PROGRAM
		}
		for i, at := range array[cl.Addr](uintptr(names), numHeaders) {
			if at == 0 {
				return cl.CL_INVALID_VALUE
			}
			hs = append(hs, cl.Header{Name: cstring(at), Program: programs[i]})
		}
	}
	return p.Compile(a, hs)
}

func clLinkProgram(ctx *cl.Context, n uint32, list, options cl.Addr, numInputs uint32, inputs, notify, user cl.Addr) (*cl.Program, cl.Status) {
	a, st := buildArgs(n, list, options, notify, user)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if num_input_programs is zero or input_programs is NULL
	if numInputs == 0 || inputs == 0 {
		return nil, cl.CL_INVALID_VALUE
	}
	programs, ok := objects[cl.Program](inputs, numInputs, cl.KindProgram)
	// CL_INVALID_PROGRAM if programs specified in input_programs are not valid program objects
	if !ok {
		return nil, cl.CL_INVALID_PROGRAM
	}
	return ctx.Link(a, programs, func(p *cl.Program) bool { return newHandle(&p.Object) })
}

func clGetProgramInfo(p *cl.Program, param uint32, out cl.Out) cl.Status { return p.Info(param, out) }

func clGetProgramBuildInfo(p *cl.Program, d *cl.Device, param uint32, out cl.Out) cl.Status {
	return p.BuildInfo(d, param, out)
}

func clUnloadCompiler() cl.Status {
	cl.UnloadCompiler()
	return cl.CL_SUCCESS
}

func clUnloadPlatformCompiler(platform *cl.Platform) cl.Status { return clUnloadCompiler() }
