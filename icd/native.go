package main

// #include "icd.h"
import "C"

import (
	"unsafe"

	"aqueduct/cl"
)

func clEnqueueNativeKernel(q *cl.Queue, f, args cl.Addr, size uintptr, n uint32, list, locations cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	// CL_INVALID_VALUE if user_func is NULL; if args is a NULL value and cb_args > 0 or num_mem_objects > 0; if args is not NULL
	// and cb_args is 0; if num_mem_objects > 0 and mem_list or args_mem_loc are NULL; if num_mem_objects = 0 and mem_list or
	// args_mem_loc are not NULL
	if f == 0 || args == 0 && (size > 0 || n > 0) || args != 0 && size == 0 || (n > 0) != (list != 0) || (n > 0) != (locations != 0) {
		return nil, cl.CL_INVALID_VALUE
	}
	call := cl.NativeKernel{Run: func(b []byte) {
		C.aq_call_native(C.uintptr_t(f), unsafe.Pointer(unsafe.SliceData(b)))
	}}
	if args != 0 {
		// The function may rely on the alignment that a C allocation has.
		call.Args = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([][2]uint64, (size+15)/16)))), size)
		copy(call.Args, args.Bytes(size))
	}
	if n > 0 {
		call.Mems = make([]*cl.Mem, n)
		call.At = make([]uint64, n)
		for i, h := range array[uintptr](uintptr(list), n) {
			call.Mems[i] = (*cl.Mem)(find(h, cl.KindMem))
			// CL_INVALID_MEM_OBJECT if one or more memory objects specified in mem_list are not valid or are not buffer objects
			if h != 0 && call.Mems[i] == nil {
				return nil, cl.CL_INVALID_MEM_OBJECT
			}
			call.At[i] = uint64(array[cl.Addr](uintptr(locations), n)[i] - args)
		}
	}
	return q.NativeKernel(call, s)
}
