package llvm

import "unsafe"

// Builder inserts instructions at a place. Operations on constants fold to constants. Results have no names.
type Builder uintptr

// noName is the C string "" every Build function gets.
var noName = &empty[0]

func name() uintptr { return uintptr(unsafe.Pointer(noName)) } // a global: never moves

func (c Context) NewBuilder() Builder { return Builder(call(fn.CreateBuilderInContext, uintptr(c))) }
func (b Builder) Dispose()            { call(fn.DisposeBuilder, uintptr(b)) }
func (b Builder) AtEnd(bb Block)      { call(fn.PositionBuilderAtEnd, uintptr(b), uintptr(bb)) }
func (b Builder) Before(i Value)      { call(fn.PositionBuilderBefore, uintptr(b), uintptr(i)) }
func (b Builder) Block() Block        { return Block(call(fn.GetInsertBlock, uintptr(b))) }
func (b Builder) Insert(i Value)      { call(fn.InsertIntoBuilder, uintptr(b), uintptr(i)) }
func (b Builder) RetVoid() Value      { return Value(call(fn.BuildRetVoid, uintptr(b))) }
func (b Builder) Ret(v Value) Value   { return Value(call(fn.BuildRet, uintptr(b), uintptr(v))) }
func (b Builder) Br(to Block) Value   { return Value(call(fn.BuildBr, uintptr(b), uintptr(to))) }
func (b Builder) Unreachable() Value  { return Value(call(fn.BuildUnreachable, uintptr(b))) }
func (b Builder) CondBr(c Value, t, f Block) Value {
	return Value(call(fn.BuildCondBr, uintptr(b), uintptr(c), uintptr(t), uintptr(f)))
}

// Switch has no cases yet (Value.AddCase); n is a hint of how many will come.
func (b Builder) Switch(v Value, otherwise Block, n int) Value {
	return Value(call(fn.BuildSwitch, uintptr(b), uintptr(v), uintptr(otherwise), uintptr(n)))
}

func (b Builder) BinOp(op Opcode, x, y Value) Value {
	return Value(call(fn.BuildBinOp, uintptr(b), uintptr(op), uintptr(x), uintptr(y), name()))
}
func (b Builder) Add(x, y Value) Value { return b.BinOp(OpAdd, x, y) }
func (b Builder) Sub(x, y Value) Value { return b.BinOp(OpSub, x, y) }
func (b Builder) Mul(x, y Value) Value { return b.BinOp(OpMul, x, y) }
func (b Builder) And(x, y Value) Value { return b.BinOp(OpAnd, x, y) }
func (b Builder) Or(x, y Value) Value  { return b.BinOp(OpOr, x, y) }
func (b Builder) Not(x Value) Value    { return Value(call(fn.BuildNot, uintptr(b), uintptr(x), name())) }
func (b Builder) FNeg(x Value) Value {
	return Value(call(fn.BuildFNeg, uintptr(b), uintptr(x), name()))
}
func (b Builder) Freeze(x Value) Value {
	return Value(call(fn.BuildFreeze, uintptr(b), uintptr(x), name()))
}
func (b Builder) ICmp(p Predicate, x, y Value) Value {
	return Value(call(fn.BuildICmp, uintptr(b), uintptr(p), uintptr(x), uintptr(y), name()))
}
func (b Builder) FCmp(p Predicate, x, y Value) Value {
	return Value(call(fn.BuildFCmp, uintptr(b), uintptr(p), uintptr(x), uintptr(y), name()))
}
func (b Builder) Select(c, x, y Value) Value {
	return Value(call(fn.BuildSelect, uintptr(b), uintptr(c), uintptr(x), uintptr(y), name()))
}
func (b Builder) Phi(t Type) Value { return Value(call(fn.BuildPhi, uintptr(b), uintptr(t), name())) }
func (b Builder) Cast(op Opcode, x Value, t Type) Value {
	return Value(call(fn.BuildCast, uintptr(b), uintptr(op), uintptr(x), uintptr(t), name()))
}

// Call calls f, of function type t.
func (b Builder) Call(t Type, f Value, args ...Value) Value {
	return Value(call(fn.BuildCall2, uintptr(b), uintptr(t), uintptr(f), uintptr(data(args)), uintptr(len(args)), name()))
}

// Memory.

func (b Builder) Load(t Type, p Value) Value {
	return Value(call(fn.BuildLoad2, uintptr(b), uintptr(t), uintptr(p), name()))
}
func (b Builder) Store(v, p Value) Value {
	return Value(call(fn.BuildStore, uintptr(b), uintptr(v), uintptr(p)))
}
func (b Builder) Alloca(t Type) Value {
	return Value(call(fn.BuildAlloca, uintptr(b), uintptr(t), name()))
}
func (b Builder) GEP(t Type, p Value, idx ...Value) Value {
	return Value(call(fn.BuildGEP2, uintptr(b), uintptr(t), uintptr(p), uintptr(data(idx)), uintptr(len(idx)), name()))
}
func (b Builder) InBoundsGEP(t Type, p Value, idx ...Value) Value {
	return Value(call(fn.BuildInBoundsGEP2, uintptr(b), uintptr(t), uintptr(p), uintptr(data(idx)), uintptr(len(idx)), name()))
}

// AtomicRMW takes LLVMAtomicRMWBinOp's numbers (Value.RMWOp).
func (b Builder) AtomicRMW(op int, p, v Value, o Ordering) Value {
	return Value(call(fn.BuildAtomicRMW, uintptr(b), uintptr(op), uintptr(p), uintptr(v), uintptr(o), 0))
}

// CmpXchg yields a structure of the old value and an i1.
func (b Builder) CmpXchg(p, old, new Value, success, failure Ordering) Value {
	return Value(call(fn.BuildAtomicCmpXchg, uintptr(b), uintptr(p), uintptr(old), uintptr(new), uintptr(success), uintptr(failure), 0))
}
func (b Builder) Fence(o Ordering) Value {
	return Value(call(fn.BuildFence, uintptr(b), uintptr(o), 0, name()))
}
func (b Builder) MemSet(p, v, n Value, align int) Value {
	return Value(call(fn.BuildMemSet, uintptr(b), uintptr(p), uintptr(v), uintptr(n), uintptr(align)))
}
func (b Builder) MemCpy(dst Value, dstAlign int, src Value, srcAlign int, n Value) Value {
	return Value(call(fn.BuildMemCpy, uintptr(b), uintptr(dst), uintptr(dstAlign), uintptr(src), uintptr(srcAlign), uintptr(n)))
}

// Vectors and aggregates.

func (b Builder) ExtractElement(v, i Value) Value {
	return Value(call(fn.BuildExtractElement, uintptr(b), uintptr(v), uintptr(i), name()))
}
func (b Builder) InsertElement(v, e, i Value) Value {
	return Value(call(fn.BuildInsertElement, uintptr(b), uintptr(v), uintptr(e), uintptr(i), name()))
}
func (b Builder) Shuffle(x, y, mask Value) Value {
	return Value(call(fn.BuildShuffleVector, uintptr(b), uintptr(x), uintptr(y), uintptr(mask), name()))
}
func (b Builder) ExtractValue(v Value, i int) Value {
	return Value(call(fn.BuildExtractValue, uintptr(b), uintptr(v), uintptr(i), name()))
}
func (b Builder) InsertValue(v, e Value, i int) Value {
	return Value(call(fn.BuildInsertValue, uintptr(b), uintptr(v), uintptr(e), uintptr(i), name()))
}
