package llvm

import "unsafe"

// PassOptions are settings of RunPasses that are not part of the pipeline's text.
type PassOptions struct {
	LoopVectorize, SLPVectorize, Unroll, Interleave bool
	VerifyEach                                      bool
}

// RunPasses runs a pipeline in the syntax of opt -passes, e.g. "default<O2>" or "function(sroa,instcombine<no-verify-fixpoint>)".
// A name that LLVM does not know is an error. Target may be zero.
func (m Module) RunPasses(pipeline string, target TargetMachine, o PassOptions) error {
	opts := call(fn.CreatePassBuilderOptions)
	defer call(fn.DisposePassBuilderOptions, opts)
	call(fn.PassBuilderOptionsSetLoopVectorization, opts, boolean(o.LoopVectorize))
	call(fn.PassBuilderOptionsSetSLPVectorization, opts, boolean(o.SLPVectorize))
	call(fn.PassBuilderOptionsSetLoopUnrolling, opts, boolean(o.Unroll))
	call(fn.PassBuilderOptionsSetLoopInterleaving, opts, boolean(o.Interleave))
	call(fn.PassBuilderOptionsSetVerifyEach, opts, boolean(o.VerifyEach))
	return failure(call(fn.RunPasses, uintptr(m), uintptr(unsafe.Pointer(cbytes(pipeline))), uintptr(target), opts))
}
