package cl

import (
	"slices"
	"strings"
)

// platformExtensions are those of the platform itself; clGetPlatformInfo adds what all devices have.
var platformExtensions = []NameVersion{
	{"cl_khr_icd", Version(2, 0, 0)},
	{"cl_khr_extended_versioning", Version(1, 0, 0)},
}

// deviceExtensions are what the driver does for every device, and hostExtensions what follows from its memory being the host's.
var deviceExtensions = []NameVersion{
	{"cl_ext_buffer_device_address", Version(1, 0, 2)},
	{"cl_intel_device_partition_by_names", Version(1, 0, 0)},
	{"cl_intel_required_subgroup_size", Version(1, 0, 0)},
	{"cl_intel_subgroups", Version(1, 0, 0)},
	{"cl_intel_unified_shared_memory", Version(1, 2, 0)},
	{"cl_ext_cxx_for_opencl", Version(1, 0, 0)},
	{"cl_ext_float_atomics", Version(1, 0, 0)},
	{"cl_khr_byte_addressable_store", Version(1, 0, 0)},
	{"cl_khr_command_buffer", Version(0, 9, 8)},
	{"cl_khr_command_buffer_multi_device", Version(0, 9, 2)},
	{"cl_khr_command_buffer_mutable_dispatch", Version(0, 9, 5)},
	{"cl_khr_create_command_queue", Version(1, 0, 0)},
	{"cl_khr_device_uuid", Version(1, 0, 0)},
	{"cl_khr_expect_assume", Version(1, 0, 0)},
	{"cl_khr_extended_async_copies", Version(1, 0, 0)},
	{"cl_khr_extended_bit_ops", Version(1, 0, 0)},
	{"cl_khr_external_memory", Version(1, 0, 1)},
	{"cl_khr_external_memory_opaque_fd", Version(1, 0, 0)},
	{"cl_khr_external_semaphore", Version(1, 0, 1)},
	{"cl_khr_external_semaphore_opaque_fd", Version(1, 0, 0)},
	{"cl_khr_external_semaphore_sync_fd", Version(1, 0, 0)},
	{"cl_khr_fp16", Version(1, 0, 0)},
	{"cl_khr_fp64", Version(1, 0, 0)},
	{"cl_khr_global_int32_base_atomics", Version(1, 0, 0)},
	{"cl_khr_global_int32_extended_atomics", Version(1, 0, 0)},
	{"cl_khr_int64_base_atomics", Version(1, 0, 0)},
	{"cl_khr_int64_extended_atomics", Version(1, 0, 0)},
	{"cl_khr_integer_dot_product", Version(2, 0, 0)},
	{"cl_khr_kernel_clock", Version(1, 0, 0)},
	{"cl_khr_local_int32_base_atomics", Version(1, 0, 0)},
	{"cl_khr_local_int32_extended_atomics", Version(1, 0, 0)},
	{"cl_khr_priority_hints", Version(1, 0, 0)},
	{"cl_khr_semaphore", Version(1, 0, 0)},
	{"cl_khr_subgroup_ballot", Version(1, 0, 0)},
	{"cl_khr_subgroup_clustered_reduce", Version(1, 0, 0)},
	{"cl_khr_subgroup_extended_types", Version(1, 0, 0)},
	{"cl_khr_subgroup_non_uniform_arithmetic", Version(1, 0, 0)},
	{"cl_khr_subgroup_non_uniform_vote", Version(1, 0, 0)},
	{"cl_khr_subgroup_rotate", Version(1, 0, 0)},
	{"cl_khr_subgroup_shuffle", Version(1, 0, 0)},
	{"cl_khr_subgroup_shuffle_relative", Version(1, 0, 0)},
	{"cl_khr_subgroups", Version(1, 0, 0)},
	{"cl_khr_suggested_local_work_size", Version(1, 0, 0)},
	{"cl_khr_throttle_hints", Version(1, 0, 0)},
}

// gpuExtensions are what devices have that are GPUs.
var gpuExtensions = []NameVersion{
	{"cl_khr_byte_addressable_store", Version(1, 0, 0)},
	{"cl_khr_create_command_queue", Version(1, 0, 0)},
	{"cl_khr_device_uuid", Version(1, 0, 0)},
	{"cl_khr_fp64", Version(1, 0, 0)},
	{"cl_khr_global_int32_base_atomics", Version(1, 0, 0)},
	{"cl_khr_global_int32_extended_atomics", Version(1, 0, 0)},
	{"cl_khr_int64_base_atomics", Version(1, 0, 0)},
	{"cl_khr_int64_extended_atomics", Version(1, 0, 0)},
	{"cl_khr_local_int32_base_atomics", Version(1, 0, 0)},
	{"cl_khr_local_int32_extended_atomics", Version(1, 0, 0)},
	{"cl_khr_priority_hints", Version(1, 0, 0)},
	{"cl_khr_suggested_local_work_size", Version(1, 0, 0)},
	{"cl_khr_throttle_hints", Version(1, 0, 0)},
}

// gpuFeatures are those of OpenCL C 3.0 that GPUs have.
var gpuFeatures = []NameVersion{
	{"__opencl_c_fp64", Version(3, 0, 0)},
	{"__opencl_c_generic_address_space", Version(3, 0, 0)}, // whose atomic functions AMD's device libraries have, and no others
	{"__opencl_c_int64", Version(3, 0, 0)},
	{"__opencl_c_program_scope_global_variables", Version(3, 0, 0)},
	{"__opencl_c_subgroups", Version(3, 0, 0)},
}

// imageExtensions and imageFeatures are what devices have that have images.
var (
	imageExtensions = []NameVersion{
		{"cl_khr_3d_image_writes", Version(1, 0, 0)},
		{"cl_khr_depth_images", Version(1, 0, 0)},
		{"cl_khr_image2d_from_buffer", Version(1, 0, 0)},
		{"cl_khr_srgb_image_writes", Version(1, 0, 0)},
	}
	imageFeatures = []NameVersion{
		{"__opencl_c_3d_image_writes", Version(3, 0, 0)},
		{"__opencl_c_images", Version(3, 0, 0)},
		{"__opencl_c_read_write_images", Version(3, 0, 0)},
	}
)

// features are CL_DEVICE_OPENCL_C_FEATURES: optional parts of OpenCL C 3.0 that are whole.
var features = []NameVersion{
	{"__opencl_c_atomic_order_acq_rel", Version(3, 0, 0)},
	{"__opencl_c_atomic_order_seq_cst", Version(3, 0, 0)},
	{"__opencl_c_atomic_scope_all_devices", Version(3, 0, 0)},
	{"__opencl_c_atomic_scope_device", Version(3, 0, 0)},
	{"__opencl_c_ext_fp16_global_atomic_add", Version(1, 0, 0)},
	{"__opencl_c_ext_fp16_global_atomic_load_store", Version(1, 0, 0)},
	{"__opencl_c_ext_fp16_global_atomic_min_max", Version(1, 0, 0)},
	{"__opencl_c_ext_fp16_local_atomic_add", Version(1, 0, 0)},
	{"__opencl_c_ext_fp16_local_atomic_load_store", Version(1, 0, 0)},
	{"__opencl_c_ext_fp16_local_atomic_min_max", Version(1, 0, 0)},
	{"__opencl_c_ext_fp32_global_atomic_add", Version(1, 0, 0)},
	{"__opencl_c_ext_fp32_global_atomic_min_max", Version(1, 0, 0)},
	{"__opencl_c_ext_fp32_local_atomic_add", Version(1, 0, 0)},
	{"__opencl_c_ext_fp32_local_atomic_min_max", Version(1, 0, 0)},
	{"__opencl_c_ext_fp64_global_atomic_add", Version(1, 0, 0)},
	{"__opencl_c_ext_fp64_global_atomic_min_max", Version(1, 0, 0)},
	{"__opencl_c_ext_fp64_local_atomic_add", Version(1, 0, 0)},
	{"__opencl_c_ext_fp64_local_atomic_min_max", Version(1, 0, 0)},
	{"__opencl_c_fp64", Version(3, 0, 0)},
	{"__opencl_c_generic_address_space", Version(3, 0, 0)},
	{"__opencl_c_int64", Version(3, 0, 0)},
	{"__opencl_c_integer_dot_product_input_4x8bit", Version(2, 0, 0)},
	{"__opencl_c_integer_dot_product_input_4x8bit_packed", Version(2, 0, 0)},
	{"__opencl_c_kernel_clock_scope_device", Version(1, 0, 0)},
	{"__opencl_c_kernel_clock_scope_sub_group", Version(1, 0, 0)},
	{"__opencl_c_kernel_clock_scope_work_group", Version(1, 0, 0)},
	{"__opencl_c_pipes", Version(3, 0, 0)},
	{"__opencl_c_program_scope_global_variables", Version(3, 0, 0)},
	{"__opencl_c_subgroups", Version(3, 0, 0)},
	{"__opencl_c_work_group_collective_functions", Version(3, 0, 0)},
}

// extensions of the platform: its own and "the extensions supported by all devices associated with the platform".
func (p *Platform) extensions() []NameVersion {
	out := slices.Clone(platformExtensions)
	if len(p.devices) == 0 {
		return out
	}
	for _, e := range p.devices[0].extensions() {
		everywhere := !slices.ContainsFunc(p.devices, func(d *Device) bool { return !d.hasExtension(e.Name) })
		if everywhere && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// hasExtension reports whether the device reports an extension.
func (d *Device) hasExtension(name string) bool {
	return slices.ContainsFunc(d.extensions(), func(e NameVersion) bool { return e.Name == name })
}

// extensions of the device.
func (d *Device) extensions() []NameVersion {
	out := []NameVersion{{"cl_khr_extended_versioning", Version(1, 0, 0)}}
	if d.kind == CL_DEVICE_TYPE_GPU {
		return append(out, gpuExtensions...)
	}
	out = append(out, deviceExtensions...)
	if d.images() {
		out = append(out, imageExtensions...)
	}
	if d.acceptsIL() {
		out = append(out, ilExtensions...)
	}
	return out
}

// features of the device's OpenCL C.
func (d *Device) features() []NameVersion {
	if d.kind == CL_DEVICE_TYPE_GPU {
		return slices.Clone(gpuFeatures)
	}
	out := append([]NameVersion{}, features...)
	if d.images() {
		out = append(out, imageFeatures...)
	}
	if d.enqueues() {
		out = append(out, NameVersion{"__opencl_c_device_enqueue", Version(3, 0, 0)})
	}
	return out
}

// CompilerExtensions are the names a program for d sees defined: extensions and features.
func (d *Device) CompilerExtensions() []string {
	var out []string
	for _, v := range append(d.extensions(), d.features()...) {
		out = append(out, v.Name)
	}
	return out
}

// names is a space-separated list.
func names(vs []NameVersion) string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = v.Name
	}
	return strings.Join(out, " ")
}

// languages are CL_DEVICE_OPENCL_C_ALL_VERSIONS. What OpenCL C 3.0 leaves to the device, version 2.0 has all of: pipes, generic
// pointers, images that are read and written, kernels that enqueue kernels and more.
func (d *Device) languages() []NameVersion {
	out := []NameVersion{{"OpenCL C", Version(1, 0, 0)}, {"OpenCL C", Version(1, 1, 0)}, {"OpenCL C", Version(1, 2, 0)}}
	if d.images() && d.enqueues() {
		out = append(out, NameVersion{"OpenCL C", Version(2, 0, 0)})
	}
	return append(out, NameVersion{"OpenCL C", Version(3, 0, 0)})
}
