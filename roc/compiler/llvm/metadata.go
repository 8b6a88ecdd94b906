package llvm

import "unsafe"

// Metadata is a node, a string, or a value seen as metadata.
type Metadata uintptr

func (c Context) MDKind(name string) uint32 {
	return uint32(call(fn.GetMDKindIDInContext, uintptr(c), uintptr(unsafe.Pointer(cbytes(name))), uintptr(len(name))))
}
func (c Context) MDNode(ops ...Metadata) Metadata {
	return Metadata(call(fn.MDNodeInContext2, uintptr(c), uintptr(data(ops)), uintptr(len(ops))))
}
func (c Context) MDString(s string) Metadata {
	return Metadata(call(fn.MDStringInContext2, uintptr(c), uintptr(unsafe.Pointer(cbytes(s))), uintptr(len(s))))
}

// AsMetadata wraps a constant or another value for use in a node.
func (v Value) AsMetadata() Metadata { return Metadata(call(fn.ValueAsMetadata, uintptr(v))) }

// SetMetadata attaches a node to an instruction, or takes the kind away (zero).
func (v Value) SetMetadata(c Context, kind uint32, m Metadata) {
	var mv uintptr
	if m != 0 {
		mv = call(fn.MetadataAsValue, uintptr(c), uintptr(m))
	}
	call(fn.SetMetadata, uintptr(v), uintptr(kind), mv)
}

// Metadata is what an instruction has of a kind, as a metadata value for MDOperands; zero if nothing.
func (v Value) Metadata(kind uint32) Value {
	return Value(call(fn.GetMetadata, uintptr(v), uintptr(kind)))
}

// SetGlobalMetadata attaches a node to a function or a global variable.
func (v Value) SetGlobalMetadata(kind uint32, m Metadata) {
	call(fn.GlobalSetMetadata, uintptr(v), uintptr(kind), uintptr(m))
}

// GlobalMetadata reads a node attached to a function or a global (such as kernel_arg_type), as a value for MDOperands.
func (v Value) GlobalMetadata(c Context, kind uint32) Value {
	var n uint64
	entries := call(fn.GlobalCopyAllMetadata, uintptr(v), uintptr(unsafe.Pointer(&n)))
	defer call(fn.DisposeValueMetadataEntries, entries)
	for i := range n {
		if uint32(call(fn.ValueMetadataEntriesGetKind, entries, uintptr(i))) == kind {
			return Value(call(fn.MetadataAsValue, uintptr(c), call(fn.ValueMetadataEntriesGetMetadata, entries, uintptr(i))))
		}
	}
	return 0
}

// MDOperands are the operands of a metadata node; a null operand is zero.
func (v Value) MDOperands() []Value {
	r := make([]Value, uint32(call(fn.GetMDNodeNumOperands, uintptr(v))))
	if len(r) > 0 {
		call(fn.GetMDNodeOperands, uintptr(v), uintptr(unsafe.Pointer(&r[0])))
	}
	return r
}

// MDText is the text of a metadata string, and whether v is one.
func (v Value) MDText() (string, bool) {
	if v == 0 || call(fn.IsAMDString, uintptr(v)) == 0 {
		return "", false
	}
	var n uint32
	p := call(fn.GetMDString, uintptr(v), uintptr(unsafe.Pointer(&n)))
	return text(p, uint64(n)), true
}

// NamedMetadata lists the nodes of module-level metadata such as "opencl.ocl.version".
func (m Module) NamedMetadata(name string) []Value {
	s := cbytes(name)
	r := make([]Value, uint32(call(fn.GetNamedMetadataNumOperands, uintptr(m), uintptr(unsafe.Pointer(s)))))
	if len(r) > 0 {
		call(fn.GetNamedMetadataOperands, uintptr(m), uintptr(unsafe.Pointer(s)), uintptr(unsafe.Pointer(&r[0])))
	}
	return r
}

// DistinctMDNode is a node of its own whose first operand is itself, as llvm.loop metadata wants.
func (c Context) DistinctMDNode(ops ...Metadata) Metadata {
	placeholder := Metadata(call(fn.TemporaryMDNode, uintptr(c), 0, 0))
	node := c.MDNode(append([]Metadata{placeholder}, ops...)...)
	call(fn.MetadataReplaceAllUsesWith, uintptr(placeholder), uintptr(node)) // the node becomes distinct, and disposes of the placeholder
	return node
}
