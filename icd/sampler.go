package main

import "aqueduct/cl"

func clCreateSampler(ctx *cl.Context, normalised, addressing, filter uint32) (*cl.Sampler, cl.Status) {
	return ctx.CreateSamplerSimple(normalised, addressing, filter)
}

func clCreateSamplerWithProperties(ctx *cl.Context, props cl.Addr) (*cl.Sampler, cl.Status) {
	return ctx.CreateSampler(properties(props))
}

func clRetainSampler(s *cl.Sampler) cl.Status  { return s.Retain() }
func clReleaseSampler(s *cl.Sampler) cl.Status { return s.Release() }

func clGetSamplerInfo(s *cl.Sampler, param uint32, out cl.Out) cl.Status { return s.Info(param, out) }
