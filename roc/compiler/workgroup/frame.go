package workgroup

import "aqueduct/roc/compiler/llvm"

// frame lays out what work-items keep across barriers in codeobject.Context.Frame: an array over the group's items for
// each thing kept. With N the items of the group rounded up to a multiple of 64, the array of a slot at offset o starts
// at o*N, so that arrays are aligned to 64 bytes and neighbours in it are neighbouring items, which LLVM can vectorise.
type frame struct {
	perItem uint32 // bytes so far
}

// slot is one such array; offset and size are bytes an item.
type slot struct{ offset, size uint32 }

// add makes room for a value of size bytes (padding included) and an alignment of at most 256.
func (f *frame) add(size uint64, align int) slot {
	step := uint32(max(1, align/64))
	f.perItem = (f.perItem + step - 1) / step * step
	s := slot{f.perItem, uint32(size)}
	f.perItem += s.size
	return s
}

// address of an item's part of a slot. base is the frame, n the N above, item the index in the group.
func (s slot) address(b llvm.Builder, c llvm.Context, base, n, item llvm.Value) llvm.Value {
	i64 := c.I64()
	at := b.Mul(n, i64.ConstInt(int64(s.offset)))
	at = b.Add(at, b.Mul(item, i64.ConstInt(int64(s.size))))
	return b.InBoundsGEP(c.I8(), base, at)
}
