package llvm

import "unsafe"

// Attribute of a function, parameter or call.
type Attribute uintptr

// Index of an attribute list: 0 the return value, 1 the first parameter, FunctionIndex the function.
type Index uint32

const (
	ReturnIndex   Index = 0
	FunctionIndex Index = 0xFFFFFFFF
)

// AttributeKind is the number of an enum attribute such as "alwaysinline".
func AttributeKind(name string) uint32 {
	return uint32(call(fn.GetEnumAttributeKindForName, uintptr(unsafe.Pointer(cbytes(name))), uintptr(len(name))))
}

// EnumAttribute makes an attribute of a known name, with its value if it has one.
func (c Context) EnumAttribute(name string, value uint64) Attribute {
	return Attribute(call(fn.CreateEnumAttribute, uintptr(c), uintptr(AttributeKind(name)), uintptr(value)))
}

// StringAttribute makes an attribute that targets and passes look up by text.
func (c Context) StringAttribute(key, value string) Attribute {
	return Attribute(call(fn.CreateStringAttribute, uintptr(c), uintptr(unsafe.Pointer(cbytes(key))), uintptr(len(key)), uintptr(unsafe.Pointer(cbytes(value))), uintptr(len(value))))
}

// Attributes lists those of a function at an index.
func (v Value) Attributes(at Index) []Attribute {
	r := make([]Attribute, uint32(call(fn.GetAttributeCountAtIndex, uintptr(v), uintptr(at))))
	if len(r) > 0 {
		call(fn.GetAttributesAtIndex, uintptr(v), uintptr(at), uintptr(unsafe.Pointer(&r[0])))
	}
	return r
}
func (v Value) AddAttribute(at Index, a Attribute) {
	call(fn.AddAttributeAtIndex, uintptr(v), uintptr(at), uintptr(a))
}
func (v Value) RemoveAttribute(at Index, name string) {
	call(fn.RemoveEnumAttributeAtIndex, uintptr(v), uintptr(at), uintptr(AttributeKind(name)))
}
func (v Value) RemoveStringAttribute(at Index, key string) {
	call(fn.RemoveStringAttributeAtIndex, uintptr(v), uintptr(at), uintptr(unsafe.Pointer(cbytes(key))), uintptr(len(key)))
}

// Attribute finds an enum attribute of a function, zero if it has none of that name.
func (v Value) Attribute(at Index, name string) Attribute {
	return Attribute(call(fn.GetEnumAttributeAtIndex, uintptr(v), uintptr(at), uintptr(AttributeKind(name))))
}

// StringAttribute is the value of a string attribute of a function.
func (v Value) StringAttribute(at Index, key string) (string, bool) {
	a := call(fn.GetStringAttributeAtIndex, uintptr(v), uintptr(at), uintptr(unsafe.Pointer(cbytes(key))), uintptr(len(key)))
	if a == 0 {
		return "", false
	}
	var n uint32
	p := call(fn.GetStringAttributeValue, a, uintptr(unsafe.Pointer(&n)))
	return text(p, uint64(n)), true
}

// IsEnum says whether Kind and Int mean something; other attributes carry a type or are strings.
func (a Attribute) IsEnum() bool { return truth(call(fn.IsEnumAttribute, uintptr(a))) }
func (a Attribute) Kind() uint32 { return uint32(call(fn.GetEnumAttributeKind, uintptr(a))) }
func (a Attribute) Int() uint64  { return uint64(call(fn.GetEnumAttributeValue, uintptr(a))) }

// Type is the type a type attribute such as byval carries.
func (a Attribute) Type() Type { return Type(call(fn.GetTypeAttributeValue, uintptr(a))) }

// Attributes of a call.

func (v Value) AddCallAttribute(at Index, a Attribute) {
	call(fn.AddCallSiteAttribute, uintptr(v), uintptr(at), uintptr(a))
}
func (v Value) RemoveCallAttribute(at Index, name string) {
	call(fn.RemoveCallSiteEnumAttribute, uintptr(v), uintptr(at), uintptr(AttributeKind(name)))
}
func (v Value) CallAttribute(at Index, name string) Attribute {
	return Attribute(call(fn.GetCallSiteEnumAttribute, uintptr(v), uintptr(at), uintptr(AttributeKind(name))))
}
