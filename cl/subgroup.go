package cl

import (
	"slices"

	"aqueduct/roc/compiler/codeobject"
)

// subGroupSize is how many work-items a sub-group has, less the last of a work-group.
func (d *Device) subGroupSize() uint64 {
	if d.kind == CL_DEVICE_TYPE_CPU {
		return codeobject.SubGroupSize
	}
	return uint64(max(d.roc.Info().WaveSize, 1))
}

// subGroups is how many sub-groups items work-items make.
func (d *Device) subGroups(items uint64) uint64 {
	size := d.subGroupSize()
	return (items + size - 1) / size
}

// SubGroupInfo answers clGetKernelSubGroupInfo (OpenCL API 3.0 section 5.9.4). in is the array of size_t at input_value.
func (k *Kernel) SubGroupInfo(d *Device, param uint32, in []uint64, out Out) Status {
	code, st := k.queried(d)
	if st != CL_SUCCESS {
		return st
	}
	if d == nil {
		d = k.program.devices[0]
	}
	// CL_INVALID_OPERATION if device does not support sub-groups
	if !slices.Contains(d.CompilerExtensions(), "__opencl_c_subgroups") {
		return CL_INVALID_OPERATION
	}
	switch param {
	case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
		items, ok := product(in)
		if !ok {
			return CL_INVALID_VALUE
		}
		if param == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE {
			return out.Put(Size(d.subGroupSize()))
		}
		return out.Put(Size(d.subGroups(items)))
	case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
		dims := out.Size / 8
		// CL_INVALID_VALUE if the size in bytes specified by input_value_size is not valid; the answer has one to three dimensions
		if len(in) != 1 || out.Value != 0 && (dims == 0 || dims > maxDims || out.Size%8 != 0) {
			return CL_INVALID_VALUE
		}
		count := min(in[0], code.maxLocal+1) // more is too many, and must not overflow
		return out.Put(Ulongs(localFor(code, count*d.subGroupSize(), int(dims))...))
	case CL_KERNEL_MAX_NUM_SUB_GROUPS:
		return out.Put(Size(d.subGroups(code.maxLocal)))
	case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
		// "If no number of sub-groups is specified in the kernel, 0 is returned": OpenCL C cannot specify one.
		return out.Put(Size(0))
	case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
		return out.Put(Size(code.kernel.Info.ReqdSubGroupSize))
	}
	return CL_INVALID_VALUE
}

// product multiplies the sizes of one to three dimensions.
func product(sizes []uint64) (n uint64, ok bool) {
	n = 1
	for _, s := range sizes {
		n *= s
	}
	return n, len(sizes) > 0 && len(sizes) <= maxDims
}

// localFor is a work-group size of exactly so many work-items in one dimension, zeros if the kernel allows none: "Other
// dimensions inferred from the value specified for param_value_size will be filled with the value 1."
func localFor(code *kernelCode, items uint64, dims int) []uint64 {
	local := make([]uint64, max(dims, 1))
	r := code.required
	if items == 0 || items > code.maxLocal || r[0] != 0 && (r[0] != items || r[1] > 1 || r[2] > 1) {
		return local
	}
	for i := range local {
		local[i] = 1
	}
	local[0] = items
	return local
}
