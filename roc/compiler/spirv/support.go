package spirv

// Support is what a device accepts in a module.
type Support struct {
	Capabilities    []uint32
	Extensions      []string
	InstructionSets []string
}

// Capabilities (section 3.31).
const (
	CapabilityAddresses                      = 4
	CapabilityLinkage                        = 5
	CapabilityKernel                         = 6
	CapabilityVector16                       = 7
	CapabilityFloat16Buffer                  = 8
	CapabilityFloat16                        = 9
	CapabilityFloat64                        = 10
	CapabilityInt64                          = 11
	CapabilityInt64Atomics                   = 12
	CapabilityImageBasic                     = 13
	CapabilityImageReadWrite                 = 14
	CapabilityPipes                          = 17
	CapabilityGroups                         = 18
	CapabilityDeviceEnqueue                  = 19
	CapabilityLiteralSampler                 = 20
	CapabilityInt16                          = 22
	CapabilityGenericPointer                 = 38
	CapabilityInt8                           = 39
	CapabilitySampled1D                      = 43
	CapabilityImage1D                        = 44
	CapabilitySampledBuffer                  = 46
	CapabilityImageBuffer                    = 47
	CapabilitySubgroupDispatch               = 58
	CapabilityGroupNonUniform                = 61
	CapabilityGroupNonUniformVote            = 62
	CapabilityGroupNonUniformArithmetic      = 63
	CapabilityGroupNonUniformBallot          = 64
	CapabilityGroupNonUniformShuffle         = 65
	CapabilityGroupNonUniformShuffleRelative = 66
	CapabilityGroupNonUniformClustered       = 67
	CapabilityGroupNonUniformRotate          = 6026
	CapabilityAtomicFloat32MinMax            = 5612
	CapabilityAtomicFloat64MinMax            = 5613
	CapabilityAtomicFloat16MinMax            = 5616
	CapabilityUniformDecoration              = 71
	CapabilityShaderClock                    = 5055
	CapabilityBitInstructions                = 6025
	CapabilityDotProductInputAll             = 6016
	CapabilityDotProductInput4x8Bit          = 6017
	CapabilityDotProductInput4x8BitPacked    = 6018
	CapabilityDotProduct                     = 6019
	CapabilityAtomicFloat32Add               = 6033
	CapabilityAtomicFloat64Add               = 6034
	CapabilityAtomicFloat16Add               = 6095
	CapabilityExpectAssume                   = 5629
)

// Extensions, and sets of extended instructions.
const (
	ExtensionNoIntegerWrap     = "SPV_KHR_no_integer_wrap_decoration"
	ExtensionLinkOnceODR       = "SPV_KHR_linkonce_odr"
	ExtensionExpectAssume      = "SPV_KHR_expect_assume"
	ExtensionSubgroupRotate    = "SPV_KHR_subgroup_rotate"
	ExtensionBitInstructions   = "SPV_KHR_bit_instructions"
	ExtensionDotProduct        = "SPV_KHR_integer_dot_product"
	ExtensionShaderClock       = "SPV_KHR_shader_clock"
	ExtensionAtomicFloatAdd    = "SPV_EXT_shader_atomic_float_add"
	ExtensionAtomicFloat16Add  = "SPV_EXT_shader_atomic_float16_add"
	ExtensionAtomicFloatMinMax = "SPV_EXT_shader_atomic_float_min_max"
	SetOpenCL                  = "OpenCL.std"
)
