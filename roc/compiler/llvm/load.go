// Package llvm is a thin binding of LLVM 19's C API, opened at run time without cgo.
//
// Handles are integers typed by what they name (Context, Module, Type, Value ...); zero is "none". Methods do what the C
// function of the same name does and no more, so LLVM's own preconditions hold: a wrong opcode or type is undefined
// behaviour, not an error. Load must have succeeded before anything else is called.
//
// A Context and all that belongs to it may be used by one goroutine at a time; different contexts in parallel.
package llvm

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// libraries are the names LLVM 19 goes by, the most specific first.
var libraries = []string{"libLLVM.so.19.1", "libLLVM-19.so", "libLLVM-19.so.1"}

// Load opens LLVM and resolves every function of the binding, once; later calls return the first outcome. It takes some
// 30 ms. The error names the library or the symbol that is missing.
var Load = sync.OnceValue(load)

func load() error {
	var lib uintptr
	var errs []error
	for _, name := range libraries {
		h, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err == nil {
			lib, errs = h, nil
			break
		}
		errs = append(errs, err)
	}
	if lib == 0 {
		return fmt.Errorf("LLVM 19 cannot be opened: %w", errors.Join(errs...))
	}
	table := reflect.ValueOf(&fn).Elem()
	for i := range table.NumField() {
		name := "LLVM" + table.Type().Field(i).Name
		addr, err := purego.Dlsym(lib, name)
		if err != nil {
			return fmt.Errorf("LLVM has no %s: %w", name, err)
		}
		table.Field(i).SetUint(uint64(addr))
	}
	return initTarget()
}

// call is a C call with integer and pointer arguments. Narrower integers are passed in full registers, as the ABI allows.
//
//go:uintptrescapes
func call(f uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(f, args...)
	return r
}

// truth decodes an LLVMBool, whose upper half is undefined.
func truth(r uintptr) bool { return int32(r) != 0 }

func boolean(b bool) uintptr {
	if b {
		return 1
	}
	return 0
}

// cbytes returns the bytes of s with the final NUL that C wants.
func cbytes(s string) *byte {
	if s == "" {
		return &empty[0]
	}
	b := make([]byte, len(s)+1)
	copy(b, s)
	return &b[0]
}

var empty [1]byte

// data is the address of a slice's first element, nil for an empty one.
func data[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// text copies n bytes of C memory.
func text(p uintptr, n uint64) string {
	if p == 0 || n == 0 {
		return ""
	}
	return string(unsafe.Slice((*byte)(foreign(p)), n))
}

// ctext copies a NUL-terminated string that LLVM keeps.
func ctext(p uintptr) string {
	if p == 0 {
		return ""
	}
	n := uint64(0)
	for *(*byte)(unsafe.Add(foreign(p), n)) != 0 {
		n++
	}
	return text(p, n)
}

// owned copies a string that LLVM hands over, and frees it.
func owned(p uintptr) string {
	s := ctext(p)
	if p != 0 {
		call(fn.DisposeMessage, p)
	}
	return s
}

// failure turns an LLVMErrorRef into an error and frees it.
func failure(e uintptr) error {
	if e == 0 {
		return nil
	}
	m := call(fn.GetErrorMessage, e) // consumes e
	s := ctext(m)
	call(fn.DisposeErrorMessage, m)
	return errors.New(s)
}

// foreign makes a pointer of an address in C memory, which Go neither moves nor frees.
func foreign(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }
