package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// What package cl takes from the extension headers: just the extensions the driver knows.
var wantedExtension = regexp.MustCompile(`^CL_(PLATFORM_ICD_SUFFIX_KHR|DEVICE_[UL]UID_\w*KHR|DRIVER_UUID_KHR|[UL]UID_SIZE_KHR|` +
	`DEVICE_NODE_MASK_KHR|DEVICE_PCI_BUS_INFO_KHR|DEVICE_OPENCL_C_NUMERIC_VERSION_KHR|QUEUE_(PRIORITY|THROTTLE)_\w*KHR|DEVICE_PARTITION_\w*EXT|PROPERTIES_LIST_END_EXT|` +
	`DEVICE_SPIRV_\w*KHR|DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT|CONTEXT_MEMORY_INITIALIZE_KHR|CONTEXT_TERMINATE_KHR|DEVICE_TERMINATE_CAPABILITY_KHR|` +
	`(PLATFORM_NOT_FOUND|CONTEXT_TERMINATED|INVALID_GL_SHAREGROUP_REFERENCE|INVALID_EGL_OBJECT|EGL_RESOURCE_NOT_ACQUIRED)_KHR|` +
	`(DEVICE_\w+_MEM|UNIFIED_SHARED_MEMORY|MEM_ALLOC_(FLAGS|WRITE|INITIAL|TYPE|BASE|SIZE|DEVICE)|MEM_TYPE|KERNEL_EXEC_INFO_(INDIRECT|USM)|COMMAND_(MEM|MIGRATEMEM))\w*_INTEL|` +
	`DEVICE_SUB_GROUP_SIZES_INTEL|KERNEL_(SPILL_MEM|COMPILE_SUB_GROUP)_SIZE_INTEL|` +
	`MEM_DEVICE_(PRIVATE_)?ADDRESS_EXT|KERNEL_EXEC_INFO_DEVICE_PTRS_EXT|` +
	`INVALID_PARTITION_(COUNT|NAME)_EXT|GL_CONTEXT_KHR|EGL_DISPLAY_KHR|GLX_DISPLAY_KHR|WGL_HDC_KHR|CGL_SHAREGROUP_KHR)$`)

var (
	define = regexp.MustCompile(`(?m)^#define (CL_\w+)[ \t]+(.+?)[ \t]*(/\*.*)?$`)
	number = regexp.MustCompile(`^-?(0x[0-9A-Fa-f]+|[0-9]+)$`)
	shift  = regexp.MustCompile(`^\(\s*1\s*<<\s*([0-9]+)\s*\)$`)
)

// constants writes the OpenCL constants as untyped Go constants, and the error codes as values of type Status with their names.
func constants(root string) {
	var plain, errors, names strings.Builder
	seen := map[string]bool{}
	for _, header := range []string{"extensions.h", "cl.h", "cl_ext.h", "cl_gl.h", "cl_egl.h", "cl_d3d10.h", "cl_d3d11.h", "cl_dx9_media_sharing.h"} {
		plain.WriteByte('\n')
		text := declarations
		if header != "extensions.h" {
			b, err := os.ReadFile(include + header)
			check(err)
			text = string(b)
		}
		for _, m := range define.FindAllStringSubmatch(text, -1) {
			name, value := m[1], m[2]
			if seen[name] || strings.HasPrefix(name, "CL_VERSION_") && !strings.HasSuffix(name, "_BITS") && !strings.Contains(name, "MASK") {
				continue
			}
			isError := errorCode(header, name, value)
			if header != "extensions.h" && header != "cl.h" && !isError && !wantedExtension.MatchString(name) {
				continue
			}
			if s := shift.FindStringSubmatch(value); s != nil {
				value = "1 << " + s[1]
			} else if !number.MatchString(value) {
				continue
			}
			seen[name] = true
			if isError {
				fmt.Fprintf(&errors, "\t%s Status = %s\n", name, value)
				fmt.Fprintf(&names, "\t%s: %q,\n", name, name)
			} else {
				fmt.Fprintf(&plain, "\t%s = %s\n", name, value)
			}
		}
	}
	writeGo(root+"/cl/constants.go", "package cl\n\n// Names and values of CL/cl.h and of the extensions the driver knows.\nconst ("+plain.String()+")\n\n"+
		"// Error codes.\nconst (\n"+errors.String()+")\n\nvar statusNames = map[Status]string{\n"+names.String()+"}\n")
}

// Error codes are the negative constants, and CL_SUCCESS; build statuses are negative too.
func errorCode(header, name, value string) bool {
	if name == "CL_SUCCESS" {
		return true
	}
	if strings.HasPrefix(name, "CL_BUILD_") && name != "CL_BUILD_PROGRAM_FAILURE" || strings.HasSuffix(name, "_INTEL") {
		return false
	}
	if header == "cl_ext.h" && !wantedExtension.MatchString(name) {
		return false
	}
	return number.MatchString(value) && strings.HasPrefix(value, "-")
}
