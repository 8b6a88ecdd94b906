package workgroup

import "aqueduct/roc/compiler/llvm"

// guardDivision keeps an integer division or remainder from trapping. OpenCL C leaves the result of dividing by zero, and
// of dividing the least number by -1, undefined (section 6.3, a), but the work-item goes on; x86 raises an exception. The
// divisor becomes 1 in those cases. It has to be done before the first optimisation, which takes a division as proof that
// its divisor is not zero.
func guardDivision(c llvm.Context, b llvm.Builder, div llvm.Value) {
	op := div.Opcode()
	x, y := div.Operand(0), div.Operand(1)
	if safeDivisor(y) {
		return
	}
	t := y.Type()
	var one llvm.Value
	if t.Kind() == llvm.VectorKind {
		ones := make([]llvm.Value, t.VecLen())
		for i := range ones {
			ones[i] = t.Elem().ConstInt(1)
		}
		one = llvm.ConstVector(ones)
	} else {
		one = t.ConstInt(1)
	}
	b.Before(div)
	// Zeros become ones apart from the rest, and not by a select: where y turns out to be a constant, LLVM divides by each arm of a select
	// of constants, and of a vector with one zero in it makes nothing at all of every lane.
	y = b.Or(y, b.Cast(llvm.OpZExt, b.ICmp(llvm.IntEQ, y, t.Null()), t))
	if op == llvm.OpSDiv || op == llvm.OpSRem {
		// x == -x and x != 0 only for the least number; with -1 as divisor and x = 0 it does no harm to divide by 1.
		least := b.ICmp(llvm.IntEQ, x, b.Sub(t.Null(), x))
		y = b.Select(b.And(b.ICmp(llvm.IntEQ, y, t.AllOnes()), least), one, y)
	}
	div.SetOperand(1, y)
}

// settleConstants replaces the result of a division that clang has folded, 1 / 0 say, by 0: LLVM calls it poison, and would
// let a work-item that looks at it do anything.
func settleConstants(m llvm.Module) {
	c := m.Context()
	for _, scalar := range []llvm.Type{c.I1(), c.I8(), c.I16(), c.I32(), c.I64()} {
		for _, lanes := range []int{1, 2, 3, 4, 8, 16} {
			t := scalar
			if lanes > 1 {
				t = scalar.Vec(lanes)
			}
			poison := t.Poison()
			for _, u := range poison.Users() {
				if !u.IsInstruction() {
					continue
				}
				switch u.Opcode() {
				case llvm.OpInsertElement, llvm.OpShuffleVector: // what a vector starts from
					continue
				}
				for i := range u.NumOperands() {
					if u.Operand(i) == poison {
						u.SetOperand(i, t.Null())
					}
				}
			}
		}
	}
}

// safeDivisor: a constant that is neither 0 nor -1 in any lane.
func safeDivisor(y llvm.Value) bool {
	if y.IsConstantInt() {
		return y.Int() != 0 && y.Int() != -1
	}
	t := y.Type()
	if t.Kind() != llvm.VectorKind || !y.IsConstant() {
		return false
	}
	for i := range t.VecLen() {
		e := y.Element(i)
		if e == 0 || !e.IsConstantInt() || !safeDivisor(e) {
			return false
		}
	}
	return true
}
