package cl

import (
	"aqueduct/roc"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/spirv"
)

// singleConfig, halfConfig and doubleConfig are what the compiler's code does (OpenCL API 3.0 section 4.2): all of IEEE 754.
const (
	singleConfig = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA
	halfConfig   = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA
	doubleConfig = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA
)

const (
	maxParameterSize = 4096
	atomicMemory     = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
		CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES
	atomicFence  = atomicMemory
	floatAtomics = CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT |
		CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT
	maxGlobalVar     = 64 << 10
	maxConstantSize  = 1 << 30
	maxConstantCount = 128
)

// deviceInfo answers clGetDeviceInfo, in the order of the specification's table (OpenCL API 3.0 section 4.2).
var deviceInfo = Table[*Device]{
	CL_DEVICE_TYPE:                     func(d *Device) Value { return Ulong(d.kind) },
	CL_DEVICE_VENDOR_ID:                func(d *Device) Value { return Uint(d.roc.Info().VendorID) },
	CL_DEVICE_MAX_COMPUTE_UNITS:        func(d *Device) Value { return Uint(d.roc.Info().ComputeUnits) },
	CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: func(*Device) Value { return Uint(uint32(3)) },
	CL_DEVICE_MAX_WORK_ITEM_SIZES: func(d *Device) Value {
		n := uint64(d.roc.Info().MaxWorkGroup)
		return Ulongs(n, n, n)
	},
	CL_DEVICE_MAX_WORK_GROUP_SIZE: func(d *Device) Value { return Size(d.roc.Info().MaxWorkGroup) },

	// The compiler vectorises over work-items, so kernels need no vector types to use vector registers.
	CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:   one,
	CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:  one,
	CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:    one,
	CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:   one,
	CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:  one,
	CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE: one,
	CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:   ofHost(Uint, uint32(1)), // 0: no halves
	CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:      lanes(1, true),
	CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:     lanes(2, true),
	CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:       lanes(4, true),
	CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:      lanes(8, true),
	CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:     lanes(4, false),
	CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:    lanes(8, false),
	CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: func(d *Device) Value {
		if !d.hasExtension("cl_khr_fp16") {
			return none(d)
		}
		return lanes(2, false)(d)
	},

	CL_DEVICE_MAX_CLOCK_FREQUENCY: func(d *Device) Value { return Uint(d.roc.Info().ClockMHz) },
	CL_DEVICE_ADDRESS_BITS:        func(*Device) Value { return Uint(uint32(64)) },
	CL_DEVICE_MAX_MEM_ALLOC_SIZE:  func(d *Device) Value { return Ulong(d.roc.Info().MaxAlloc) },

	// Without image support "the values returned are 0" or the minimum of nothing.
	CL_DEVICE_IMAGE_SUPPORT:                       func(d *Device) Value { return Bool(d.images()) },
	CL_DEVICE_MAX_READ_IMAGE_ARGS:                 ofImages(maxImageArgs),
	CL_DEVICE_MAX_WRITE_IMAGE_ARGS:                ofImages(maxImageArgs),
	CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:           ofImages(maxImageArgs),
	CL_DEVICE_IL_VERSION:                          func(d *Device) Value { return String(ilNames(d.ilVersions())) },
	CL_DEVICE_ILS_WITH_VERSION:                    func(d *Device) Value { return NameVersions(d.ilVersions()) },
	CL_DEVICE_SPIRV_CAPABILITIES_KHR:              ofIL(func(s *spirv.Support) Value { return Uints(s.Capabilities...) }),
	CL_DEVICE_SPIRV_EXTENSIONS_KHR:                ofIL(func(s *spirv.Support) Value { return Strings(s.Extensions) }),
	CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR: ofIL(func(s *spirv.Support) Value { return Strings(s.InstructionSets) }),
	CL_DEVICE_IMAGE2D_MAX_WIDTH:                   sizeOfImages(maxImageSize),
	CL_DEVICE_IMAGE2D_MAX_HEIGHT:                  sizeOfImages(maxImageSize),
	CL_DEVICE_IMAGE3D_MAX_WIDTH:                   sizeOfImages(maxImage3D),
	CL_DEVICE_IMAGE3D_MAX_HEIGHT:                  sizeOfImages(maxImage3D),
	CL_DEVICE_IMAGE3D_MAX_DEPTH:                   sizeOfImages(maxImage3D),
	CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:               sizeOfImages(maxImageBuffer),
	CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:                sizeOfImages(maxImageArray),
	CL_DEVICE_MAX_SAMPLERS:                        ofImages(maxSamplers),
	CL_DEVICE_IMAGE_PITCH_ALIGNMENT:               ofImages(1), // pixels
	CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:        ofImages(1), // pixels
	CL_DEVICE_MAX_PIPE_ARGS:                       ofHost(Uint, uint32(maxPipeArgs)),
	CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:        ofHost(Uint, uint32(maxPipeReservations)),
	CL_DEVICE_PIPE_MAX_PACKET_SIZE:                ofHost(Uint, uint32(maxPacketSize)),
	CL_DEVICE_MAX_PARAMETER_SIZE:                  func(*Device) Value { return Size(maxParameterSize) },
	CL_DEVICE_MEM_BASE_ADDR_ALIGN:                 func(d *Device) Value { return Uint(uint32(8 * d.baseAlign())) },
	CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:            func(d *Device) Value { return Uint(uint32(d.baseAlign())) },
	CL_DEVICE_SINGLE_FP_CONFIG: func(d *Device) Value {
		if d.kind == CL_DEVICE_TYPE_CPU { // divides and takes roots in one instruction
			return Ulong(uint64(singleConfig | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
		}
		return Ulong(uint64(singleConfig))
	},
	CL_DEVICE_HALF_FP_CONFIG:                       ofHost(Ulong, uint64(halfConfig)), // 0: no halves
	CL_DEVICE_DOUBLE_FP_CONFIG:                     func(*Device) Value { return Ulong(uint64(doubleConfig)) },
	CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:                func(*Device) Value { return Uint(uint32(CL_READ_WRITE_CACHE)) },
	CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:            func(d *Device) Value { return Uint(d.roc.Info().CacheLine) },
	CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:                func(d *Device) Value { return Ulong(d.roc.Info().CacheSize) },
	CL_DEVICE_GLOBAL_MEM_SIZE:                      func(d *Device) Value { return Ulong(d.roc.Info().GlobalMemory) },
	CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:             func(d *Device) Value { return Ulong(min(d.roc.Info().MaxAlloc, maxConstantSize)) },
	CL_DEVICE_MAX_CONSTANT_ARGS:                    func(*Device) Value { return Uint(uint32(maxConstantCount)) },
	CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:             func(*Device) Value { return Size(uint64(maxGlobalVar)) },
	CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE: func(*Device) Value { return Size(uint64(maxGlobalVar)) },
	CL_DEVICE_LOCAL_MEM_TYPE: func(d *Device) Value {
		if d.kind == CL_DEVICE_TYPE_CPU {
			return Uint(uint32(CL_GLOBAL))
		}
		return Uint(uint32(CL_LOCAL))
	},
	CL_DEVICE_LOCAL_MEM_SIZE:             func(d *Device) Value { return Ulong(uint64(d.roc.Info().LocalMemory)) },
	CL_DEVICE_ERROR_CORRECTION_SUPPORT:   no,
	CL_DEVICE_HOST_UNIFIED_MEMORY:        func(d *Device) Value { return Bool(d.roc.Info().CPU) },
	CL_DEVICE_PROFILING_TIMER_RESOLUTION: func(*Device) Value { return Size(1) },
	CL_DEVICE_ENDIAN_LITTLE:              yes,
	CL_DEVICE_AVAILABLE:                  yes,
	CL_DEVICE_COMPILER_AVAILABLE: func(*Device) Value {
		sources, _ := theBuilder.Available()
		return Bool(sources)
	},
	CL_DEVICE_LINKER_AVAILABLE: func(*Device) Value {
		_, links := theBuilder.Available()
		return Bool(links)
	},
	CL_DEVICE_EXECUTION_CAPABILITIES: func(d *Device) Value {
		if d.kind == CL_DEVICE_TYPE_CPU {
			return Ulong(uint64(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL))
		}
		return Ulong(uint64(CL_EXEC_KERNEL))
	},
	CL_DEVICE_QUEUE_ON_HOST_PROPERTIES: func(*Device) Value {
		return Ulong(uint64(hostQueueProperties))
	},
	CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:     ofEnqueue(Ulong, uint64(deviceQueueProperties)),
	CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE: ofEnqueue(Uint, uint32(deviceQueuePreferred)),
	CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:       ofEnqueue(Uint, uint32(deviceQueueMost)),
	CL_DEVICE_MAX_ON_DEVICE_QUEUES:           ofEnqueue(Uint, uint32(maxDeviceQueues)),
	CL_DEVICE_MAX_ON_DEVICE_EVENTS:           ofEnqueue(Uint, uint32(roc.MaxDeviceEvents)),
	CL_DEVICE_BUILT_IN_KERNELS:               empty,
	CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:  nothing,
	CL_DEVICE_PLATFORM:                       func(d *Device) Value { return HandleOf(d.platform) },
	CL_DEVICE_NAME:                           func(d *Device) Value { return String(d.roc.Info().Name) },
	CL_DEVICE_VENDOR:                         func(d *Device) Value { return String(d.roc.Info().Vendor) },
	CL_DRIVER_VERSION:                        func(*Device) Value { return String(DriverVersion) },
	CL_DEVICE_PROFILE:                        func(*Device) Value { return String(platformProfile) },
	CL_DEVICE_VERSION:                        func(*Device) Value { return String(platformVersion) },
	CL_DEVICE_NUMERIC_VERSION:                func(*Device) Value { return Uint(uint32(numericVersion)) },
	// "OpenCL C 1.2 [...] is the highest fully backwards compatible OpenCL C version" that this old query can name.
	CL_DEVICE_OPENCL_C_VERSION:                   func(*Device) Value { return String("OpenCL C 1.2 Aqueduct") },
	CL_DEVICE_OPENCL_C_ALL_VERSIONS:              func(d *Device) Value { return NameVersions(d.languages()) },
	CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT: func(*Device) Value { return Uint(Version(1, 0, 0)) },
	CL_DEVICE_OPENCL_C_FEATURES:                  func(d *Device) Value { return NameVersions(d.features()) },
	CL_DEVICE_EXTENSIONS:                         func(d *Device) Value { return String(names(d.extensions())) },
	CL_DEVICE_EXTENSIONS_WITH_VERSION:            func(d *Device) Value { return NameVersions(d.extensions()) },
	CL_DEVICE_PRINTF_BUFFER_SIZE:                 func(*Device) Value { return Size(uint64(codeobject.PrintBufferSize)) },
	CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:        yes,
	CL_DEVICE_PARENT_DEVICE: func(d *Device) Value {
		if d.parent == nil {
			return NoHandle()
		}
		return HandleOf(d.parent)
	},
	CL_DEVICE_PARTITION_MAX_SUB_DEVICES: func(d *Device) Value { return Uint(d.maxSubDevices()) },
	CL_DEVICE_PARTITION_PROPERTIES:      func(d *Device) Value { return Ulongs(d.partitionProperties()...) },
	CL_DEVICE_PARTITION_AFFINITY_DOMAIN: func(d *Device) Value { return Ulong(d.affinityDomains()) },
	// "an implementation may either return a param_value_size_ret of 0 [...] or can return a property value of 0"
	CL_DEVICE_PARTITION_TYPE: func(d *Device) Value {
		if d.parent == nil {
			return Ulong(uint64(0))
		}
		return Ulongs(d.scheme...)
	},
	CL_DEVICE_REFERENCE_COUNT:                        func(d *Device) Value { return Uint(d.References()) },
	CL_DEVICE_SVM_CAPABILITIES:                       func(d *Device) Value { return Ulong(d.svm()) },
	CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:    none,
	CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:      none,
	CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:       none,
	CL_DEVICE_MAX_NUM_SUB_GROUPS:                     func(d *Device) Value { return Uint(uint32(d.subGroups(uint64(d.roc.Info().MaxWorkGroup)))) },
	CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: onHost,
	CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: func(d *Device) Value {
		if d.kind == CL_DEVICE_TYPE_GPU {
			return Ulong(uint64(CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP))
		}
		return Ulong(uint64(atomicMemory &^ CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM))
	},
	CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: func(d *Device) Value {
		if d.kind == CL_DEVICE_TYPE_GPU {
			return Ulong(uint64(CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP))
		}
		return Ulong(uint64(atomicFence))
	},
	CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:          yes,
	CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: onHost,
	CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:           yes,
	CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:             ofEnqueue(Ulong, uint64(CL_DEVICE_QUEUE_SUPPORTED|CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT)),
	CL_DEVICE_PIPE_SUPPORT:                            onHost,
	CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:      func(d *Device) Value { return Size(d.roc.Info().WaveSize) },
	// No suite has been passed "in accordance with the official conformance process"; this says so in the form that is asked for.
	CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED: func(*Device) Value { return String("v0000-01-01-00") },

	// cl_khr_extended_versioning; its other parameters are those of OpenCL 3.0
	CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR: func(*Device) Value { return Uint(Version(1, 2, 0)) },

	// cl_intel_unified_shared_memory
	CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:                 usmOf,
	CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:               usmOf,
	CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: usmOf,
	CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:  usmOf,
	CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:        usmOf,

	// cl_intel_required_subgroup_size
	CL_DEVICE_SUB_GROUP_SIZES_INTEL: func(d *Device) Value { return Ulongs(d.subGroupSize()) },

	// cl_khr_external_memory
	CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:                      func(*Device) Value { return Uints(externalMemory...) },
	CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR: func(*Device) Value { return Uints(externalMemory...) },

	// cl_khr_semaphore, cl_khr_external_semaphore
	CL_DEVICE_SEMAPHORE_TYPES_KHR:               binarySemaphores[*Device],
	CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR: func(*Device) Value { return Uints(semaphoreImports...) },
	CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: func(*Device) Value { return Uints(semaphoreExports...) },

	// cl_khr_command_buffer and what builds on it
	CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR:               func(*Device) Value { return Ulong(uint64(commandBufferCapabilities)) },
	CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR:  noBits,
	CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR: func(*Device) Value { return Ulong(uint64(hostQueueProperties)) },
	CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR:           one,
	CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR:               func(d *Device) Value { return HandleOf(d.root()) },
	CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR:             func(*Device) Value { return Ulong(uint64(mutableFields)) },

	// cl_khr_integer_dot_product: of no combination is it known that the compiler finds an instruction for it.
	CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR: func(*Device) Value {
		return Ulong(uint64(CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR))
	},
	CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:          noAcceleration,
	CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR: noAcceleration,

	// cl_khr_kernel_clock
	CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR: func(*Device) Value {
		return Ulong(uint64(CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR | CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR |
			CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR))
	},

	// cl_ext_float_atomics
	CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT: func(*Device) Value { return Ulong(uint64(floatAtomics)) },
	CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT: func(*Device) Value { return Ulong(uint64(floatAtomics)) },
	CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT:   func(*Device) Value { return Ulong(uint64(floatAtomics)) },

	// cl_khr_device_uuid
	CL_DEVICE_UUID_KHR:       func(d *Device) Value { id := d.roc.Info().UUID; return Bytes(id[:]) },
	CL_DRIVER_UUID_KHR:       func(*Device) Value { return Bytes(driverUUID[:]) },
	CL_DEVICE_LUID_VALID_KHR: no,
	CL_DEVICE_LUID_KHR:       func(*Device) Value { return Bytes(make([]byte, CL_LUID_SIZE_KHR)) },
	CL_DEVICE_NODE_MASK_KHR:  none,
}

// binarySemaphores is what semaphores devices, and so the platform, have.
func binarySemaphores[T any](T) Value { return Uints(CL_SEMAPHORE_TYPE_BINARY_KHR) }

func yes(*Device) Value     { return Bool(true) }
func no(*Device) Value      { return Bool(false) }
func none(*Device) Value    { return Uint(uint32(0)) }
func one(*Device) Value     { return Uint(uint32(1)) }
func noBits(*Device) Value  { return Ulong(uint64(0)) }
func usmOf(d *Device) Value { return Ulong(d.usm()) }
func empty(*Device) Value   { return String("") }
func nothing(*Device) Value { return Bytes(nil) }

// onHost is yes for devices that are CPUs.
func onHost(d *Device) Value { return Bool(d.kind == CL_DEVICE_TYPE_CPU) }

// ofHost is what only devices have that are CPUs, else 0.
func ofHost[T any](value func(T) Value, v T) func(*Device) Value {
	return func(d *Device) Value {
		if d.kind != CL_DEVICE_TYPE_CPU {
			var zero T
			return value(zero)
		}
		return value(v)
	}
}

// extensionInfo are the queries that an extension adds, for devices that have it.
var extensionInfo = map[uint32]string{
	CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:                 "cl_intel_unified_shared_memory",
	CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:               "cl_intel_unified_shared_memory",
	CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: "cl_intel_unified_shared_memory",
	CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:  "cl_intel_unified_shared_memory",
	CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:        "cl_intel_unified_shared_memory",

	CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:                      "cl_khr_external_memory",
	CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR: "cl_khr_external_memory",

	CL_DEVICE_SEMAPHORE_TYPES_KHR:               "cl_khr_semaphore",
	CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR: "cl_khr_external_semaphore",
	CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: "cl_khr_external_semaphore",

	CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR:               "cl_khr_command_buffer",
	CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR:  "cl_khr_command_buffer",
	CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR: "cl_khr_command_buffer",
	CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR:           "cl_khr_command_buffer_multi_device",
	CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR:               "cl_khr_command_buffer_multi_device",
	CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR:             "cl_khr_command_buffer_mutable_dispatch",

	CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:                          "cl_khr_integer_dot_product",
	CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:          "cl_khr_integer_dot_product",
	CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR: "cl_khr_integer_dot_product",

	CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR:     "cl_khr_kernel_clock",
	CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT: "cl_ext_float_atomics",
	CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT: "cl_ext_float_atomics",
	CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT:   "cl_ext_float_atomics",

	CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT:  "cl_ext_cxx_for_opencl",
	CL_DEVICE_SPIRV_CAPABILITIES_KHR:              "cl_khr_spirv_queries",
	CL_DEVICE_SPIRV_EXTENSIONS_KHR:                "cl_khr_spirv_queries",
	CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR: "cl_khr_spirv_queries",
}

// ofEnqueue is what only devices have whose kernels enqueue kernels, else 0.
func ofEnqueue[T any](value func(T) Value, v T) func(*Device) Value {
	return func(d *Device) Value {
		if !d.enqueues() {
			var zero T
			return value(zero)
		}
		return value(v)
	}
}

// noAcceleration is a cl_device_integer_dot_product_acceleration_properties_khr of CL_FALSE only.
func noAcceleration(*Device) Value { return Uints(0, 0, 0, 0, 0, 0) }

// ofImages and sizeOfImages are limits of images, 0 on a device without.
func ofImages(n uint32) func(*Device) Value {
	return func(d *Device) Value {
		if !d.images() {
			return Uint(uint32(0))
		}
		return Uint(n)
	}
}

func sizeOfImages(n uint64) func(*Device) Value {
	return func(d *Device) Value {
		if !d.images() {
			return Size(uint64(0))
		}
		return Size(n)
	}
}

// ofIL is a query of cl_khr_spirv_queries; on a device without SPIR-V there is nothing in the lists.
func ofIL(get func(*spirv.Support) Value) func(*Device) Value {
	return func(d *Device) Value { return get(d.spirvSupport()) }
}

// lanes is how many elements of size bytes a vector register holds.
func lanes(size int, integer bool) func(*Device) Value {
	return func(d *Device) Value { return Uint(uint32(max(d.vectorBytes(integer)/size, 1))) }
}
