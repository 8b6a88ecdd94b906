package main

import (
	_ "embed"
	"log"
	"os"
	"regexp"
)

// extensionFunctions are the functions of extensions that have no place in the dispatch table: applications ask for them by name.
var extensionFunctions = []string{
	"clGetKernelSuggestedLocalWorkSizeKHR", // cl_khr_suggested_local_work_size
	"clCreateProgramWithILKHR",             // cl_khr_il_program
	"clSetKernelArgDevicePointerEXT",       // cl_ext_buffer_device_address

	// cl_intel_unified_shared_memory
	"clHostMemAllocINTEL", "clDeviceMemAllocINTEL", "clSharedMemAllocINTEL", "clMemFreeINTEL", "clMemBlockingFreeINTEL",
	"clGetMemAllocInfoINTEL", "clSetKernelArgMemPointerINTEL", "clEnqueueMemFillINTEL", "clEnqueueMemcpyINTEL",
	"clEnqueueMigrateMemINTEL", "clEnqueueMemAdviseINTEL",

	// cl_khr_command_buffer, cl_khr_command_buffer_multi_device, cl_khr_command_buffer_mutable_dispatch
	"clCreateCommandBufferKHR", "clRetainCommandBufferKHR", "clReleaseCommandBufferKHR", "clFinalizeCommandBufferKHR",
	"clEnqueueCommandBufferKHR", "clGetCommandBufferInfoKHR", "clCommandBarrierWithWaitListKHR", "clCommandCopyBufferKHR",
	"clCommandCopyBufferRectKHR", "clCommandCopyBufferToImageKHR", "clCommandCopyImageKHR", "clCommandCopyImageToBufferKHR",
	"clCommandFillBufferKHR", "clCommandFillImageKHR", "clCommandNDRangeKernelKHR", "clCommandSVMMemcpyKHR", "clCommandSVMMemFillKHR",
	"clRemapCommandBufferKHR", "clUpdateMutableCommandsKHR", "clGetMutableCommandInfoKHR",

	// cl_khr_semaphore, cl_khr_external_semaphore, cl_khr_external_semaphore_sync_fd
	"clCreateSemaphoreWithPropertiesKHR", "clEnqueueWaitSemaphoresKHR", "clEnqueueSignalSemaphoresKHR", "clGetSemaphoreInfoKHR",
	"clRetainSemaphoreKHR", "clReleaseSemaphoreKHR", "clGetSemaphoreHandleForTypeKHR", "clReImportSemaphoreSyncFdKHR",

	// cl_khr_external_memory
	"clEnqueueAcquireExternalMemObjectsKHR", "clEnqueueReleaseExternalMemObjectsKHR",
}

// declarations are those that the installed CL/cl_ext.h may be too old for.
//
//go:embed extensions.h
var declarations string

var extensionTypedef = regexp.MustCompile(`(?s)typedef\s+(?:CL_API_ENTRY\s+)?([\w ]+?\s*\**)\s*\(\s*CL_API_CALL\s*\*\s*(\w+)_fn\)\s*\((.*?)\)\s*(?:CL_\w+\s*)*;`)

// extensions are the prototypes of extensionFunctions.
func extensions() []slot {
	header, err := os.ReadFile(include + "cl_ext.h")
	check(err)
	prototypes := map[string]slot{}
	for _, text := range []string{string(header), declarations} { // the latter count
		text = comments.ReplaceAllString(text, "")
		for _, m := range extensionTypedef.FindAllStringSubmatch(text, -1) {
			prototypes[m[2]] = slot{name: m[2], result: ctype(m[1]), params: params(m[3]), byName: true}
		}
	}
	var all []slot
	for _, name := range extensionFunctions {
		s, ok := prototypes[name]
		if !ok {
			log.Fatal("gen: no prototype of ", name)
		}
		all = append(all, s)
	}
	return all
}
