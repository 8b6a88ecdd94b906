package llvm

import "unsafe"

// Block is a basic block.
type Block uintptr

// AppendBlock adds an empty block at the end of a function.
func (c Context) AppendBlock(f Value, name string) Block {
	return Block(call(fn.AppendBasicBlockInContext, uintptr(c), uintptr(f), uintptr(unsafe.Pointer(cbytes(name)))))
}

func (b Block) MoveAfter(a Block)  { call(fn.MoveBasicBlockAfter, uintptr(b), uintptr(a)) }
func (b Block) MoveBefore(a Block) { call(fn.MoveBasicBlockBefore, uintptr(b), uintptr(a)) }

// MoveTo takes a block out of its function and appends it to another. Its instructions keep their operands, so what they
// use of the old function must be replaced.
func (b Block) MoveTo(f Value) {
	call(fn.RemoveBasicBlockFromParent, uintptr(b))
	call(fn.AppendExistingBasicBlock, uintptr(f), uintptr(b))
}
func (b Block) Delete()           { call(fn.DeleteBasicBlock, uintptr(b)) }
func (b Block) Parent() Value     { return Value(call(fn.GetBasicBlockParent, uintptr(b))) }
func (b Block) Terminator() Value { return Value(call(fn.GetBasicBlockTerminator, uintptr(b))) }
func (b Block) First() Value      { return Value(call(fn.GetFirstInstruction, uintptr(b))) }
func (b Block) Last() Value       { return Value(call(fn.GetLastInstruction, uintptr(b))) }

// Instructions lists a block's instructions, the terminator last.
func (b Block) Instructions() []Value {
	var r []Value
	for i := call(fn.GetFirstInstruction, uintptr(b)); i != 0; i = call(fn.GetNextInstruction, i) {
		r = append(r, Value(i))
	}
	return r
}

// Next is the instruction after v in its block, zero at the end.
func (v Value) Next() Value     { return Value(call(fn.GetNextInstruction, uintptr(v))) }
func (v Value) Previous() Value { return Value(call(fn.GetPreviousInstruction, uintptr(v))) }
func (v Value) Block() Block    { return Block(call(fn.GetInstructionParent, uintptr(v))) }
func (v Value) Opcode() Opcode  { return Opcode(int32(call(fn.GetInstructionOpcode, uintptr(v)))) }
func (v Value) Erase()          { call(fn.InstructionEraseFromParent, uintptr(v)) }
func (v Value) Remove()         { call(fn.InstructionRemoveFromParent, uintptr(v)) }

// Clone copies an instruction; the copy has no place yet (Builder.Insert).
func (v Value) Clone() Value { return Value(call(fn.InstructionClone, uintptr(v))) }

func (v Value) NumOperands() int { return int(int32(call(fn.GetNumOperands, uintptr(v)))) }

// Operand reads an operand; of a call, the callee is the last.
func (v Value) Operand(i int) Value       { return Value(call(fn.GetOperand, uintptr(v), uintptr(i))) }
func (v Value) SetOperand(i int, x Value) { call(fn.SetOperand, uintptr(v), uintptr(i), uintptr(x)) }

// Terminators.

func (v Value) NumSuccessors() int    { return int(uint32(call(fn.GetNumSuccessors, uintptr(v)))) }
func (v Value) Successor(i int) Block { return Block(call(fn.GetSuccessor, uintptr(v), uintptr(i))) }
func (v Value) SetSuccessor(i int, b Block) {
	call(fn.SetSuccessor, uintptr(v), uintptr(i), uintptr(b))
}

// Condition is what a conditional branch looks at; of a switch it is operand 0.
func (v Value) Condition() Value     { return Value(call(fn.GetCondition, uintptr(v))) }
func (v Value) SetCondition(c Value) { call(fn.SetCondition, uintptr(v), uintptr(c)) }
func (v Value) IsConditional() bool  { return truth(call(fn.IsConditional, uintptr(v))) }

// AddCase adds a case to a switch instruction.
func (v Value) AddCase(on Value, to Block) { call(fn.AddCase, uintptr(v), uintptr(on), uintptr(to)) }

// Phi nodes.

func (v Value) NumIncoming() int { return int(uint32(call(fn.CountIncoming, uintptr(v)))) }
func (v Value) Incoming(i int) (Value, Block) {
	return Value(call(fn.GetIncomingValue, uintptr(v), uintptr(i))), Block(call(fn.GetIncomingBlock, uintptr(v), uintptr(i)))
}
func (v Value) AddIncoming(x Value, from Block) {
	call(fn.AddIncoming, uintptr(v), uintptr(unsafe.Pointer(&x)), uintptr(unsafe.Pointer(&from)), 1)
}

// Calls.

func (v Value) Callee() Value          { return Value(call(fn.GetCalledValue, uintptr(v))) }
func (v Value) CalleeType() Type       { return Type(call(fn.GetCalledFunctionType, uintptr(v))) }
func (v Value) NumArgs() int           { return int(uint32(call(fn.GetNumArgOperands, uintptr(v)))) }
func (v Value) SetCallSiteConv(cc int) { call(fn.SetInstructionCallConv, uintptr(v), uintptr(cc)) }

// Details of single opcodes; LLVM asserts nothing, so ask only the right ones.

func (v Value) ICmpPredicate() Predicate {
	return Predicate(int32(call(fn.GetICmpPredicate, uintptr(v))))
}
func (v Value) FCmpPredicate() Predicate {
	return Predicate(int32(call(fn.GetFCmpPredicate, uintptr(v))))
}
func (v Value) NumMaskElements() int { return int(uint32(call(fn.GetNumMaskElements, uintptr(v)))) }
func (v Value) MaskElement(i int) int {
	return int(int32(call(fn.GetMaskValue, uintptr(v), uintptr(i))))
}                                      // -1: undefined
func (v Value) AllocatedType() Type    { return Type(call(fn.GetAllocatedType, uintptr(v))) }
func (v Value) GEPElementType() Type   { return Type(call(fn.GetGEPSourceElementType, uintptr(v))) }
func (v Value) Ordering() Ordering     { return Ordering(int32(call(fn.GetOrdering, uintptr(v)))) }
func (v Value) SetOrdering(o Ordering) { call(fn.SetOrdering, uintptr(v), uintptr(o)) }
func (v Value) RMWOp() int             { return int(int32(call(fn.GetAtomicRMWBinOp, uintptr(v)))) }
func (v Value) CmpXchgOrderings() (success, failure Ordering) {
	return Ordering(int32(call(fn.GetCmpXchgSuccessOrdering, uintptr(v)))), Ordering(int32(call(fn.GetCmpXchgFailureOrdering, uintptr(v))))
}
func (v Value) IsVolatile() bool     { return truth(call(fn.GetVolatile, uintptr(v))) }
func (v Value) SetVolatile(on bool)  { call(fn.SetVolatile, uintptr(v), boolean(on)) }
func (v Value) NSW() bool            { return truth(call(fn.GetNSW, uintptr(v))) }
func (v Value) NUW() bool            { return truth(call(fn.GetNUW, uintptr(v))) }
func (v Value) Exact() bool          { return truth(call(fn.GetExact, uintptr(v))) }
func (v Value) Disjoint() bool       { return truth(call(fn.GetIsDisjoint, uintptr(v))) }
func (v Value) NNeg() bool           { return truth(call(fn.GetNNeg, uintptr(v))) }
func (v Value) InBounds() bool       { return truth(call(fn.IsInBounds, uintptr(v))) }
func (v Value) SetNSW(on bool)       { call(fn.SetNSW, uintptr(v), boolean(on)) }
func (v Value) SetNUW(on bool)       { call(fn.SetNUW, uintptr(v), boolean(on)) }
func (v Value) SetExact(on bool)     { call(fn.SetExact, uintptr(v), boolean(on)) }
func (v Value) SetDisjoint(on bool)  { call(fn.SetIsDisjoint, uintptr(v), boolean(on)) }
func (v Value) SetNNeg(on bool)      { call(fn.SetNNeg, uintptr(v), boolean(on)) }
func (v Value) SetInBounds(on bool)  { call(fn.SetIsInBounds, uintptr(v), boolean(on)) }
func (v Value) CanFastMath() bool    { return truth(call(fn.CanValueUseFastMathFlags, uintptr(v))) }
func (v Value) FastMath() uint32     { return uint32(call(fn.GetFastMathFlags, uintptr(v))) }
func (v Value) SetFastMath(f uint32) { call(fn.SetFastMathFlags, uintptr(v), uintptr(f)) }

// Indices of an extractvalue or insertvalue.
func (v Value) Indices() []uint32 {
	n := uint32(call(fn.GetNumIndices, uintptr(v)))
	p := call(fn.GetIndices, uintptr(v))
	if n == 0 {
		return nil
	}
	return append([]uint32(nil), unsafe.Slice((*uint32)(foreign(p)), n)...)
}

// DebugLine is the source line of an instruction that has debug information, and the file it is in; 0 and "" otherwise.
func (v Value) DebugLine() (file string, line int) {
	var n uint32
	p := call(fn.GetDebugLocFilename, uintptr(v), uintptr(unsafe.Pointer(&n)))
	return text(p, uint64(n)), int(uint32(call(fn.GetDebugLocLine, uintptr(v))))
}

// Locate has the instructions that b makes from now on come from where i does.
func (b Builder) Locate(i Value) {
	call(fn.SetCurrentDebugLocation2, uintptr(b), call(fn.InstructionGetDebugLoc, uintptr(i)))
}
