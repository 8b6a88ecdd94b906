package wfv

import "aqueduct/roc/compiler/llvm"

// copyKernel makes a function that does what the kernel does. The vectoriser works on the copy: it may assume small grids there,
// and the kernel itself stays as it is for the scalar form. It is external, so that no pass takes it away.
func copyKernel(m llvm.Module, kernel llvm.Value) llvm.Value {
	c := m.Context()
	f := m.AddFunction(kernel.Name()+".vector", kernel.ValueType())
	copyAttributes(kernel, f, llvm.FunctionIndex)
	value := map[llvm.Value]llvm.Value{}
	for i := range kernel.NumParams() {
		copyAttributes(kernel, f, llvm.Index(i+1))
		value[kernel.Param(i)] = f.Param(i)
	}
	copyBlocks(c, f, kernel.Blocks(), value, map[llvm.Block]llvm.Block{})
	return f
}

// copyBlocks adds copies of blocks to a function. value and block say what stands there for values and blocks of elsewhere, and
// in the end for those copied.
func copyBlocks(c llvm.Context, f llvm.Value, from []llvm.Block, value map[llvm.Value]llvm.Value, block map[llvm.Block]llvm.Block) {
	b := c.NewBuilder()
	defer b.Dispose()
	for _, x := range from {
		block[x] = c.AppendBlock(f, "")
	}
	var phis, others []llvm.Value
	for _, x := range from {
		b.AtEnd(block[x])
		for _, i := range x.Instructions() {
			if i.Opcode() == llvm.OpPHI {
				y := b.Phi(i.Type())
				if i.CanFastMath() {
					y.SetFastMath(i.FastMath())
				}
				value[i] = y
				phis = append(phis, i)
				continue
			}
			y := i.Clone()
			b.Insert(y)
			value[i] = y
			others = append(others, i)
		}
	}
	renamed := func(v llvm.Value) llvm.Value {
		if w, ok := value[v]; ok {
			return w
		}
		return v
	}
	for _, i := range phis {
		for k := range i.NumIncoming() {
			v, at := i.Incoming(k)
			value[i].AddIncoming(renamed(v), block[at])
		}
	}
	for _, i := range others {
		y := value[i]
		if op := i.Opcode(); op == llvm.OpBr || op == llvm.OpSwitch {
			n := i.NumSuccessors()
			for k := range n {
				y.SetSuccessor(k, block[i.Successor(k)])
			}
			switch {
			case op == llvm.OpSwitch:
				y.SetOperand(0, renamed(i.Operand(0)))
			case n > 1:
				y.SetCondition(renamed(i.Condition()))
			}
			continue
		}
		for k := range i.NumOperands() {
			if o := i.Operand(k); value[o] != 0 {
				y.SetOperand(k, value[o])
			}
		}
	}
}

func copyAttributes(from, to llvm.Value, at llvm.Index) {
	for _, a := range from.Attributes(at) {
		to.AddAttribute(at, a)
	}
}
