package llvm

import (
	"errors"
	"unsafe"
)

// TargetMachine generates code for a processor.
type TargetMachine uintptr

// initTarget registers the back end of x86-64, the only processor of the embedded agent so far.
func initTarget() error {
	for _, f := range []uintptr{fn.InitializeX86TargetInfo, fn.InitializeX86Target, fn.InitializeX86TargetMC, fn.InitializeX86AsmPrinter} {
		call(f)
	}
	return nil
}

// HostCPU is the name of this machine's processor, HostFeatures its features as "+avx2,-avx512f,...".
func HostCPU() string      { return owned(call(fn.GetHostCPUName)) }
func HostFeatures() string { return owned(call(fn.GetHostCPUFeatures)) }

// CodeLevel says how much time a code generator takes for good code.
type CodeLevel uintptr

const (
	CodeQuick CodeLevel = 0 // no scheduling at all: its time is quadratic in a block's accesses to memory
	CodeFast  CodeLevel = 1 // no scheduling after registers are allocated
	CodeBest  CodeLevel = 3
)

// NewTargetMachine makes a code generator for position-independent code.
func NewTargetMachine(triple, cpu, features string, level CodeLevel) (TargetMachine, error) {
	var target, msg uintptr
	t := cbytes(triple)
	if truth(call(fn.GetTargetFromTriple, uintptr(unsafe.Pointer(t)), uintptr(unsafe.Pointer(&target)), uintptr(unsafe.Pointer(&msg)))) {
		return 0, errors.New(owned(msg))
	}
	const pic, defaultModel = 2, 0
	tm := call(fn.CreateTargetMachine, target, uintptr(unsafe.Pointer(t)), uintptr(unsafe.Pointer(cbytes(cpu))), uintptr(unsafe.Pointer(cbytes(features))), uintptr(level), pic, defaultModel)
	if tm == 0 {
		return 0, errors.New("no code generator for " + triple)
	}
	return TargetMachine(tm), nil
}

func (t TargetMachine) Dispose()    { call(fn.DisposeTargetMachine, uintptr(t)) }
func (t TargetMachine) CPU() string { return owned(call(fn.GetTargetMachineCPU, uintptr(t))) }
func (t TargetMachine) Features() string {
	return owned(call(fn.GetTargetMachineFeatureString, uintptr(t)))
}

// Layout is the target's data layout; dispose of it.
func (t TargetMachine) Layout() Layout { return Layout(call(fn.CreateTargetDataLayout, uintptr(t))) }
func (l Layout) Dispose()              { call(fn.DisposeTargetData, uintptr(l)) }

// FileType of Emit.
type FileType int32

const (
	Assembly FileType = 0
	Object   FileType = 1
)

// Emit generates code. The module is changed by it and only good to be disposed of afterwards.
func (t TargetMachine) Emit(m Module, kind FileType) ([]byte, error) {
	var msg uintptr
	var buf buffer
	if truth(call(fn.TargetMachineEmitToMemoryBuffer, uintptr(t), uintptr(m), uintptr(kind), uintptr(unsafe.Pointer(&msg)), uintptr(unsafe.Pointer(&buf)))) {
		return nil, errors.New(owned(msg))
	}
	defer buf.Dispose()
	return buf.Bytes(), nil
}
