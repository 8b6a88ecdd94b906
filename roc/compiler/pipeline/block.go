package pipeline

import (
	"strings"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// Blocks that kernels enqueue (OpenCL C 3.0 section 6.15.18). clang makes a kernel of each, called X_kernel if the block's
// function is X, whose first argument is the block literal and whose others are its local-memory arguments, and passes the
// kernel's address to __enqueue_kernel_basic and the like. A native kernel is no good there: the address becomes that of a
// codeobject.BlockDescriptor.

// descriptorPrefix starts the names of descriptors, which no function of a program can have.
const descriptorPrefix = "block."

func isDescriptor(g llvm.Value) bool { return strings.HasPrefix(g.Name(), descriptorPrefix) }

// isBlock says whether a kernel is that of a block: clang describes the arguments of all others.
func isBlock(m llvm.Module, kernel llvm.Value) bool {
	c := m.Context()
	return kernel.GlobalMetadata(c, c.MDKind("kernel_arg_type")) == 0
}

// hideBlocks has the kernels of blocks be local to their module, since functions of the same name in modules that are linked
// together may each have blocks. It says whether there are any.
func hideBlocks(m llvm.Module) (any bool) {
	for _, f := range m.Functions() {
		if f.CallConv() == spirKernel && !f.IsDeclaration() && isBlock(m, f) {
			f.SetLinkage(llvm.Internal)
			any = true
		}
	}
	return any
}

// prepareBlocks gives each block's kernel its descriptor.
func prepareBlocks(m llvm.Module) {
	c := m.Context()
	for _, f := range m.Functions() {
		if f.CallConv() != spirKernel || f.IsDeclaration() || !isBlock(m, f) {
			continue
		}
		t := c.I64().Array(codeobject.BlockDescriptorSize / 8)
		d := m.AddGlobal(descriptorPrefix+f.Name(), t, 0)
		d.SetInitializer(t.Null())
		d.SetAlign(8)
		f.ReplaceUses(d)
		f.SetLinkage(llvm.External)
		// The literal is a copy that belongs to the launch, and blocks of OpenCL C cannot change what they capture.
		f.AddAttribute(1, c.EnumAttribute("noalias", 0))
		if len(m.NamedMetadata(spirvMark)) == 0 {
			f.AddAttribute(1, c.EnumAttribute("readonly", 0))
		}
	}
	// Of the functions that enqueue, one is declared with the NDRange's address but called with a copy.
	if f := m.Function("__enqueue_kernel_basic"); f != 0 {
		for _, call := range f.Users() {
			if call.IsInstruction() && call.Opcode() == llvm.OpCall {
				call.RemoveCallAttribute(3, "byval")
			}
		}
	}
}

// describeBlock is describe for the kernel of a block.
func describeBlock(m llvm.Module, kernel llvm.Value) codeobject.KernelInfo {
	k := codeobject.KernelInfo{Name: kernel.Name(), Descriptor: descriptorPrefix + kernel.Name(), UniformGroups: uniform(m)}
	k.Args = append(k.Args, codeobject.ArgInfo{Kind: codeobject.ArgGlobal, Size: 8})
	offset := uint32(8)
	for range kernel.NumParams() - 1 {
		k.Args = append(k.Args, codeobject.ArgInfo{Kind: codeobject.ArgLocal, Size: 4, Offset: offset, PointeeAlign: 128})
		offset += 4
	}
	k.HiddenOffset = (offset + 7) &^ 7
	k.KernargSize = k.HiddenOffset + codeobject.HiddenSize
	return k
}

// uniform says whether a module has been compiled with -cl-uniform-work-group-size. clang notes it for kernels.
func uniform(m llvm.Module) bool {
	for _, f := range m.Functions() {
		if f.CallConv() != spirKernel {
			continue
		}
		if text, ok := f.StringAttribute(llvm.FunctionIndex, "uniform-work-group-size"); ok && text == "true" {
			return true
		}
	}
	return false
}

// enqueuers are the functions whose errors are told apart only in programs built with -g: "If the -g compile option is
// specified [...] the following errors may be returned instead of CLK_ENQUEUE_FAILURE to indicate why" (OpenCL C 3.0 section
// 6.15.18.1).
var enqueuers = []string{"__enqueue_kernel_basic", "__enqueue_kernel_basic_events", "__enqueue_kernel_varargs",
	"__enqueue_kernel_events_varargs", "_Z14enqueue_marker9ocl_queuejPU9CLgenericK12ocl_clkeventPU9CLgenericS0_"}

// coarsen makes CLK_ENQUEUE_FAILURE of all their errors, and says whether there are calls of them.
func coarsen(m llvm.Module) (changed bool) {
	const failure = -101
	c := m.Context()
	b := c.NewBuilder()
	defer b.Dispose()
	zero := c.I32().ConstInt(0)
	for _, name := range enqueuers {
		f := m.Function(name)
		if f == 0 || !f.IsDeclaration() {
			continue
		}
		for _, call := range f.Users() {
			if !call.IsInstruction() || call.Opcode() != llvm.OpCall {
				continue
			}
			changed = true
			b.Before(call.Next())
			failed := b.ICmp(llvm.IntNE, call, zero)
			r := b.Select(failed, c.I32().ConstInt(failure), zero)
			call.ReplaceUses(r)
			failed.SetOperand(0, call)
		}
	}
	return changed
}
