package cl

// SuggestedLocalWorkSize is clGetKernelSuggestedLocalWorkSizeKHR (OpenCL API 3.1 section 5.9.4): the work-group size that a launch
// of k over r on q would get if it left it open. Only the first r.Dims sizes count.
func (q *Queue) SuggestedLocalWorkSize(k *Kernel, r *Range) (local [3]uint64, st Status) {
	// CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built program executable available for the device associated
	// with command_queue
	code := k.on(q.device)
	if code == nil {
		return local, CL_INVALID_PROGRAM_EXECUTABLE
	}
	// CL_INVALID_CONTEXT if the context associated with command_queue and kernel are not the same
	if k.program.ctx != q.ctx {
		return local, CL_INVALID_CONTEXT
	}
	a := &k.args
	a.mu.Lock()
	defer a.mu.Unlock()
	// CL_INVALID_KERNEL_ARGS if any kernel arguments for kernel have not been set
	if a.unset > 0 {
		return local, CL_INVALID_KERNEL_ARGS
	}
	global, empty, st := r.global()
	if st != CL_SUCCESS {
		return local, st
	}
	// CL_INVALID_GLOBAL_WORK_SIZE if global_work_size is NULL or if any of the values specified in it are zero
	if empty {
		return local, CL_INVALID_GLOBAL_WORK_SIZE
	}
	// CL_MISALIGNED_SUB_BUFFER_OFFSET if a kernel argument for kernel is a sub-buffer object and the offset specified when the
	// sub-buffer object is created is not aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN for the device associated with command_queue
	if a.holder(k).origins%q.device.baseAlign() != 0 {
		return local, CL_MISALIGNED_SUB_BUFFER_OFFSET
	}
	if code.required[0] != 0 {
		return code.required, CL_SUCCESS
	}
	return a.suggestLocal(q.device, code, int(r.Dims), global), CL_SUCCESS
}
