package cl

import (
	"runtime/debug"
	"unsafe"
)

// copyFromHost copies n bytes of the application's memory, and reports whether they were all there: a bad host_ptr is an error,
// not the end of the process.
func copyFromHost(to, host unsafe.Pointer, n uint64) (ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { ok = recover() == nil }()
	copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(host), n))
	return true
}
