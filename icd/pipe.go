package main

import "aqueduct/cl"

func clCreatePipe(ctx *cl.Context, flags uint64, packetSize, maxPackets uint32, props cl.Addr) (*cl.Mem, cl.Status) {
	return ctx.CreatePipe(flags, packetSize, maxPackets, props != 0)
}

func clGetPipeInfo(m *cl.Mem, param uint32, out cl.Out) cl.Status { return m.PipeInfo(param, out) }
