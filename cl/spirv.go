package cl

import (
	"fmt"
	"slices"
	"strings"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/spirv"
)

// ilExtensions are what devices have that accept SPIR-V.
var ilExtensions = []NameVersion{
	{"cl_khr_il_program", Version(1, 0, 0)},
	{"cl_khr_spirv_linkonce_odr", Version(1, 0, 0)},
	{"cl_khr_spirv_no_integer_wrap_decoration", Version(1, 0, 0)},
	{"cl_khr_spirv_queries", Version(1, 0, 0)},
}

// acceptsIL reports whether there are programs of SPIR-V for the device: a CPU, where the translator is installed.
func (d *Device) acceptsIL() bool {
	_, err := frontend.Translator()
	return err == nil && d.kind == CL_DEVICE_TYPE_CPU
}

// ilVersions are the versions of SPIR-V that the device accepts, the newest first.
func (d *Device) ilVersions() []NameVersion {
	var out []NameVersion
	if d.acceptsIL() {
		for minor := uint32(spirv.MaxMinor + 1); minor > 0; minor-- {
			out = append(out, NameVersion{"SPIR-V", Version(1, minor-1, 0)})
		}
	}
	return out
}

// ilNames are they as CL_DEVICE_IL_VERSION wants them: "SPIR-V_1.4 SPIR-V_1.3 ...".
func ilNames(vs []NameVersion) string {
	var out []string
	for _, v := range vs {
		out = append(out, fmt.Sprintf("%s_%d.%d", v.Name, v.Version>>22, v.Version>>12&0x3ff))
	}
	return strings.Join(out, " ")
}

// capability is one of SPIR-V, and the extension or feature of the device that it goes with ("": all devices have it).
type capability struct {
	number uint32
	needs  string
}

// capabilities are what modules may declare to need (OpenCL SPIR-V environment, sections 3 and 4).
var capabilities = []capability{
	{spirv.CapabilityAddresses, ""},
	{spirv.CapabilityLinkage, ""},
	{spirv.CapabilityKernel, ""},
	{spirv.CapabilityVector16, ""},
	{spirv.CapabilityFloat16Buffer, ""},
	{spirv.CapabilityInt64, ""},
	{spirv.CapabilityInt16, ""},
	{spirv.CapabilityInt8, ""},
	{spirv.CapabilityUniformDecoration, ""},
	{spirv.CapabilityFloat16, "cl_khr_fp16"},
	{spirv.CapabilityFloat64, "cl_khr_fp64"},
	{spirv.CapabilityInt64Atomics, "cl_khr_int64_base_atomics"},
	{spirv.CapabilityImageBasic, "__opencl_c_images"},
	{spirv.CapabilityLiteralSampler, "__opencl_c_images"},
	{spirv.CapabilitySampled1D, "__opencl_c_images"},
	{spirv.CapabilityImage1D, "__opencl_c_images"},
	{spirv.CapabilitySampledBuffer, "__opencl_c_images"},
	{spirv.CapabilityImageBuffer, "__opencl_c_images"},
	{spirv.CapabilityImageReadWrite, "__opencl_c_read_write_images"},
	{spirv.CapabilityPipes, "__opencl_c_pipes"},
	{spirv.CapabilityDeviceEnqueue, "__opencl_c_device_enqueue"},
	{spirv.CapabilityGenericPointer, "__opencl_c_generic_address_space"},
	{spirv.CapabilityGroups, "__opencl_c_work_group_collective_functions"},
	{spirv.CapabilitySubgroupDispatch, "__opencl_c_subgroups"},
	{spirv.CapabilityGroupNonUniform, "cl_khr_subgroup_non_uniform_vote"},
	{spirv.CapabilityGroupNonUniformVote, "cl_khr_subgroup_non_uniform_vote"},
	{spirv.CapabilityGroupNonUniformArithmetic, "cl_khr_subgroup_non_uniform_arithmetic"},
	{spirv.CapabilityGroupNonUniformBallot, "cl_khr_subgroup_ballot"},
	{spirv.CapabilityGroupNonUniformShuffle, "cl_khr_subgroup_shuffle"},
	{spirv.CapabilityGroupNonUniformShuffleRelative, "cl_khr_subgroup_shuffle_relative"},
	{spirv.CapabilityGroupNonUniformClustered, "cl_khr_subgroup_clustered_reduce"},
	{spirv.CapabilityGroupNonUniformRotate, "cl_khr_subgroup_rotate"},
	{spirv.CapabilityExpectAssume, "cl_khr_expect_assume"},
	{spirv.CapabilityBitInstructions, "cl_khr_extended_bit_ops"},
	{spirv.CapabilityDotProduct, "cl_khr_integer_dot_product"},
	{spirv.CapabilityDotProductInput4x8Bit, "cl_khr_integer_dot_product"},
	{spirv.CapabilityDotProductInput4x8BitPacked, "cl_khr_integer_dot_product"},
	{spirv.CapabilityShaderClock, "cl_khr_kernel_clock"},
	{spirv.CapabilityAtomicFloat16Add, "cl_ext_float_atomics"},
	{spirv.CapabilityAtomicFloat32Add, "cl_ext_float_atomics"},
	{spirv.CapabilityAtomicFloat64Add, "cl_ext_float_atomics"},
	{spirv.CapabilityAtomicFloat16MinMax, "cl_ext_float_atomics"},
	{spirv.CapabilityAtomicFloat32MinMax, "cl_ext_float_atomics"},
	{spirv.CapabilityAtomicFloat64MinMax, "cl_ext_float_atomics"},
}

// spirvExtensions are the extensions of SPIR-V, likewise.
var spirvExtensions = []struct{ name, needs string }{
	{spirv.ExtensionNoIntegerWrap, ""},
	{spirv.ExtensionLinkOnceODR, ""},
	{spirv.ExtensionSubgroupRotate, "cl_khr_subgroup_rotate"},
	{spirv.ExtensionExpectAssume, "cl_khr_expect_assume"},
	{spirv.ExtensionBitInstructions, "cl_khr_extended_bit_ops"},
	{spirv.ExtensionDotProduct, "cl_khr_integer_dot_product"},
	{spirv.ExtensionShaderClock, "cl_khr_kernel_clock"},
	{spirv.ExtensionAtomicFloatAdd, "cl_ext_float_atomics"},
	{spirv.ExtensionAtomicFloat16Add, "cl_ext_float_atomics"},
	{spirv.ExtensionAtomicFloatMinMax, "cl_ext_float_atomics"},
}

// spirvSupport is what modules for the device may declare to need.
func (d *Device) spirvSupport() *spirv.Support {
	s := new(spirv.Support)
	if !d.acceptsIL() {
		return s
	}
	have := append(d.CompilerExtensions(), "")
	for _, c := range capabilities {
		if slices.Contains(have, c.needs) {
			s.Capabilities = append(s.Capabilities, c.number)
		}
	}
	for _, e := range spirvExtensions {
		if slices.Contains(have, e.needs) {
			s.Extensions = append(s.Extensions, e.name)
		}
	}
	s.InstructionSets = []string{spirv.SetOpenCL}
	return s
}

// CreateProgramWithIL is clCreateProgramWithIL (OpenCL API 3.0 section 5.8.1); il is nil if the caller gave none.
func (ctx *Context) CreateProgramWithIL(il []byte) (*Program, Status) {
	// CL_INVALID_OPERATION if no devices in context support intermediate language programs
	i := slices.IndexFunc(ctx.devices, (*Device).acceptsIL)
	if i < 0 {
		return nil, CL_INVALID_OPERATION
	}
	// CL_INVALID_VALUE if il is NULL or if length is zero, or if the length-byte block of memory pointed to by il does not contain
	// well-formed intermediate language input that can be consumed by the OpenCL runtime
	module, err := spirv.Parse(il, ctx.devices[i].spirvSupport())
	if err != nil {
		ctx.Notify("clCreateProgramWithIL: " + err.Error())
		return nil, CL_INVALID_VALUE
	}
	p := newProgram(ctx, ctx.devices, fromIL)
	p.il, p.module, p.constants = slices.Clone(il), module, map[uint32][]byte{}
	return p, CL_SUCCESS
}

// MaxSpecializationConstant is the size of the largest specialization constant in bytes.
const MaxSpecializationConstant = 8

// SetSpecializationConstant is clSetProgramSpecializationConstant (OpenCL API 3.0 section 5.8.3); value is nil if the caller gave
// none, or one that is too large.
func (p *Program) SetSpecializationConstant(id uint32, value []byte) Status {
	// CL_INVALID_OPERATION if no devices associated with program support intermediate language programs
	if !slices.ContainsFunc(p.devices, (*Device).acceptsIL) {
		return CL_INVALID_OPERATION
	}
	// CL_INVALID_PROGRAM if program is not a valid program object created from an intermediate language
	if p.origin != fromIL {
		return CL_INVALID_PROGRAM
	}
	// CL_INVALID_SPEC_ID if spec_id is not a valid specialization constant identifier
	size, ok := p.module.ConstantSize(id)
	if !ok {
		return CL_INVALID_SPEC_ID
	}
	// CL_INVALID_VALUE if spec_size does not match the size of the specialization constant in the module, or if spec_value is NULL
	if len(value) != size {
		return CL_INVALID_VALUE
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.constants[id] = slices.Clone(value)
	return CL_SUCCESS
}
