package llvm

import (
	"errors"
	"unsafe"
)

// Module is a translation unit in a context.
type Module uintptr

// NewModule makes an empty module.
func (c Context) NewModule(name string) Module {
	return Module(call(fn.ModuleCreateWithNameInContext, uintptr(unsafe.Pointer(cbytes(name))), uintptr(c)))
}

var errBitcode = errors.New("bitcode cannot be read")

// ParseBitcode reads a module whole. The bytes are not kept.
func (c Context) ParseBitcode(code []byte) (Module, error) {
	if len(code) == 0 {
		return 0, errBitcode
	}
	buf := newBuffer(code)
	defer buf.Dispose()
	var m Module
	if truth(call(fn.ParseBitcodeInContext2, uintptr(c), uintptr(buf), uintptr(unsafe.Pointer(&m)))) {
		return 0, errBitcode
	}
	return m, nil
}

// ParseBitcodeLazily reads a module's symbols; function bodies follow when something needs them. With linkonce functions,
// Link then reads only what is called.
func (c Context) ParseBitcodeLazily(code []byte) (Module, error) {
	if len(code) == 0 {
		return 0, errBitcode
	}
	var m Module
	buf := newBuffer(code) // the module owns it, also on failure
	if truth(call(fn.GetBitcodeModuleInContext2, uintptr(c), uintptr(buf), uintptr(unsafe.Pointer(&m)))) {
		return 0, errBitcode
	}
	return m, nil
}

// ParseIR reads LLVM's textual form.
func (c Context) ParseIR(ir string) (Module, error) {
	if truth(call(fn.ContextShouldDiscardValueNames, uintptr(c))) { // text needs names
		call(fn.ContextSetDiscardValueNames, uintptr(c), boolean(false))
		defer c.DiscardNames()
	}
	buf := newBuffer(append([]byte(ir), 0)[:len(ir)]) // the call owns the buffer
	var m Module
	var msg uintptr
	if truth(call(fn.ParseIRInContext, uintptr(c), uintptr(buf), uintptr(unsafe.Pointer(&m)), uintptr(unsafe.Pointer(&msg)))) {
		return 0, errors.New(owned(msg))
	}
	return m, nil
}

// Link moves the contents of src into m and destroys src. Diagnostics go to the context's handler.
func (m Module) Link(src Module) error {
	if truth(call(fn.LinkModules2, uintptr(m), uintptr(src))) {
		return errors.New("modules cannot be linked")
	}
	return nil
}

func (m Module) Dispose()         { call(fn.DisposeModule, uintptr(m)) }
func (m Module) Clone() Module    { return Module(call(fn.CloneModule, uintptr(m))) }
func (m Module) Context() Context { return Context(call(fn.GetModuleContext, uintptr(m))) }
func (m Module) Layout() Layout   { return Layout(call(fn.GetModuleDataLayout, uintptr(m))) }
func (m Module) String() string   { return owned(call(fn.PrintModuleToString, uintptr(m))) }

// StripDebug removes debug information; it says whether there was some.
func (m Module) StripDebug() bool { return truth(call(fn.StripModuleDebugInfo, uintptr(m))) }

// Bitcode is the module's binary form.
func (m Module) Bitcode() []byte {
	buf := buffer(call(fn.WriteBitcodeToMemoryBuffer, uintptr(m)))
	defer buf.Dispose()
	return buf.Bytes()
}

func (m Module) Triple() string { return ctext(call(fn.GetTarget, uintptr(m))) }
func (m Module) SetTriple(triple string) {
	call(fn.SetTarget, uintptr(m), uintptr(unsafe.Pointer(cbytes(triple))))
}
func (m Module) SetLayout(layout string) {
	call(fn.SetDataLayout, uintptr(m), uintptr(unsafe.Pointer(cbytes(layout))))
}

// Verify checks the whole module; the error is LLVM's account of what is wrong.
func (m Module) Verify() error {
	var msg uintptr
	bad := truth(call(fn.VerifyModule, uintptr(m), 2, uintptr(unsafe.Pointer(&msg)))) // 2: return the status
	if s := owned(msg); bad {
		return errors.New(s)
	}
	return nil
}

// Function finds a function by name, zero if there is none.
func (m Module) Function(name string) Value {
	return Value(call(fn.GetNamedFunction, uintptr(m), uintptr(unsafe.Pointer(cbytes(name)))))
}

// Functions lists all functions, declarations too.
func (m Module) Functions() []Value {
	var r []Value
	for f := call(fn.GetFirstFunction, uintptr(m)); f != 0; f = call(fn.GetNextFunction, f) {
		r = append(r, Value(f))
	}
	return r
}

// AddFunction declares a function; the name gets a suffix if it is taken.
func (m Module) AddFunction(name string, t Type) Value {
	return Value(call(fn.AddFunction, uintptr(m), uintptr(unsafe.Pointer(cbytes(name))), uintptr(t)))
}

// Global finds a global variable by name, zero if there is none.
func (m Module) Global(name string) Value {
	return Value(call(fn.GetNamedGlobal, uintptr(m), uintptr(unsafe.Pointer(cbytes(name)))))
}

// Globals lists all global variables.
func (m Module) Globals() []Value {
	var r []Value
	for g := call(fn.GetFirstGlobal, uintptr(m)); g != 0; g = call(fn.GetNextGlobal, g) {
		r = append(r, Value(g))
	}
	return r
}

// AddGlobal declares a global variable in an address space.
func (m Module) AddGlobal(name string, t Type, space int) Value {
	return Value(call(fn.AddGlobalInAddressSpace, uintptr(m), uintptr(t), uintptr(unsafe.Pointer(cbytes(name))), uintptr(space)))
}

// Intrinsic is the declaration of an intrinsic, such as "llvm.fma", for the types it is overloaded on. Zero: unknown name.
func (m Module) Intrinsic(name string, overload ...Type) Value {
	id := uint32(call(fn.LookupIntrinsicID, uintptr(unsafe.Pointer(cbytes(name))), uintptr(len(name))))
	if id == 0 {
		return 0
	}
	return Value(call(fn.GetIntrinsicDeclaration, uintptr(m), uintptr(id), uintptr(data(overload)), uintptr(len(overload))))
}

// buffer is an LLVMMemoryBufferRef.
type buffer uintptr

func newBuffer(code []byte) buffer {
	return buffer(call(fn.CreateMemoryBufferWithMemoryRangeCopy, uintptr(data(code)), uintptr(len(code)), uintptr(unsafe.Pointer(&empty[0]))))
}

func (b buffer) Dispose() { call(fn.DisposeMemoryBuffer, uintptr(b)) }

// Bytes copies the contents.
func (b buffer) Bytes() []byte {
	n := uint64(call(fn.GetBufferSize, uintptr(b)))
	return []byte(text(call(fn.GetBufferStart, uintptr(b)), n))
}
