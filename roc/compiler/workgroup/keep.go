package workgroup

import (
	"fmt"
	"slices"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// Inlining gives a kernel a copy of a function for each call, and where functions call functions the copies multiply: a few
// thousand lines become a million instructions. In a kernel that would be too large to be vectorised anyway, large functions
// that are called from several places stay functions. Not those that ask for the place of the work-item or wait for others,
// and whatever calls them: the transforms need to see that in the kernel.

// limits say when calls are kept, in instructions.
type limits struct {
	kernel   int // a kernel of more than this, with everything inlined, keeps calls
	function int // of functions that have at least so many
}

var usualLimits = limits{kernel: 24000, function: 150}

// mostInlined is how many instructions a kernel may have. One that has more would take hours, and more memory than there is.
const mostInlined = 1 << 20

// tidy makes functions about as small as they will be, so that their size means something.
const tidy = "globaldce,function(lower-expect,sroa,early-cse,simplifycfg)"

// keptPrefix begins the names of functions that stay. It keeps them from being taken for functions of C.
const keptPrefix = "function."

// Kept lists the functions of a prepared module that kernels call.
func Kept(m llvm.Module) (r []llvm.Value) {
	for _, f := range m.Functions() {
		if isKept(f) {
			r = append(r, f)
		}
	}
	return r
}

func isKept(f llvm.Value) bool { return strings.HasPrefix(f.Name(), keptPrefix) && !f.IsDeclaration() }

// CallsAny says whether a kernel calls one of some functions.
func CallsAny(kernel llvm.Value, functions []llvm.Value) bool {
	return slices.ContainsFunc(functions, func(f llvm.Value) bool { return len(callsIn(kernel, f)) > 0 })
}

// callsIn lists the calls of a function in a kernel.
func callsIn(kernel, f llvm.Value) (r []llvm.Value) {
	for _, u := range f.Users() {
		if u.IsInstruction() && u.Block().Parent() == kernel {
			r = append(r, u)
		}
	}
	return r
}

// keepCalls chooses the functions that stay and takes their duty to be inlined from them. sizes are the instructions that
// functions have. It returns the kernels that are small: into those they are to be inlined all the same.
func keepCalls(m llvm.Module, tm llvm.TargetMachine, kernels []llvm.Value, sizes map[llvm.Value]int, l limits) (small []llvm.Value, err error) {
	if !readCalls(m, kernels, func(f llvm.Value) int { return sizes[f] }).anyAbove(l.kernel) {
		return nil, nil
	}
	if err := m.RunPasses(tidy, tm, llvm.PassOptions{}); err != nil {
		return nil, err
	}
	g := readCalls(m, kernels, countInstructions)
	if !g.anyAbove(l.kernel) {
		return nil, nil
	}
	g.choose(l)
	for _, f := range g.functions {
		switch {
		case f.kernel && f.body > mostInlined:
			return nil, fmt.Errorf("error: kernel %s has more than %d instructions when its functions are inlined", f.value.Name(), mostInlined)
		case f.kernel && f.inlined <= l.kernel:
			small = append(small, f.value)
		case f.stays:
			f.value.RemoveAttribute(llvm.FunctionIndex, "alwaysinline")
			f.value.SetName(keptPrefix + f.value.Name())
		}
	}
	return small, nil
}

// settleKept inlines what stays into the kernels that are small, and sees to it that no pass inlines it into others.
func settleKept(m llvm.Module, tm llvm.TargetMachine, small []llvm.Value) error {
	inline, stay := m.Context().EnumAttribute("alwaysinline", 0), m.Context().EnumAttribute("noinline", 0)
	for { // what is inlined may call others, but none calls itself
		again := false
		for _, f := range Kept(m) {
			for _, kernel := range small {
				for _, call := range callsIn(kernel, f) {
					call.AddCallAttribute(llvm.FunctionIndex, inline)
					again = true
				}
			}
		}
		if !again {
			break
		}
		if err := m.RunPasses(canonical, tm, llvm.PassOptions{}); err != nil {
			return err
		}
	}
	for _, f := range Kept(m) {
		f.AddAttribute(llvm.FunctionIndex, stay)
		PlainAtomics(m, f, spaceLocal) // kernels that call it are in scalar form
	}
	return nil
}

// callGraph is the functions that a module's kernels call, and the kernels.
type callGraph struct {
	functions []*function // callees first
}

type function struct {
	value   llvm.Value
	kernel  bool
	size    int         // instructions
	calls   []*function // the defined ones it calls, one for each call
	open    bool        // while calls are followed
	fixed   bool        // it may not stay
	inlined int         // instructions with everything inlined
	copies  int         // how many of it the kernels that keep calls get
	stays   bool
	body    int // instructions with everything inlined that does not stay
}

// readCalls reads the call graph. Where the address of a function is taken, as of blocks, nobody knows who calls it, and
// everything is inlined as far as it will.
func readCalls(m llvm.Module, kernels []llvm.Value, size func(llvm.Value) int) *callGraph {
	of := map[llvm.Value]*function{}
	for _, f := range m.Functions() {
		if !f.IsDeclaration() && !IsPrint(f.Name()) {
			of[f] = &function{value: f, kernel: slices.Contains(kernels, f), size: size(f)}
		}
	}
	unknown := false
	for _, f := range m.Functions() {
		callee := of[f]
		name := f.Name()
		marker := IsMarker(name) && name != ImageFetch && name != ImageStore
		if callee == nil && !marker {
			continue
		}
		for _, u := range f.Users() {
			if !u.IsInstruction() || u.Opcode() != llvm.OpCall || u.Callee() != f {
				unknown = unknown || callee != nil
				continue
			}
			caller := of[u.Block().Parent()]
			switch {
			case caller == nil:
			case marker:
				caller.fixed = true
			default:
				caller.calls = append(caller.calls, callee)
			}
		}
	}
	for _, v := range m.Globals() {
		if v.Type().AddressSpace() == spaceLocal {
			eachUser(v, func(i llvm.Value) {
				if f := of[i.Block().Parent()]; f != nil {
					f.fixed = true
				}
			})
		}
	}
	g := &callGraph{}
	done := map[*function]bool{}
	for _, k := range kernels {
		g.visit(of[k], done)
	}
	for _, f := range g.functions {
		f.fixed = f.fixed || f.kernel || unknown
	}
	return g
}

// visit adds what f calls, and f. Functions that call themselves are fixed: that they cannot be inlined is how recursion is found.
func (g *callGraph) visit(f *function, done map[*function]bool) {
	if done[f] {
		return
	}
	done[f], f.open = true, true
	f.inlined = f.size
	for _, callee := range f.calls {
		g.visit(callee, done)
		f.fixed = f.fixed || callee.fixed || callee.open
		f.inlined = min(f.inlined+callee.inlined, 1<<40)
	}
	f.open = false
	g.functions = append(g.functions, f)
}

func (g *callGraph) anyAbove(limit int) bool {
	return slices.ContainsFunc(g.functions, func(f *function) bool { return f.kernel && f.inlined > limit })
}

// choose decides what stays: first by what is large with all that it calls, then by what is left of that.
func (g *callGraph) choose(l limits) {
	for _, f := range slices.Backward(g.functions) {
		f.stays = !f.fixed && f.copies > 1 && f.inlined >= l.function
		each := f.copies
		switch {
		case f.kernel && f.inlined <= l.kernel:
			continue
		case f.kernel || f.stays:
			each = 1
		}
		for _, callee := range f.calls {
			callee.copies = min(callee.copies+each, 1<<40)
		}
	}
	for _, f := range g.functions {
		f.body = f.size
		for _, callee := range f.calls {
			if !callee.stays {
				f.body = min(f.body+callee.body, 1<<40)
			}
		}
		f.stays = f.stays && f.body >= l.function
	}
}

// eachUser calls do for the instructions that use a constant, or a constant made of it.
func eachUser(v llvm.Value, do func(i llvm.Value)) {
	for _, u := range v.Users() {
		switch {
		case u.IsInstruction():
			do(u)
		case u.IsConstant():
			eachUser(u, do)
		}
	}
}

func countInstructions(f llvm.Value) (n int) {
	for _, b := range f.Blocks() {
		for i := b.First(); i != 0; i = i.Next() {
			n++
		}
	}
	return n
}
