package pipeline

import (
	"errors"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/spirv"
)

// A SPIR-V module enqueues a function, not a block: OpEnqueueKernel names it, and some memory whose address is its first argument.
// The translator calls the functions that clang calls for a block, but says nothing of how much memory there is, which clang
// writes to the start of the literal; package spirv says it in a call just before. So a literal is made of the memory, and a kernel
// of a block that calls the function with the address of what lies behind the literal's head.

// literalHead is the size of a block literal's own fields: its size and its alignment, 4 bytes each.
const literalHead = 8

// invokeOperand says where the function is in the arguments of the functions that take one. The memory comes next.
var invokeOperand = map[string]int{
	"__enqueue_kernel_basic": 3, "__enqueue_kernel_basic_events": 6, "__enqueue_kernel_varargs": 3, "__enqueue_kernel_events_varargs": 6,
	"__get_kernel_work_group_size_impl": 0, "__get_kernel_preferred_work_group_size_multiple_impl": 0,
	"__get_kernel_sub_group_count_for_ndrange_impl": 1, "__get_kernel_max_sub_group_size_for_ndrange_impl": 1,
}

// rangeOperand says where the NDRange is in the arguments of those that take one.
var rangeOperand = map[string]int{
	"__enqueue_kernel_basic": 2, "__enqueue_kernel_basic_events": 2, "__enqueue_kernel_varargs": 2, "__enqueue_kernel_events_varargs": 2,
	"__get_kernel_sub_group_count_for_ndrange_impl": 0, "__get_kernel_max_sub_group_size_for_ndrange_impl": 0,
}

var errBlock = errors.New("error: what OpEnqueueKernel invokes is no function of a pointer and pointers to local memory")

// blockMaker makes kernels of blocks for the functions that a module enqueues.
type blockMaker struct {
	m       llvm.Module
	c       llvm.Context
	b       llvm.Builder
	kernels map[block]llvm.Value
}

// block is a function that expects its memory so many bytes behind the literal's start.
type block struct {
	f      llvm.Value
	offset int64
}

// makeBlocks turns all of m's enqueued functions into blocks.
func makeBlocks(m llvm.Module) error {
	k := blockMaker{m: m, c: m.Context(), b: m.Context().NewBuilder(), kernels: map[block]llvm.Value{}}
	defer k.b.Dispose()
	for name, at := range rangeOperand {
		for _, call := range k.calls(name) {
			k.passAddress(call, at)
		}
	}
	if marker := m.Function(spirv.EnqueueMarker); marker != 0 {
		for _, call := range marker.Users() {
			if err := k.enqueue(call); err != nil {
				return err
			}
			call.Erase()
		}
		marker.DeleteFunction()
	}
	for name, at := range invokeOperand {
		for _, call := range k.calls(name) {
			if err := k.invoke(call, at, literalHead); err != nil {
				return err
			}
		}
	}
	k.demote()
	return nil
}

// calls are those of a function.
func (k *blockMaker) calls(name string) (calls []llvm.Value) {
	f := k.m.Function(name)
	if f == 0 {
		return nil
	}
	for _, u := range f.Users() {
		if u.IsInstruction() && u.Opcode() == llvm.OpCall && u.Callee() == f {
			calls = append(calls, u)
		}
	}
	return calls
}

// passAddress has a call pass the address of a structure that it passes by value, as the specification of SPIR-V has it. clang and
// the translator of OpenCL C pass the address.
func (k *blockMaker) passAddress(call llvm.Value, at int) {
	t := call.CalleeType()
	params := t.Params()
	if params[at].Kind() == llvm.PointerKind {
		return
	}
	k.b.Before(call.Block().Parent().Entry().First())
	memory := k.b.Alloca(params[at])
	k.b.Before(call)
	k.b.Store(call.Operand(at), memory)
	args := make([]llvm.Value, len(params))
	for i := range args {
		args[i] = call.Operand(i)
	}
	args[at], params[at] = memory, k.c.Ptr(0)
	r := k.b.Call(llvm.Function(t.Result(), params...), call.Callee(), args...)
	call.ReplaceUses(r)
	call.Erase()
}

// enqueue makes the literal for the call that the marker stands before.
func (k *blockMaker) enqueue(marker llvm.Value) error {
	size, align := marker.Operand(0), marker.Operand(1)
	if !size.IsConstantInt() || !align.IsConstantInt() {
		return errors.New("error: the size of what OpEnqueueKernel passes is not constant")
	}
	offset := max(literalHead, align.Int())
	if n := offset + size.Int(); align.Int() < 0 || size.Int() < 0 || offset&(offset-1) != 0 || n > 1<<16 {
		return errors.New("error: OpEnqueueKernel passes memory of an impossible size or alignment")
	}
	for call := marker.Next(); call != 0; call = call.Next() {
		if call.Opcode() != llvm.OpCall || !call.Callee().IsFunction() {
			continue
		}
		at, ok := invokeOperand[call.Callee().Name()]
		if !ok {
			continue
		}
		k.literal(call, at+1, size.Int(), offset)
		return k.invoke(call, at, offset)
	}
	return errBlock
}

// literal copies the memory that a call gets as an argument into a literal and passes that instead.
func (k *blockMaker) literal(call llvm.Value, at int, size, offset int64) {
	i8, i32, i64 := k.c.I8(), k.c.I32(), k.c.I64()
	k.b.Before(call.Block().Parent().Entry().First())
	memory := k.b.Alloca(i64.Array(uint64(offset+size+7) / 8))
	memory.SetAlign(int(offset))
	k.b.Before(call)
	field := func(at int64) llvm.Value { return k.b.GEP(i8, memory, i64.ConstInt(at)) }
	k.b.Store(i32.ConstInt(offset+size), memory)
	k.b.Store(i32.ConstInt(offset), field(4))
	if size > 0 {
		k.b.MemCpy(field(offset), int(offset), call.Operand(at), 1, i64.ConstInt(size))
	}
	call.SetOperand(at, k.b.Cast(llvm.OpAddrSpaceCast, memory, k.c.Ptr(4)))
}

// invoke puts the kernel of a block in the place of the function that a call gets as an argument.
func (k *blockMaker) invoke(call llvm.Value, at int, offset int64) error {
	f := call.Operand(at)
	for !f.IsFunction() {
		if f.IsInstruction() && (f.Opcode() == llvm.OpAddrSpaceCast || f.Opcode() == llvm.OpBitCast) ||
			f.IsConstantExpr() && (f.ConstOpcode() == llvm.OpAddrSpaceCast || f.ConstOpcode() == llvm.OpBitCast) {
			f = f.Operand(0)
			continue
		}
		return errBlock
	}
	if isMade := k.made(f); isMade {
		return nil
	}
	kernel, err := k.kernel(block{f, offset})
	if err != nil {
		return err
	}
	k.b.Before(call)
	call.SetOperand(at, k.b.Cast(llvm.OpAddrSpaceCast, kernel, k.c.Ptr(4)))
	return nil
}

// made says whether f is a kernel of ours.
func (k *blockMaker) made(f llvm.Value) bool {
	for _, kernel := range k.kernels {
		if kernel == f {
			return true
		}
	}
	return false
}

// kernel returns the kernel of a block.
func (k *blockMaker) kernel(w block) (llvm.Value, error) {
	if made, ok := k.kernels[w]; ok {
		return made, nil
	}
	t := w.f.ValueType()
	params := t.Params()
	if w.f.IsDeclaration() || len(params) == 0 || t.Result().Kind() != llvm.VoidKind {
		return 0, errBlock
	}
	types := []llvm.Type{k.c.Ptr(4)}
	for i, p := range params {
		if p.Kind() != llvm.PointerKind || i > 0 && p.AddressSpace() != 3 {
			return 0, errBlock
		}
		if i > 0 {
			types = append(types, p)
		}
	}
	kernel := k.m.AddFunction(w.f.Name()+".block", llvm.Function(k.c.Void(), types...))
	kernel.SetCallConv(spirKernel)
	k.b.AtEnd(k.c.AppendBlock(kernel, "entry"))
	args := []llvm.Value{k.b.GEP(k.c.I8(), kernel.Param(0), k.c.I64().ConstInt(w.offset))}
	if space := params[0].AddressSpace(); space != 4 {
		args[0] = k.b.Cast(llvm.OpAddrSpaceCast, args[0], params[0])
	}
	for i := range params[1:] {
		args = append(args, kernel.Param(i+1))
	}
	k.b.Call(t, w.f, args...).SetCallSiteConv(w.f.CallConv())
	k.b.RetVoid()
	k.kernels[w] = kernel
	return kernel, nil
}

// demote makes plain functions of enqueued entry points that the host cannot launch, for want of an argument for them: translators
// of OpenCL C make entry points of blocks.
func (k *blockMaker) demote() {
	for w := range k.kernels {
		if w.f.CallConv() != spirKernel || w.f.ValueType().Params()[0].AddressSpace()%4 != 0 {
			continue
		}
		w.f.SetCallConv(0)
		w.f.SetLinkage(llvm.Internal)
		for _, call := range w.f.Users() {
			if call.IsInstruction() && call.Opcode() == llvm.OpCall && call.Callee() == w.f {
				call.SetCallSiteConv(0)
			}
		}
	}
}
