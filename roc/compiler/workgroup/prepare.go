// Package workgroup turns the kernels of an LLVM module into native kernels: functions that run whole work-groups, with
// the calling convention of package codeobject.
//
//  1. Prepare (once a module): C calling conventions, queries in canonical form, guarded divisions, everything inlined,
//     and the IR cleaned up. A kernel is then one function without calls except to queries, barriers, functions of lanes, what the caller
//     allows, and, if it is very large, functions that need nothing of the transforms (keepCalls).
//  2. Lower (once a kernel): places kernel-scope __local variables, wraps the kernel in loops over groups and work-items,
//     or, with barriers, makes it resumable. The vectoriser uses the same Wrapper around its own functions. Kernels that use
//     sub-groups go through SettleSubGroups first.
//
// The module comes from clang with -ffake-address-space-map and -disable-llvm-passes, with the builtins linked in.
package workgroup

import (
	"fmt"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// spirKernel is the calling convention clang gives kernels (llvm::CallingConv::SPIR_KERNEL).
const spirKernel = 76

// canonical is what makes kernels small before they are cut at barriers. Nothing here duplicates code or vectorises. Functions
// are tidied up before they are inlined, from the leaves up: once, not in every copy; those that nothing calls go first.
const canonical = "globaldce,cgscc(inline<only-mandatory>,function(lower-expect,sroa,early-cse,simplifycfg)),always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg)"

// Prepare brings a module to the form that Lower and the vectoriser take, and returns its kernels. Allowed says which
// undefined functions kernels may call (those of libm, say). The error names the function that is undefined or recursive.
func Prepare(m llvm.Module, tm llvm.TargetMachine, allowed func(name string) bool) ([]llvm.Value, error) {
	return prepare(m, tm, allowed, usualLimits)
}

func prepare(m llvm.Module, tm llvm.TargetMachine, allowed func(name string) bool, l limits) ([]llvm.Value, error) {
	c := m.Context()
	b := c.NewBuilder()
	defer b.Dispose()
	canonicalQueries(m, b)
	settleConstants(m)
	if err := lowerPrintf(m, b); err != nil {
		return nil, err
	}
	var kernels []llvm.Value
	sizes := map[llvm.Value]int{}
	inline := c.EnumAttribute("alwaysinline", 0)
	for _, f := range m.Functions() {
		name := f.Name()
		lanes := isLanes(name)
		keep := IsBarrier(name) || name == subGroupMeet || lanes // stays convergent: no pass may move it into or out of a condition
		isKernel := f.CallConv() == spirKernel
		if isKernel {
			f.SetCallConv(0)
		}
		if strings.HasPrefix(name, "llvm.") || IsPrint(name) {
			continue
		}
		if !keep {
			f.RemoveAttribute(llvm.FunctionIndex, "convergent")
		}
		for _, call := range f.Users() {
			if !call.IsInstruction() || call.Opcode() != llvm.OpCall {
				continue
			}
			if isKernel {
				call.SetCallSiteConv(0)
			}
			if !keep {
				call.RemoveCallAttribute(llvm.FunctionIndex, "convergent")
				call.RemoveCallAttribute(llvm.FunctionIndex, "noinline")
			}
		}
		if f.IsDeclaration() {
			continue
		}
		for _, a := range []string{"noinline", "optnone"} {
			f.RemoveAttribute(llvm.FunctionIndex, a)
		}
		if !lanes {
			f.AddAttribute(llvm.FunctionIndex, inline)
		}
		if isKernel {
			kernels = append(kernels, f)
			ownByval(m, b, f)
		} else {
			f.SetLinkage(llvm.Internal)
		}
		for _, bb := range f.Blocks() {
			for i := bb.First(); i != 0; i = i.Next() {
				sizes[f]++
				if op := i.Opcode(); op == llvm.OpUDiv || op == llvm.OpSDiv || op == llvm.OpURem || op == llvm.OpSRem {
					guardDivision(c, b, i)
				}
			}
		}
	}
	small, err := keepCalls(m, tm, kernels, sizes, l)
	if err != nil {
		return nil, err
	}
	if err := m.RunPasses(canonical, tm, llvm.PassOptions{}); err != nil {
		return nil, err
	}
	if err := settleKept(m, tm, small); err != nil {
		return nil, err
	}
	if err := settleBlocks(m, tm, kernels); err != nil {
		return nil, err
	}
	for _, k := range kernels {
		if private, _ := weigh(m, k); private > MostMemory {
			return nil, fmt.Errorf("error: kernel %s has more than %d bytes of private memory", k.Name(), MostMemory)
		}
		check := checker{kernel: k, allowed: allowed, seen: map[llvm.Value]bool{}}
		if err := check.function(k); err != nil {
			return nil, err
		}
	}
	return kernels, nil
}

// ownByval gives a kernel a copy of each structure passed by value, instead of the promise that its caller made one.
// Where the kernel only reads it, instcombine takes the copy away again.
func ownByval(m llvm.Module, b llvm.Builder, kernel llvm.Value) {
	c := m.Context()
	for i := range kernel.NumParams() {
		at := llvm.Index(i + 1)
		a := kernel.Attribute(at, "byval")
		if a == 0 {
			continue
		}
		t, p := a.Type(), kernel.Param(i)
		b.Before(kernel.Entry().First())
		own := b.Alloca(t)
		if n := int(kernel.Attribute(at, "align").Int()); n > m.Layout().Align(t) {
			own.SetAlign(n)
		}
		p.ReplaceUses(own)
		b.MemCpy(own, own.Align(), p, 1, c.I64().ConstInt(int64(m.Layout().Size(t))))
		for _, n := range []string{"byval", "align"} {
			kernel.RemoveAttribute(at, n)
		}
		for _, n := range []string{"noalias", "readonly"} {
			kernel.AddAttribute(at, c.EnumAttribute(n, 0))
		}
	}
}

// MostMemory is how many bytes of local memory, and of private memory, a kernel may have of its own: what counts them has 32 bits.
const MostMemory = 1 << 30

// checker finds what cannot be in a kernel: recursion (not inlined), undefined functions, calls through pointers.
type checker struct {
	kernel  llvm.Value
	allowed func(name string) bool
	seen    map[llvm.Value]bool
}

// function looks at the kernel, or at a function that it calls.
func (k *checker) function(f llvm.Value) error {
	if k.seen[f] {
		return nil
	}
	k.seen[f] = true
	for _, bb := range f.Blocks() {
		for i := bb.First(); i != 0; i = i.Next() {
			if i.Opcode() != llvm.OpCall {
				continue
			}
			if err := k.call(i.Callee()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *checker) call(f llvm.Value) error {
	name := f.Name()
	switch {
	case f.IsInstruction() || f.IsArgument():
		return fmt.Errorf("kernel %s calls a function through a pointer", k.kernel.Name())
	case !f.IsFunction() || strings.HasPrefix(name, "llvm.") || IsMarker(name) || isLanes(name):
		return nil
	case isKept(f):
		return k.function(f)
	case !f.IsDeclaration():
		return fmt.Errorf("kernel %s: function %s is recursive", k.kernel.Name(), name)
	case k.allowed == nil || !k.allowed(name):
		return fmt.Errorf("kernel %s: undefined function %s", k.kernel.Name(), name)
	}
	return nil
}
