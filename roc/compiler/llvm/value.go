package llvm

import (
	"math"
	"unsafe"
)

// Value is anything that has a type: constants, arguments, globals, functions, instructions.
type Value uintptr

func (v Value) Type() Type     { return Type(call(fn.TypeOf, uintptr(v))) }
func (v Value) String() string { return owned(call(fn.PrintValueToString, uintptr(v))) }

func (v Value) Name() string {
	var n uint64
	p := call(fn.GetValueName2, uintptr(v), uintptr(unsafe.Pointer(&n)))
	return text(p, n)
}
func (v Value) SetName(name string) {
	call(fn.SetValueName2, uintptr(v), uintptr(unsafe.Pointer(cbytes(name))), uintptr(len(name)))
}

// ReplaceUses makes every user of v use w. The types must be equal; LLVM does not check.
func (v Value) ReplaceUses(w Value) { call(fn.ReplaceAllUsesWith, uintptr(v), uintptr(w)) }

// Users lists who uses v, once a use.
func (v Value) Users() []Value {
	var r []Value
	for u := call(fn.GetFirstUse, uintptr(v)); u != 0; u = call(fn.GetNextUse, u) {
		r = append(r, Value(call(fn.GetUser, u)))
	}
	return r
}
func (v Value) HasUses() bool { return call(fn.GetFirstUse, uintptr(v)) != 0 }

func (v Value) IsConstant() bool     { return truth(call(fn.IsConstant, uintptr(v))) }
func (v Value) IsUndef() bool        { return truth(call(fn.IsUndef, uintptr(v))) } // undef or poison
func (v Value) IsPoison() bool       { return truth(call(fn.IsPoison, uintptr(v))) }
func (v Value) IsNull() bool         { return truth(call(fn.IsNull, uintptr(v))) }
func (v Value) IsInstruction() bool  { return call(fn.IsAInstruction, uintptr(v)) != 0 }
func (v Value) IsConstantInt() bool  { return call(fn.IsAConstantInt, uintptr(v)) != 0 }
func (v Value) IsConstantFP() bool   { return call(fn.IsAConstantFP, uintptr(v)) != 0 }
func (v Value) IsConstantExpr() bool { return call(fn.IsAConstantExpr, uintptr(v)) != 0 }
func (v Value) IsArgument() bool     { return call(fn.IsAArgument, uintptr(v)) != 0 }
func (v Value) IsFunction() bool     { return call(fn.IsAFunction, uintptr(v)) != 0 }
func (v Value) IsGlobal() bool       { return call(fn.IsAGlobalVariable, uintptr(v)) != 0 }

// ConstOpcode is the operation of a constant expression.
func (v Value) ConstOpcode() Opcode { return Opcode(int32(call(fn.GetConstOpcode, uintptr(v)))) }

// Element is an element of a constant aggregate or vector, zero where there is none.
func (v Value) Element(i int) Value {
	return Value(call(fn.GetAggregateElement, uintptr(v), uintptr(i)))
}

// Int and Uint read a ConstantInt of at most 64 bits.
func (v Value) Int() int64   { return int64(call(fn.ConstIntGetSExtValue, uintptr(v))) }
func (v Value) Uint() uint64 { return uint64(call(fn.ConstIntGetZExtValue, uintptr(v))) }

// ConstInt is an integer constant; bits above the type's width are ignored.
func (t Type) ConstInt(v int64) Value { return Value(call(fn.ConstInt, uintptr(t), uintptr(v), 1)) }

// ConstFloat is a constant of type half, float or double. Half must be exact in float32.
func (t Type) ConstFloat(v float64) Value {
	c := t.Context()
	switch t.Kind() {
	case FloatKind:
		return Value(call(fn.ConstBitCast, uintptr(c.I32().ConstInt(int64(math.Float32bits(float32(v))))), uintptr(t)))
	case HalfKind:
		return Value(call(fn.ConstBitCast, uintptr(c.I16().ConstInt(int64(halfBits(float32(v))))), uintptr(t)))
	}
	return Value(call(fn.ConstBitCast, uintptr(c.I64().ConstInt(int64(math.Float64bits(v)))), uintptr(t)))
}

// halfBits encodes a float that half can hold as a normal number; what is below becomes zero, what is above infinity.
func halfBits(f float32) uint16 {
	b := math.Float32bits(f)
	sign, exp := uint16(b>>16)&0x8000, int(b>>23&0xff)-127+15
	switch {
	case exp <= 0:
		return sign
	case exp >= 31:
		return sign | 0x7c00
	}
	return sign | uint16(exp)<<10 | uint16(b>>13)&0x3ff
}

func (t Type) Null() Value    { return Value(call(fn.ConstNull, uintptr(t))) }
func (t Type) AllOnes() Value { return Value(call(fn.ConstAllOnes, uintptr(t))) }
func (t Type) Undef() Value   { return Value(call(fn.GetUndef, uintptr(t))) }
func (t Type) Poison() Value  { return Value(call(fn.GetPoison, uintptr(t))) }

// ConstVector is a vector of constants, at least one.
func ConstVector(v []Value) Value {
	return Value(call(fn.ConstVector, uintptr(data(v)), uintptr(len(v))))
}

// ConstArray is an array of constants of an element type.
func ConstArray(elem Type, v []Value) Value {
	return Value(call(fn.ConstArray2, uintptr(elem), uintptr(data(v)), uintptr(len(v))))
}

// ConstStruct is an unpacked, unnamed structure of constants.
func (c Context) ConstStruct(v []Value) Value {
	return Value(call(fn.ConstStructInContext, uintptr(c), uintptr(data(v)), uintptr(len(v)), 0))
}

// ConstBytes is an i8 array.
func (c Context) ConstBytes(b []byte) Value {
	return Value(call(fn.ConstStringInContext2, uintptr(c), uintptr(data(b)), uintptr(len(b)), 1))
}

// ConstBitCast reinterprets a constant.
func ConstBitCast(v Value, t Type) Value { return Value(call(fn.ConstBitCast, uintptr(v), uintptr(t))) }
