package workgroup

import (
	"fmt"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// Options of Lower.
type Options struct {
	Args         []codeobject.ArgInfo // Kind and Offset of each parameter of the kernel
	HiddenOffset uint32               // where codeobject.HiddenArgs start in the kernarg segment
}

// Report is what Lower found out about a kernel; the fields are those of codeobject.KernelInfo.
type Report struct {
	Symbol             string
	GroupSegmentSize   uint32
	PrivateSegmentSize uint32
	FramePerItem       uint32
	FrameFixed         uint32
	HasBarrier         bool
	Width              uint32
	Cost               uint32
}

// Symbol is the name of a kernel's native function. It cannot be that of a C function, so that a kernel named memset does
// not take the place of the real one.
func Symbol(kernel string) string { return "kernel." + kernel }

// Lower replaces a kernel that Prepare returned by its native kernel in scalar form: loops over work-items around the
// kernel's body. The caller runs the optimisation pipeline afterwards.
func Lower(m llvm.Module, kernel llvm.Value, o Options) (Report, error) {
	if n := kernel.NumParams(); n != len(o.Args) {
		return Report{}, fmt.Errorf("kernel %s has %d parameters, but %d are described", kernel.Name(), n, len(o.Args))
	}
	r := Report{Symbol: Symbol(kernel.Name()), Width: 1}
	b := m.Context().NewBuilder()
	defer b.Dispose()
	var err error
	if r.GroupSegmentSize, err = placeLocals(m, b, kernel); err != nil {
		return r, err
	}
	r.PrivateSegmentSize, r.Cost = weigh(m, kernel)
	w := NewWrapper(m, kernel, r.Symbol, o.Args, o.HiddenOffset)
	defer w.Dispose()
	barriers := findBarriers(m, kernel)
	if len(barriers) == 0 {
		lowerLoops(w, newItem(m, kernel, m.Context().Void()))
		return r, nil
	}
	re := makeResumable(m, kernel, barriers)
	lowerRounds(m, w, re)
	r.HasBarrier, r.FramePerItem = true, re.frame.perItem
	return r, nil
}

// weigh sums up a kernel: the bytes of its stack variables, and its instructions.
func weigh(m llvm.Module, kernel llvm.Value) (private, cost uint32) {
	for _, bb := range kernel.Blocks() {
		for i := bb.First(); i != 0; i = i.Next() {
			cost++
			if i.Opcode() == llvm.OpAlloca {
				private += uint32(m.Layout().Size(i.AllocatedType()))
			}
		}
	}
	return private, cost
}

// findBarriers lists a kernel's calls of work-group barriers.
func findBarriers(m llvm.Module, kernel llvm.Value) (r []llvm.Value) {
	for _, n := range barrierNames {
		if f := m.Function(n); f != 0 {
			for _, call := range f.Users() {
				if call.IsInstruction() && call.Block().Parent() == kernel {
					r = append(r, call)
				}
			}
		}
	}
	return r
}
