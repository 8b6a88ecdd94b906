package main

// #include "icd.h"
import "C"

import (
	"slices"
	"unsafe"

	"aqueduct/cl"
)

func clSVMAlloc(ctx *cl.Context, flags uint64, size uintptr, alignment uint32) uintptr {
	return uintptr(ctx.SVMAlloc(flags, uint64(size), alignment))
}

func clSVMFree(ctx *cl.Context, p cl.Addr) { ctx.SVMFree(p) }

func clEnqueueSVMFree(q *cl.Queue, n uint32, list, fn, user cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	// CL_INVALID_VALUE if num_svm_pointers is 0 and svm_pointers is non-NULL, or if svm_pointers is NULL and num_svm_pointers is
	// not 0
	if (n == 0) != (list == 0) {
		return nil, cl.CL_INVALID_VALUE
	}
	ptrs := slices.Clone(pointers(list, n))
	if fn == 0 {
		return q.SVMFree(ptrs, nil, s)
	}
	return q.SVMFree(ptrs, func() {
		C.aq_call_free(C.uintptr_t(fn), C.uintptr_t(q.Handle()), C.uint32_t(n), unsafe.Pointer(unsafe.SliceData(ptrs)), C.uintptr_t(user))
	}, s)
}

// pointers is a list of n addresses, in place.
func pointers(list cl.Addr, n uint32) []cl.Addr {
	if list == 0 {
		return nil
	}
	return array[cl.Addr](uintptr(list), n)
}

// patternOf is the pattern of a fill, nil for NULL. Longer ones than there may be are refused without a look at them.
func patternOf(at cl.Addr, size uintptr) []byte {
	if at == 0 {
		return nil
	}
	return at.Bytes(min(size, cl.MaxPattern+1))
}

func clEnqueueSVMMemcpy(q *cl.Queue, blocking uint32, dst, src cl.Addr, size uintptr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.SVMMemcpy(blocking != 0, dst, src, uint64(size), s)
}

func clEnqueueSVMMemFill(q *cl.Queue, p, pattern cl.Addr, patternSize, size uintptr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.SVMMemFill(p, patternOf(pattern, patternSize), uint64(size), s)
}

func clEnqueueSVMMap(q *cl.Queue, blocking uint32, flags uint64, p cl.Addr, size uintptr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.SVMMap(blocking != 0, flags, p, uint64(size), s)
}

func clEnqueueSVMUnmap(q *cl.Queue, p cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.SVMUnmap(p, s)
}

func clEnqueueSVMMigrateMem(q *cl.Queue, n uint32, list, sizes cl.Addr, flags uint64, s cl.Sync) (*cl.Event, cl.Status) {
	var each []uint64
	if sizes != 0 {
		each = array[uint64](uintptr(sizes), n)
	}
	return q.SVMMigrateMem(pointers(list, n), each, flags, s)
}
