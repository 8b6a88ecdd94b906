package pipeline

import (
	"slices"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/wfv"
)

// largeFunction is the number of instructions of a function above which what takes quadratic time is left out: parts of
// default<O3>, and of code generation at its best.
const largeFunction = 10000

// hasLarge says whether a function of m is that large. What the kernels cost, functions that they call included, says whether one can be.
func hasLarge(m llvm.Module, results []wfv.Result) bool {
	if !slices.ContainsFunc(results, func(r wfv.Result) bool { return r.Cost > largeFunction }) {
		return false
	}
	return slices.ContainsFunc(m.Functions(), func(f llvm.Value) bool {
		n := 0
		for _, b := range f.Blocks() {
			for i := b.First(); i != 0; i = i.Next() {
				n++
			}
		}
		return n > largeFunction
	})
}

// light is what gains most, in linear time.
const light = "always-inline,globaldce,function(sroa,early-cse,simplifycfg,loop-simplify,lcssa,loop(loop-rotate,indvars,loop-unroll-full),sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)"

// optimise runs LLVM's passes on the native kernels in scalar form; vectorised ones are optimised already.
func optimise(m llvm.Module, tm llvm.TargetMachine, results []wfv.Result, disabled, large bool) error {
	switch {
	case disabled:
		return wfv.OptimiseRest(m, tm, results, "default<O1>", llvm.PassOptions{})
	case large:
		return wfv.OptimiseRest(m, tm, results, light, llvm.PassOptions{})
	}
	return wfv.OptimiseRest(m, tm, results, "default<O3>", llvm.PassOptions{LoopVectorize: true, SLPVectorize: true, Unroll: true, Interleave: true})
}

// crowded is how many accesses to memory a block may have before they take too long to schedule.
const crowded = 2000

// manyBlocks is how many blocks a function may have before good code for it takes too long: twice as many take four times as long.
const manyBlocks = 3000

// codeLevel is how good the code of m may be.
func codeLevel(m llvm.Module, large bool) llvm.CodeLevel {
	if !large {
		return llvm.CodeBest
	}
	for _, f := range m.Functions() {
		blocks := f.Blocks()
		if len(blocks) > manyBlocks {
			return llvm.CodeQuick
		}
		for _, b := range blocks {
			n := 0
			for i := b.First(); i != 0; i = i.Next() {
				if op := i.Opcode(); op == llvm.OpLoad || op == llvm.OpStore {
					n++
				}
			}
			if n > crowded {
				return llvm.CodeQuick
			}
		}
	}
	return llvm.CodeFast
}
