package llvm

import "unsafe"

// Context owns types, constants and metadata.
type Context uintptr

// Type is an LLVM type; equal types have equal handles.
type Type uintptr

// TypeKind tells types apart; the values are LLVMTypeKind's.
type TypeKind int32

const (
	VoidKind     TypeKind = 0
	HalfKind     TypeKind = 1
	FloatKind    TypeKind = 2
	DoubleKind   TypeKind = 3
	LabelKind    TypeKind = 7
	IntegerKind  TypeKind = 8
	FunctionKind TypeKind = 9
	StructKind   TypeKind = 10
	ArrayKind    TypeKind = 11
	PointerKind  TypeKind = 12
	VectorKind   TypeKind = 13
)

func NewContext() Context    { return Context(call(fn.ContextCreate)) }
func (c Context) Dispose()   { call(fn.ContextDispose, uintptr(c)) }
func (c Context) Void() Type { return Type(call(fn.VoidTypeInContext, uintptr(c))) }
func (c Context) I1() Type   { return Type(call(fn.Int1TypeInContext, uintptr(c))) }
func (c Context) I8() Type   { return Type(call(fn.Int8TypeInContext, uintptr(c))) }
func (c Context) I16() Type  { return Type(call(fn.Int16TypeInContext, uintptr(c))) }
func (c Context) I32() Type  { return Type(call(fn.Int32TypeInContext, uintptr(c))) }
func (c Context) I64() Type  { return Type(call(fn.Int64TypeInContext, uintptr(c))) }
func (c Context) F16() Type  { return Type(call(fn.HalfTypeInContext, uintptr(c))) }
func (c Context) F32() Type  { return Type(call(fn.FloatTypeInContext, uintptr(c))) }
func (c Context) F64() Type  { return Type(call(fn.DoubleTypeInContext, uintptr(c))) }

// DiscardNames leaves names to globals only: those of other values help people who read dumps, and cost time.
func (c Context) DiscardNames() { call(fn.ContextSetDiscardValueNames, uintptr(c), boolean(true)) }

// Int is the integer type of that many bits.
func (c Context) Int(bits int) Type {
	return Type(call(fn.IntTypeInContext, uintptr(c), uintptr(bits)))
}

// Ptr is the pointer type of an address space.
func (c Context) Ptr(space int) Type {
	return Type(call(fn.PointerTypeInContext, uintptr(c), uintptr(space)))
}

// Struct is the literal (unnamed, unpacked) structure type.
func (c Context) Struct(fields ...Type) Type {
	return Type(call(fn.StructTypeInContext, uintptr(c), uintptr(data(fields)), uintptr(len(fields)), 0))
}

// Function is a function type without variable arguments.
func Function(ret Type, params ...Type) Type {
	return Type(call(fn.FunctionType, uintptr(ret), uintptr(data(params)), uintptr(len(params)), 0))
}

// Vec is <n x t>.
func (t Type) Vec(n int) Type { return Type(call(fn.VectorType, uintptr(t), uintptr(n))) }

// Array is [n x t].
func (t Type) Array(n uint64) Type { return Type(call(fn.ArrayType2, uintptr(t), uintptr(n))) }

func (t Type) Kind() TypeKind { return TypeKind(call(fn.GetTypeKind, uintptr(t))) }

// Elem is the element type of a vector or an array.
func (t Type) Elem() Type { return Type(call(fn.GetElementType, uintptr(t))) }

// VecLen is the length of a vector type.
func (t Type) VecLen() int { return int(uint32(call(fn.GetVectorSize, uintptr(t)))) }

// ArrayLen is the length of an array type.
func (t Type) ArrayLen() uint64 { return uint64(call(fn.GetArrayLength2, uintptr(t))) }

// Bits is the width of an integer type.
func (t Type) Bits() int { return int(uint32(call(fn.GetIntTypeWidth, uintptr(t)))) }

// AddressSpace is that of a pointer type.
func (t Type) AddressSpace() int { return int(uint32(call(fn.GetPointerAddressSpace, uintptr(t)))) }

// Fields is the number of fields of a structure type, Field the type of one.
func (t Type) Fields() int      { return int(uint32(call(fn.CountStructElementTypes, uintptr(t)))) }
func (t Type) Field(i int) Type { return Type(call(fn.StructGetTypeAtIndex, uintptr(t), uintptr(i))) }

// Params are the parameter types of a function type, Result what it returns.
func (t Type) Params() []Type {
	p := make([]Type, uint32(call(fn.CountParamTypes, uintptr(t))))
	if len(p) > 0 {
		call(fn.GetParamTypes, uintptr(t), uintptr(unsafe.Pointer(&p[0])))
	}
	return p
}

// IsVariadic reports whether a function takes more arguments than its parameters.
func (t Type) IsVariadic() bool { return truth(call(fn.IsFunctionVarArg, uintptr(t))) }
func (t Type) Result() Type     { return Type(call(fn.GetReturnType, uintptr(t))) }
func (t Type) Context() Context { return Context(call(fn.GetTypeContext, uintptr(t))) }
func (t Type) String() string   { return owned(call(fn.PrintTypeToString, uintptr(t))) }

// Layout answers questions of size; it belongs to its module or target machine.
type Layout uintptr

// Size is the distance of array elements of a type in bytes (with padding), StoreSize what a store writes.
func (l Layout) Size(t Type) uint64 { return uint64(call(fn.ABISizeOfType, uintptr(l), uintptr(t))) }
func (l Layout) StoreSize(t Type) uint64 {
	return uint64(call(fn.StoreSizeOfType, uintptr(l), uintptr(t)))
}

// Align is the ABI alignment of a type in bytes.
func (l Layout) Align(t Type) int {
	return int(uint32(call(fn.ABIAlignmentOfType, uintptr(l), uintptr(t))))
}

// FieldOffset is the offset in bytes of a field of a structure type.
func (l Layout) FieldOffset(t Type, field int) uint64 {
	return uint64(call(fn.OffsetOfElement, uintptr(l), uintptr(t), uintptr(field)))
}
