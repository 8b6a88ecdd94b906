package workgroup

import (
	"fmt"

	"aqueduct/roc/compiler/llvm"
)

// PlaceLocals gives each kernel-scope __local variable of a kernel its place in the group segment, and replaces its uses
// by that address. It returns the bytes they take. Local variables have no initial value (OpenCL C 3.0 section 6.7.2), and
// a worker runs one group at a time, so groups do not meet in it.
func PlaceLocals(m llvm.Module, kernel llvm.Value) (uint32, error) {
	c, layout := m.Context(), m.Layout()
	b := c.NewBuilder()
	defer b.Dispose()
	p := &localPlacer{b: b, kernel: kernel, done: map[llvm.Value]llvm.Value{}}
	size := uint64(0)
	for _, g := range m.Globals() {
		if g.Type().AddressSpace() != spaceLocal || !p.usedBy(g) {
			continue
		}
		t := g.ValueType()
		align := uint64(max(g.Align(), layout.Align(t)))
		size = (size + align - 1) &^ (align - 1)
		if p.base == 0 {
			b.Before(kernel.Entry().First())
			p.base = askPointer(m, b, GroupSegment)
			p.after = p.base.Next()
		}
		b.Before(p.after)
		p.done[g] = b.InBoundsGEP(c.I8(), p.base, c.I64().ConstInt(int64(size)))
		if err := p.replace(g); err != nil {
			return 0, err
		}
		if size += min(layout.Size(t), MostMemory+1); size > MostMemory {
			return 0, fmt.Errorf("error: kernel %s has more than %d bytes of local memory", kernel.Name(), MostMemory)
		}
	}
	return uint32(size), nil
}

type localPlacer struct {
	b      llvm.Builder
	kernel llvm.Value
	base   llvm.Value                // the query for the group segment, first in the kernel
	after  llvm.Value                // addresses are computed in front of this instruction of the entry block
	done   map[llvm.Value]llvm.Value // constant: the instruction that stands for it
}

// usedBy says whether an instruction of the kernel uses a constant, or a constant made of it.
func (p *localPlacer) usedBy(v llvm.Value) bool {
	for _, u := range v.Users() {
		if u.IsInstruction() && u.Block().Parent() == p.kernel || u.IsConstant() && !u.IsInstruction() && p.usedBy(u) {
			return true
		}
	}
	return false
}

// replace makes the kernel's instructions use done[v] for v, and builds instructions for the constants made of v.
func (p *localPlacer) replace(v llvm.Value) error {
	for _, u := range v.Users() {
		switch {
		case u.IsInstruction():
			if u.Block().Parent() != p.kernel {
				continue
			}
			for i := range u.NumOperands() {
				if u.Operand(i) == v {
					u.SetOperand(i, p.done[v])
				}
			}
		case p.done[u] == 0 && p.usedBy(u):
			x, err := p.materialise(u)
			if err != nil {
				return err
			}
			p.done[u] = x
			if err := p.replace(u); err != nil {
				return err
			}
		}
	}
	return nil
}

// materialise builds the instruction that does what a constant does, with placed addresses for operands.
func (p *localPlacer) materialise(v llvm.Value) (llvm.Value, error) {
	operand := func(i int) llvm.Value {
		o := v.Operand(i)
		if x := p.done[o]; x != 0 {
			return x
		}
		return o
	}
	p.b.Before(p.after)
	if !v.IsConstantExpr() { // a vector of addresses
		if t := v.Type(); t.Kind() == llvm.VectorKind {
			r := t.Poison()
			for i := range t.VecLen() {
				r = p.b.InsertElement(r, operand(i), t.Context().I32().ConstInt(int64(i)))
			}
			return r, nil
		}
		return 0, fmt.Errorf("kernel %s: the address of a local variable in an aggregate constant", p.kernel.Name())
	}
	switch op := v.ConstOpcode(); op {
	case llvm.OpGetElementPtr:
		idx := make([]llvm.Value, v.NumOperands()-1)
		for i := range idx {
			idx[i] = operand(i + 1)
		}
		r := p.b.GEP(v.GEPElementType(), operand(0), idx...)
		if r.IsInstruction() {
			r.SetInBounds(v.InBounds())
		}
		return r, nil
	case llvm.OpAddrSpaceCast, llvm.OpPtrToInt, llvm.OpIntToPtr, llvm.OpBitCast, llvm.OpTrunc:
		return p.b.Cast(op, operand(0), v.Type()), nil
	case llvm.OpAdd, llvm.OpSub, llvm.OpXor, llvm.OpMul:
		return p.b.BinOp(op, operand(0), operand(1)), nil
	default:
		return 0, fmt.Errorf("kernel %s: a constant of the address of a local variable: %v", p.kernel.Name(), v)
	}
}
