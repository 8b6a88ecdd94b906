package main

import "aqueduct/cl"

// No device supports pipes: CL_DEVICE_PIPE_SUPPORT is CL_FALSE (OpenCL API 3.0 section 5.4).

func clCreatePipe(ctx *cl.Context, flags uint64, packetSize, maxPackets uint32, props cl.Addr) (*cl.Mem, cl.Status) {
	// CL_INVALID_OPERATION if no devices in context support pipes
	return nil, cl.CL_INVALID_OPERATION
}

// CL_INVALID_MEM_OBJECT if pipe is not a valid pipe object
func clGetPipeInfo(*cl.Mem, uint32, cl.Out) cl.Status { return cl.CL_INVALID_MEM_OBJECT }
