package llvm

import (
	"errors"
	"unsafe"
)

// Linkage of a global; the values are LLVMLinkage's.
type Linkage int32

const (
	External    Linkage = 0
	LinkOnceODR Linkage = 3
	Weak        Linkage = 5
	Appending   Linkage = 7
	Internal    Linkage = 8
	Private     Linkage = 9
)

func (v Value) Linkage() Linkage     { return Linkage(int32(call(fn.GetLinkage, uintptr(v)))) }
func (v Value) SetLinkage(l Linkage) { call(fn.SetLinkage, uintptr(v), uintptr(l)) }

// SetHidden keeps a symbol out of a shared object's interface.
func (v Value) SetHidden() { call(fn.SetVisibility, uintptr(v), 1) }
func (v Value) SetSection(s string) {
	call(fn.SetSection, uintptr(v), uintptr(unsafe.Pointer(cbytes(s))))
}
func (v Value) Section() string        { return ctext(call(fn.GetSection, uintptr(v))) }
func (v Value) SetAlign(bytes int)     { call(fn.SetAlignment, uintptr(v), uintptr(bytes)) }
func (v Value) Align() int             { return int(uint32(call(fn.GetAlignment, uintptr(v)))) }
func (v Value) SetInitializer(x Value) { call(fn.SetInitializer, uintptr(v), uintptr(x)) }
func (v Value) Initializer() Value     { return Value(call(fn.GetInitializer, uintptr(v))) }
func (v Value) SetConstant(on bool)    { call(fn.SetGlobalConstant, uintptr(v), boolean(on)) }
func (v Value) IsGlobalConst() bool    { return truth(call(fn.IsGlobalConstant, uintptr(v))) }
func (v Value) DeleteGlobal()          { call(fn.DeleteGlobal, uintptr(v)) }

// ValueType is the type of a global's contents, or of a function.
func (v Value) ValueType() Type     { return Type(call(fn.GlobalGetValueType, uintptr(v))) }
func (v Value) IsDeclaration() bool { return truth(call(fn.IsDeclaration, uintptr(v))) }
func (v Value) DeleteFunction()     { call(fn.DeleteFunction, uintptr(v)) }

// SetCallConv sets a function's calling convention (0: C); calls have their own, see SetCallSiteConv.
func (v Value) SetCallConv(cc int) { call(fn.SetFunctionCallConv, uintptr(v), uintptr(cc)) }
func (v Value) CallConv() int      { return int(uint32(call(fn.GetFunctionCallConv, uintptr(v)))) }
func (v Value) Param(i int) Value  { return Value(call(fn.GetParam, uintptr(v), uintptr(i))) }
func (v Value) NumParams() int     { return int(uint32(call(fn.CountParams, uintptr(v)))) }

// IntrinsicID of a function, 0 if it is none.
func (v Value) IntrinsicID() uint32 { return uint32(call(fn.GetIntrinsicID, uintptr(v))) }

// Entry is a function's first block, zero for a declaration.
func (v Value) Entry() Block {
	if v.IsDeclaration() {
		return 0
	}
	return Block(call(fn.GetEntryBasicBlock, uintptr(v)))
}

// Blocks lists a function's blocks in layout order.
func (v Value) Blocks() []Block {
	var r []Block
	for b := call(fn.GetFirstBasicBlock, uintptr(v)); b != 0; b = call(fn.GetNextBasicBlock, b) {
		r = append(r, Block(b))
	}
	return r
}

// VerifyFunction checks one function. For the reason of a failure verify the module.
func (v Value) VerifyFunction() error {
	if truth(call(fn.VerifyFunction, uintptr(v), 2)) {
		return errors.New("invalid function " + v.Name())
	}
	return nil
}
