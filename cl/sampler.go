package cl

import (
	"slices"

	"aqueduct/roc/compiler/codeobject"
)

// Sampler is a sampler object (OpenCL API 3.0 section 5.7). Kernels get its settings by value, so that no command uses it.
type Sampler struct {
	Object
	ctx        *Context
	normalised bool
	addressing uint32
	filter     uint32
	properties []uint64 // as given, the terminating zero included; nil for NULL
}

// CreateSampler is clCreateSamplerWithProperties. properties is nil or a list that ends in 0.
func (ctx *Context) CreateSampler(properties []uint64) (*Sampler, Status) {
	values := map[uint64]uint64{
		CL_SAMPLER_NORMALIZED_COORDS: CL_TRUE, CL_SAMPLER_ADDRESSING_MODE: CL_ADDRESS_CLAMP, CL_SAMPLER_FILTER_MODE: CL_FILTER_NEAREST,
	}
	var seen []uint64
	for i := 0; i+1 < len(properties); i += 2 {
		// CL_INVALID_VALUE if the property name in sampler_properties is not a supported property name, if the value specified
		// for a supported property name is not valid, or if the same property name is specified more than once
		name := properties[i]
		if _, known := values[name]; !known || slices.Contains(seen, name) {
			return nil, CL_INVALID_VALUE
		}
		seen = append(seen, name)
		values[name] = properties[i+1]
	}
	return ctx.createSampler(values[CL_SAMPLER_NORMALIZED_COORDS], values[CL_SAMPLER_ADDRESSING_MODE], values[CL_SAMPLER_FILTER_MODE], properties)
}

// CreateSamplerSimple is clCreateSampler, of OpenCL 1.x.
func (ctx *Context) CreateSamplerSimple(normalised, addressing, filter uint32) (*Sampler, Status) {
	return ctx.createSampler(uint64(normalised), uint64(addressing), uint64(filter), nil)
}

func (ctx *Context) createSampler(normalised, addressing, filter uint64, properties []uint64) (*Sampler, Status) {
	// CL_INVALID_OPERATION if images are not supported by any device associated with context
	if !ctx.images() {
		return nil, CL_INVALID_OPERATION
	}
	if normalised > CL_TRUE || addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT ||
		filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR {
		return nil, CL_INVALID_VALUE
	}
	// CL_INVALID_OPERATION if images are not supported by any device associated with context
	if !slices.ContainsFunc(ctx.devices, (*Device).images) {
		return nil, CL_INVALID_OPERATION
	}
	s := &Sampler{ctx: ctx, normalised: normalised == CL_TRUE, addressing: uint32(addressing), filter: uint32(filter), properties: properties}
	ctx.Use()
	s.init(KindSampler, s)
	return s, CL_SUCCESS
}

func (s *Sampler) end() { s.ctx.Unuse() }

// bits is what kernels get (codeobject.Sampler*).
func (s *Sampler) bits() uint64 {
	bits := [...]uint64{
		CL_ADDRESS_CLAMP_TO_EDGE - CL_ADDRESS_NONE:   codeobject.SamplerClampToEdge,
		CL_ADDRESS_CLAMP - CL_ADDRESS_NONE:           codeobject.SamplerClamp,
		CL_ADDRESS_REPEAT - CL_ADDRESS_NONE:          codeobject.SamplerRepeat,
		CL_ADDRESS_MIRRORED_REPEAT - CL_ADDRESS_NONE: codeobject.SamplerMirroredRepeat,
	}[s.addressing-CL_ADDRESS_NONE]
	if s.normalised {
		bits |= codeobject.SamplerNormalized
	}
	if s.filter == CL_FILTER_LINEAR {
		return bits | codeobject.SamplerLinear
	}
	return bits | codeobject.SamplerNearest
}

var samplerInfo = Table[*Sampler]{
	CL_SAMPLER_REFERENCE_COUNT:   func(s *Sampler) Value { return Uint(s.References()) },
	CL_SAMPLER_CONTEXT:           func(s *Sampler) Value { return HandleOf(s.ctx) },
	CL_SAMPLER_NORMALIZED_COORDS: func(s *Sampler) Value { return Bool(s.normalised) },
	CL_SAMPLER_ADDRESSING_MODE:   func(s *Sampler) Value { return Uint(s.addressing) },
	CL_SAMPLER_FILTER_MODE:       func(s *Sampler) Value { return Uint(s.filter) },
	CL_SAMPLER_PROPERTIES:        func(s *Sampler) Value { return Ulongs(s.properties...) },
}

// Info is clGetSamplerInfo.
func (s *Sampler) Info(param uint32, out Out) Status { return samplerInfo.Get(s, param, out) }
