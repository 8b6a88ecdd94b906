package workgroup

import (
	"fmt"
	"math"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// Options of Lower.
type Options struct {
	Args         []codeobject.ArgInfo // Kind and Offset of each parameter of the kernel
	HiddenOffset uint32               // where codeobject.HiddenArgs start in the kernarg segment
	Fallback     bool                 // the kernel has a faster form as well: make only the one that is always right
}

// Report is what Lower found out about a kernel; the fields are those of codeobject.KernelInfo.
type Report struct {
	Symbol             string
	GroupSegmentSize   uint32
	PrivateSegmentSize uint32
	FramePerItem       uint32
	FrameFixed         uint32
	HasBarrier         bool
	Prints             bool
	Enqueues           bool
	Width              uint32
	Cost               uint32
	Straight           bool
	Contends           bool
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
	var err error
	if r.GroupSegmentSize, err = PlaceLocals(m, kernel); err != nil {
		return r, err
	}
	r.PrivateSegmentSize, r.Cost = Weigh(m, kernel)
	r.Prints, r.Enqueues, r.Straight, r.Contends = Prints(m, kernel), Enqueues(m, kernel), straight(kernel), contends(kernel)
	if r.Cost > regionBudget || CallsAny(kernel, Kept(m)) {
		o.Fallback = true
	}
	barriers := findBarriers(m, kernel)
	if meets := findMeets(m, kernel); len(meets) > 0 {
		r.HasBarrier = true
		lowerSubGroups(m, kernel, meets, barriers, o, &r)
		return r, nil
	}
	if r.HasBarrier = len(barriers) > 0; r.HasBarrier {
		return r, lowerBarriers(m, kernel, barriers, o, &r)
	}
	return r, lowerLoops(m, kernel, o, &r)
}

// Survey is the report of a kernel that is not lowered: all but what the lowering decides.
func Survey(m llvm.Module, kernel llvm.Value) Report {
	r := Report{Symbol: Symbol(kernel.Name()), Width: 1}
	r.PrivateSegmentSize, r.Cost = Weigh(m, kernel)
	r.Prints, r.Enqueues, r.Straight, r.Contends = Prints(m, kernel), Enqueues(m, kernel), straight(kernel), contends(kernel)
	r.HasBarrier = len(findBarriers(m, kernel)) > 0
	return r
}

// Enqueues says whether a kernel calls functions of on-device queues.
func Enqueues(m llvm.Module, kernel llvm.Value) bool {
	return calls(m, kernel, queryNames[Services].name)
}

// lowerLoops makes the native kernel of one without barriers.
func lowerLoops(m llvm.Module, kernel llvm.Value, o Options, r *Report) error {
	p, err := newParallel(m, 1)
	if err != nil {
		return err
	}
	small := !o.Fallback && Narrows(m, kernel, GlobalID)
	var general, w *Wrapper
	if small {
		general = newWrapper(m, kernel, r.Symbol+".large", o)
		general.fallback()
		defer general.Dispose()
	}
	w = newWrapper(m, kernel, r.Symbol, o)
	defer w.Dispose()
	if !o.Fallback {
		w.parallel = p
		p.mark(kernel, false)
	}
	PlainAtomics(m, kernel, spaceLocal)
	it := newItem(m, kernel, m.Context().Void())
	if small {
		general.Groups(func() { loopItems(general, it) })
		w.LeaveLargeGrids(general.Func)
	}
	w.Groups(func() { loopItems(w, it) })
	r.FramePerItem = w.Exchange
	return nil
}

// regionBudget is how many instructions the copies of a kernel for its regions may have in all. A kernel that has more itself
// gets one form only.
const regionBudget = 6000

// lowerBarriers makes the native kernel of one with barriers.
func lowerBarriers(m llvm.Module, kernel llvm.Value, barriers []llvm.Value, o Options, r *Report) error {
	i1 := m.Context().I1()
	states := len(barriers) + 1
	if o.Fallback || states*int(r.Cost) > regionBudget {
		w := newWrapper(m, kernel, r.Symbol, o)
		defer w.Dispose()
		PlainAtomics(m, kernel, spaceLocal)
		re := makeResumable(m, kernel, barriers, nil)
		r.FramePerItem = w.Exchange + re.frame.perItem
		w.Groups(func() { re.rounds(w, i1.ConstInt(0)) })
		return nil
	}
	p, err := newParallel(m, states)
	if err != nil {
		return err
	}
	general := newWrapper(m, kernel, r.Symbol+".rounds", o, i1)
	defer general.Dispose()
	general.fallback()
	w := newWrapper(m, kernel, r.Symbol, o)
	defer w.Dispose()
	w.parallel = p
	p.mark(kernel, true)
	PlainAtomics(m, kernel, spaceLocal)
	re := makeResumable(m, kernel, barriers, p)
	r.FramePerItem = w.Exchange + re.frame.perItem
	general.Groups(func() { re.rounds(general, general.Func.Param(4)) })
	w.LeaveLargeGrids(general.Func, i1.ConstInt(0))
	w.Groups(func() { re.regions(w, general.Func) })
	return nil
}

func newWrapper(m llvm.Module, kernel llvm.Value, symbol string, o Options, more ...llvm.Type) *Wrapper {
	return NewWrapper(m, kernel, symbol, o.Args, o.HiddenOffset, more...)
}

// fallback marks a variant that hardly ever runs: little code, made fast.
func (w *Wrapper) fallback() {
	w.Func.SetLinkage(llvm.Internal)
	for _, a := range []string{"noinline", "cold", "optsize", "minsize"} {
		w.Func.AddAttribute(llvm.FunctionIndex, w.c.EnumAttribute(a, 0))
	}
}

// Weigh sums up a kernel: the bytes of its stack variables, and its instructions, with those of the functions it calls.
func Weigh(m llvm.Module, kernel llvm.Value) (private, cost uint32) {
	p, c := weigh(m, kernel)
	return uint32(min(p, math.MaxUint32)), uint32(min(c, math.MaxUint32))
}

func weigh(m llvm.Module, kernel llvm.Value) (private, cost uint64) {
	type weight struct{ private, cost uint64 }
	kept, done := Kept(m), map[llvm.Value]weight{}
	var of func(f llvm.Value) weight
	of = func(f llvm.Value) weight {
		if w, ok := done[f]; ok {
			return w
		}
		var w weight
		for _, bb := range f.Blocks() {
			for i := bb.First(); i != 0; i = i.Next() {
				w.cost++
				if i.Opcode() == llvm.OpAlloca {
					w.private += min(m.Layout().Size(i.AllocatedType()), MostMemory+1)
				}
			}
		}
		deepest := uint64(0)
		for _, k := range kept {
			if n := uint64(len(callsIn(f, k))); n > 0 {
				deepest = max(deepest, of(k).private)
				w.cost = min(w.cost+n*of(k).cost, math.MaxUint32)
			}
		}
		w.private += deepest
		done[f] = w
		return w
	}
	w := of(kernel)
	return w.private, w.cost
}
