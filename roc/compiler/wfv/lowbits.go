package wfv

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
)

// `int i = get_global_id(0); ... i += get_global_size(0)` adds 64 bits and keeps 32 of them. LLVM leaves the sum as it is and extends its
// low half again wherever it is read, by shifts. As a long such an i is anything, whereas as an int it is affine, modulo 2^32, and whether it
// wraps from lane to lane is a question for contiguity.go. So where nothing but the low halves of a loop's numbers is asked for,
// they become ints.

const lowHalf = 32

// lowBits rewrites the numbers of f of which only the low halves are wanted.
func lowBits(f llvm.Value) {
	n := lows{c: f.Type().Context(), twins: map[llvm.Value]llvm.Value{}}
	n.i32, n.i64, n.b = n.c.I32(), n.c.I64(), n.c.NewBuilder()
	defer n.b.Dispose()
	longs := func(do func(v llvm.Value)) {
		for _, b := range f.Blocks() {
			for _, v := range b.Instructions() {
				if v.Type() == n.i64 {
					do(v)
				}
			}
		}
	}
	longs(n.extension)
	var numbers []llvm.Value
	longs(func(v llvm.Value) {
		if keepsLow(v) {
			numbers = append(numbers, v)
		}
	})
	numbers = n.wantedLow(numbers)
	if slices.ContainsFunc(numbers, isPhi) { // LLVM has narrowed what is in no loop
		n.narrow(numbers)
	}
}

func isPhi(v llvm.Value) bool { return v.Opcode() == llvm.OpPHI }

type lows struct {
	c        llvm.Context
	i32, i64 llvm.Type
	b        llvm.Builder
	twins    map[llvm.Value]llvm.Value // by the number whose low half they are
}

// extension has what extends a low half, and shifts it perhaps, say so: by sext, zext and shl.
func (n *lows) extension(v llvm.Value) {
	extend, left, low := llvm.OpSExt, int64(0), llvm.Value(0)
	switch v.Opcode() {
	case llvm.OpAShr: // (x << 32) >> by
		x, by := n.shifted(v.Operand(0))
		right, back := n.constant(v.Operand(1))
		if by != lowHalf || !back || right < 0 || right > lowHalf {
			return
		}
		low, left = x, lowHalf-right
	case llvm.OpAnd: // x & 0xffffffff, or (x << by) & 0xffffffff << by
		extend = llvm.OpZExt
		mask, ok := n.constant(v.Operand(1))
		if !ok {
			return
		}
		if low, left = n.shifted(v.Operand(0)); low == 0 || mask != (1<<lowHalf-1)<<left {
			low, left = v.Operand(0), 0
		}
		if left < 0 || left >= lowHalf || mask != (1<<lowHalf-1)<<left {
			return
		}
	default:
		return
	}
	n.b.Before(v)
	n.b.Locate(v)
	r := n.b.Cast(extend, n.b.Cast(llvm.OpTrunc, low, n.i32), n.i64)
	if left > 0 {
		r = n.b.BinOp(llvm.OpShl, r, n.i64.ConstInt(left))
		if r.IsInstruction() {
			r.SetNSW(extend == llvm.OpSExt || left < lowHalf-1)
			r.SetNUW(extend == llvm.OpZExt)
		}
	}
	v.ReplaceUses(r)
	shift := v.Operand(0)
	v.Erase()
	if low != shift && !shift.HasUses() {
		shift.Erase()
	}
}

// shifted takes x << by apart; zero if v is none.
func (n *lows) shifted(v llvm.Value) (x llvm.Value, by int64) {
	if !v.IsInstruction() || v.Opcode() != llvm.OpShl {
		return 0, 0
	}
	by, ok := n.constant(v.Operand(1))
	if !ok {
		return 0, 0
	}
	return v.Operand(0), by
}

func (n *lows) constant(v llvm.Value) (int64, bool) {
	if !v.IsConstantInt() {
		return 0, false
	}
	return v.Int(), true
}

// keepsLow: the low bits of the result depend on the low bits of the operands only.
func keepsLow(v llvm.Value) bool {
	switch v.Opcode() {
	case llvm.OpPHI, llvm.OpAdd, llvm.OpSub, llvm.OpMul, llvm.OpAnd, llvm.OpOr, llvm.OpXor:
		return true
	case llvm.OpShl:
		by := v.Operand(1)
		return by.IsConstantInt() && by.Uint() < lowHalf
	}
	return false
}

// wantedLow are those of some numbers of which only the low half is asked for, by themselves included.
func (n *lows) wantedLow(numbers []llvm.Value) []llvm.Value {
	in := map[llvm.Value]bool{}
	for _, v := range numbers {
		in[v] = true
	}
	for changed := true; changed; {
		changed = false
		for v := range in {
			if slices.ContainsFunc(v.Users(), func(u llvm.Value) bool { return !in[u] && !n.isLow(u) }) {
				delete(in, v)
				changed = true
			}
		}
	}
	return slices.DeleteFunc(numbers, func(v llvm.Value) bool { return !in[v] })
}

// isLow: an instruction that takes the low half. One that says that the number fits there tells the analyses more than its low half would.
func (n *lows) isLow(u llvm.Value) bool {
	return u.Opcode() == llvm.OpTrunc && u.Type() == n.i32 && !u.NSW() && !u.NUW()
}

// narrow makes the twins of numbers and puts them where low halves are asked for.
func (n *lows) narrow(numbers []llvm.Value) {
	for _, v := range numbers {
		n.twins[v] = 0 // it is to have one
	}
	for _, v := range numbers {
		if isPhi(v) {
			n.b.Before(v)
			n.twins[v] = n.b.Phi(n.i32)
		}
	}
	for _, v := range numbers {
		n.twin(v)
	}
	for _, v := range numbers {
		if isPhi(v) {
			n.incoming(v)
		}
	}
	for _, v := range numbers {
		for _, u := range v.Users() {
			if n.isLow(u) {
				u.ReplaceUses(n.twins[v])
				u.Erase()
			}
		}
		v.ReplaceUses(n.i64.Poison())
	}
	for _, v := range numbers {
		v.Erase()
	}
}

// incoming gives a phi's twin what comes in: one value a block, however many edges come from there.
func (n *lows) incoming(v llvm.Value) {
	of := map[llvm.Block]llvm.Value{}
	for k := range v.NumIncoming() {
		x, from := v.Incoming(k)
		if of[from] == 0 {
			n.b.Before(from.Terminator())
			of[from] = n.low(x)
		}
		n.twins[v].AddIncoming(of[from], from)
	}
}

// twin makes that of a number if there is none yet, and those of its operands first.
func (n *lows) twin(v llvm.Value) {
	if n.twins[v] != 0 {
		return
	}
	for i := range 2 {
		if _, has := n.twins[v.Operand(i)]; has {
			n.twin(v.Operand(i))
		}
	}
	n.b.Before(v)
	n.b.Locate(v)
	y := n.b.BinOp(v.Opcode(), n.low(v.Operand(0)), n.low(v.Operand(1)))
	if v.Opcode() == llvm.OpOr && v.Disjoint() && y.IsInstruction() {
		y.SetDisjoint(true)
	}
	n.twins[v] = y
}

// low is the low half of a number, at the place of the builder.
func (n *lows) low(x llvm.Value) llvm.Value {
	switch {
	case n.twins[x] != 0:
		return n.twins[x]
	case x.IsInstruction() && (x.Opcode() == llvm.OpSExt || x.Opcode() == llvm.OpZExt) && x.Operand(0).Type() == n.i32:
		return x.Operand(0)
	}
	return n.b.Cast(llvm.OpTrunc, x, n.i32)
}
