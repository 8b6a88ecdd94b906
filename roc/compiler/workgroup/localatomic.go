package workgroup

import "aqueduct/roc/compiler/llvm"

// PlainAtomics makes ordinary operations of a function's atomics on memory of an address space that only one thread accesses, as
// one runs all work-items of a group, one after the other between barriers. Only for what runs one work-item at a time: in vectors,
// lanes may meet in one place.
func PlainAtomics(m llvm.Module, kernel llvm.Value, space int) {
	b := m.Context().NewBuilder()
	defer b.Dispose()
	for _, bb := range kernel.Blocks() {
		for i := bb.First(); i != 0; {
			at := i
			i = i.Next()
			op := at.Opcode()
			address := 0
			switch op {
			case llvm.OpStore:
				address = 1
			case llvm.OpLoad, llvm.OpAtomicRMW, llvm.OpAtomicCmpXchg:
			default:
				continue
			}
			if at.Operand(address).Type().AddressSpace() != space {
				continue
			}
			switch op {
			case llvm.OpAtomicRMW:
				plainRMW(m, b, at)
			case llvm.OpAtomicCmpXchg:
				plainCmpXchg(b, at)
			default:
				if at.Ordering() != llvm.NotAtomic {
					at.SetOrdering(llvm.NotAtomic)
					at.SetVolatile(false)
				}
			}
		}
	}
}

// Operations of atomicrmw (LLVMAtomicRMWBinOp).
const (
	rmwXchg = iota
	rmwAdd
	rmwSub
	rmwAnd
	rmwNand
	rmwOr
	rmwXor
	rmwMax
	rmwMin
	rmwUMax
	rmwUMin
	rmwFAdd
	rmwFSub
	rmwFMax
	rmwFMin
)

func plainRMW(m llvm.Module, b llvm.Builder, i llvm.Value) {
	p, v := i.Operand(0), i.Operand(1)
	t := v.Type()
	b.Before(i)
	old := b.Load(t, p)
	var r llvm.Value
	choose := func(take llvm.Predicate) llvm.Value { return b.Select(b.ICmp(take, old, v), old, v) }
	float := func(name string) llvm.Value {
		f := m.Intrinsic(name, t)
		return b.Call(f.ValueType(), f, old, v)
	}
	switch i.RMWOp() {
	case rmwXchg:
		r = v
	case rmwAdd:
		r = b.Add(old, v)
	case rmwSub:
		r = b.Sub(old, v)
	case rmwAnd:
		r = b.And(old, v)
	case rmwNand:
		r = b.Not(b.And(old, v))
	case rmwOr:
		r = b.Or(old, v)
	case rmwXor:
		r = b.BinOp(llvm.OpXor, old, v)
	case rmwMax:
		r = choose(llvm.IntSGT)
	case rmwMin:
		r = choose(llvm.IntSLT)
	case rmwUMax:
		r = choose(llvm.IntUGT)
	case rmwUMin:
		r = choose(llvm.IntULT)
	case rmwFAdd:
		r = b.BinOp(llvm.OpFAdd, old, v)
	case rmwFSub:
		r = b.BinOp(llvm.OpFSub, old, v)
	case rmwFMax:
		r = float("llvm.maxnum")
	case rmwFMin:
		r = float("llvm.minnum")
	default: // stays atomic
		old.Erase()
		return
	}
	b.Store(r, p)
	i.ReplaceUses(old)
	i.Erase()
}

func plainCmpXchg(b llvm.Builder, i llvm.Value) {
	p, expected, desired := i.Operand(0), i.Operand(1), i.Operand(2)
	b.Before(i)
	old := b.Load(expected.Type(), p)
	same := b.ICmp(llvm.IntEQ, old, expected)
	b.Store(b.Select(same, desired, old), p)
	i.ReplaceUses(b.InsertValue(b.InsertValue(i.Type().Undef(), old, 0), same, 1))
	i.Erase()
}
