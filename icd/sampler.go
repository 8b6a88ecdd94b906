package main

import "aqueduct/cl"

// Samplers are for images, which no device supports (OpenCL API 3.0 section 5.7).

func clCreateSampler(ctx *cl.Context, normalised, addressing, filter uint32) (*cl.Sampler, cl.Status) {
	// CL_INVALID_VALUE if the value of a sampler property is not a supported value for it
	if normalised > cl.CL_TRUE || addressing < cl.CL_ADDRESS_NONE || addressing > cl.CL_ADDRESS_MIRRORED_REPEAT ||
		filter != cl.CL_FILTER_NEAREST && filter != cl.CL_FILTER_LINEAR {
		return nil, cl.CL_INVALID_VALUE
	}
	// CL_INVALID_OPERATION if images are not supported by any device associated with context
	return nil, cl.CL_INVALID_OPERATION
}

func clCreateSamplerWithProperties(ctx *cl.Context, props cl.Addr) (*cl.Sampler, cl.Status) {
	var seen [3]bool
	values := [3]uint32{cl.CL_TRUE, cl.CL_ADDRESS_CLAMP, cl.CL_FILTER_NEAREST}
	p := properties(props)
	for len(p) > 1 {
		i := p[0] - cl.CL_SAMPLER_NORMALIZED_COORDS
		// CL_INVALID_VALUE if the property name in sampler_properties is not a supported property name, or if the same property
		// name is specified more than once
		if i >= uint64(len(seen)) || seen[i] || p[1] > 1<<32-1 {
			return nil, cl.CL_INVALID_VALUE
		}
		seen[i], values[i] = true, uint32(p[1])
		p = p[2:]
	}
	return clCreateSampler(ctx, values[0], values[1], values[2])
}

func clRetainSampler(s *cl.Sampler) cl.Status  { return s.Retain() }
func clReleaseSampler(s *cl.Sampler) cl.Status { return s.Release() }

func clGetSamplerInfo(s *cl.Sampler, param uint32, out cl.Out) cl.Status {
	return cl.CL_INVALID_SAMPLER
}
