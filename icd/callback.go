package main

// #include "icd.h"
// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"aqueduct/cl"
)

// notifier is a context's pfn_notify as a Go function, nil for NULL.
func notifier(fn, user cl.Addr) func(text string) {
	if fn == 0 {
		return nil
	}
	return func(text string) {
		s := C.CString(text)
		defer C.free(unsafe.Pointer(s))
		C.aq_call_notify(C.uintptr_t(fn), s, C.uintptr_t(user))
	}
}

// objectCallback is an application's function of a handle and user data, called for o; nil for NULL.
func objectCallback(fn cl.Addr, o cl.Identified, user cl.Addr) func() {
	if fn == 0 {
		return nil
	}
	return func() { C.aq_call_object(C.uintptr_t(fn), C.uintptr_t(o.Handle()), C.uintptr_t(user)) }
}
