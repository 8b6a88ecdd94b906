package llvm

// Opcode is LLVMOpcode, whose numbers are not those of LLVM's C++ classes.
type Opcode int32

const (
	OpRet            Opcode = 1
	OpBr             Opcode = 2
	OpSwitch         Opcode = 3
	OpUnreachable    Opcode = 7
	OpAdd            Opcode = 8
	OpFAdd           Opcode = 9
	OpSub            Opcode = 10
	OpFSub           Opcode = 11
	OpMul            Opcode = 12
	OpFMul           Opcode = 13
	OpUDiv           Opcode = 14
	OpSDiv           Opcode = 15
	OpFDiv           Opcode = 16
	OpURem           Opcode = 17
	OpSRem           Opcode = 18
	OpFRem           Opcode = 19
	OpShl            Opcode = 20
	OpLShr           Opcode = 21
	OpAShr           Opcode = 22
	OpAnd            Opcode = 23
	OpOr             Opcode = 24
	OpXor            Opcode = 25
	OpAlloca         Opcode = 26
	OpLoad           Opcode = 27
	OpStore          Opcode = 28
	OpGetElementPtr  Opcode = 29
	OpTrunc          Opcode = 30
	OpZExt           Opcode = 31
	OpSExt           Opcode = 32
	OpFPToUI         Opcode = 33
	OpFPToSI         Opcode = 34
	OpUIToFP         Opcode = 35
	OpSIToFP         Opcode = 36
	OpFPTrunc        Opcode = 37
	OpFPExt          Opcode = 38
	OpPtrToInt       Opcode = 39
	OpIntToPtr       Opcode = 40
	OpBitCast        Opcode = 41
	OpICmp           Opcode = 42
	OpFCmp           Opcode = 43
	OpPHI            Opcode = 44
	OpCall           Opcode = 45
	OpSelect         Opcode = 46
	OpExtractElement Opcode = 50
	OpInsertElement  Opcode = 51
	OpShuffleVector  Opcode = 52
	OpExtractValue   Opcode = 53
	OpInsertValue    Opcode = 54
	OpFence          Opcode = 55
	OpAtomicCmpXchg  Opcode = 56
	OpAtomicRMW      Opcode = 57
	OpAddrSpaceCast  Opcode = 60
	OpFNeg           Opcode = 66
	OpFreeze         Opcode = 68
)

// Predicate of a comparison: 0-15 for floating point, 32-41 for integers.
type Predicate int32

const (
	FloatOEQ Predicate = 1
	FloatOGT Predicate = 2
	FloatOGE Predicate = 3
	FloatOLT Predicate = 4
	FloatOLE Predicate = 5
	FloatONE Predicate = 6
	FloatORD Predicate = 7
	FloatUNO Predicate = 8
	FloatUNE Predicate = 14
	IntEQ    Predicate = 32
	IntNE    Predicate = 33
	IntUGT   Predicate = 34
	IntUGE   Predicate = 35
	IntULT   Predicate = 36
	IntULE   Predicate = 37
	IntSGT   Predicate = 38
	IntSGE   Predicate = 39
	IntSLT   Predicate = 40
	IntSLE   Predicate = 41
)

// Ordering of an atomic access; the values are LLVMAtomicOrdering's.
type Ordering int32

const (
	NotAtomic              Ordering = 0
	Unordered              Ordering = 1
	Monotonic              Ordering = 2
	Acquire                Ordering = 4
	Release                Ordering = 5
	AcquireRelease         Ordering = 6
	SequentiallyConsistent Ordering = 7
)
