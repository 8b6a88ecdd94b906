package llvm

// fn holds the address of each C function; "LLVM" and the field's name is the symbol.
var fn struct {
	// contexts, modules, memory
	ContextCreate, ContextDispose, ContextSetDiscardValueNames, ContextShouldDiscardValueNames, ModuleCreateWithNameInContext, DisposeModule, GetModuleContext, CloneModule,
	CreateMemoryBufferWithMemoryRange, CreateMemoryBufferWithMemoryRangeCopy, DisposeMemoryBuffer, GetBufferStart, GetBufferSize,
	ParseBitcodeInContext2, GetBitcodeModuleInContext2, WriteBitcodeToMemoryBuffer, LinkModules2, ParseIRInContext,
	PrintModuleToString, PrintValueToString, PrintTypeToString, DisposeMessage, GetErrorMessage, DisposeErrorMessage,
	SetTarget, GetTarget, SetDataLayout, GetModuleDataLayout, StripModuleDebugInfo,
	GetNamedFunction, GetFirstFunction, GetNextFunction, AddFunction, DeleteFunction,
	GetNamedGlobal, GetFirstGlobal, GetNextGlobal, AddGlobalInAddressSpace, DeleteGlobal,
	ContextSetDiagnosticHandler, GetDiagInfoDescription, GetDiagInfoSeverity,
	VerifyModule, VerifyFunction,
	// types
	Int1TypeInContext, Int8TypeInContext, Int16TypeInContext, Int32TypeInContext, Int64TypeInContext, IntTypeInContext,
	VoidTypeInContext, HalfTypeInContext, FloatTypeInContext, DoubleTypeInContext, PointerTypeInContext, FunctionType,
	VectorType, ArrayType2, StructTypeInContext, GetTypeKind, GetElementType, GetVectorSize, GetArrayLength2, GetIntTypeWidth,
	StructGetTypeAtIndex, CountStructElementTypes, OffsetOfElement, ABISizeOfType, StoreSizeOfType, ABIAlignmentOfType,
	GetPointerAddressSpace, CountParamTypes, GetParamTypes, GetReturnType, IsFunctionVarArg, GetTypeContext,
	// values and constants
	TypeOf, GetValueName2, SetValueName2, ReplaceAllUsesWith, GetFirstUse, GetNextUse, GetUser,
	IsConstant, IsUndef, IsPoison, IsNull, IsAInstruction, IsAConstantInt, IsAConstantFP, IsAConstantExpr, IsAArgument, IsAFunction,
	IsAGlobalVariable, IsAMDString, IsAMDNode, IsAValueAsMetadata, ConstInt, ConstIntOfArbitraryPrecision, ConstNull, GetUndef, GetPoison, ConstAllOnes,
	ConstVector, ConstArray2, ConstStructInContext, ConstBitCast, ConstStringInContext2, GetAggregateElement, GetConstOpcode,
	ConstIntGetZExtValue, ConstIntGetSExtValue,
	// globals and functions
	SetInitializer, GetInitializer, SetLinkage, GetLinkage, SetVisibility, SetSection, GetSection, SetGlobalConstant, IsGlobalConstant,
	SetUnnamedAddress, SetThreadLocal, GlobalGetValueType, IsDeclaration, SetFunctionCallConv, GetFunctionCallConv, GetParam, CountParams,
	GetIntrinsicID, LookupIntrinsicID, GetIntrinsicDeclaration, GetGC, SetAlignment, GetAlignment, SetExternallyInitialized,
	// blocks and instructions
	GetFirstBasicBlock, GetNextBasicBlock, GetEntryBasicBlock, CountBasicBlocks, AppendBasicBlockInContext, InsertBasicBlockInContext,
	DeleteBasicBlock, RemoveBasicBlockFromParent, AppendExistingBasicBlock, MoveBasicBlockAfter, MoveBasicBlockBefore, GetBasicBlockParent, GetBasicBlockTerminator, GetFirstInstruction, GetLastInstruction,
	GetNextInstruction, GetPreviousInstruction, GetInstructionParent, GetInstructionOpcode, InstructionEraseFromParent,
	InstructionRemoveFromParent, InstructionClone, GetNumOperands, GetOperand, SetOperand, GetOperandUse,
	GetNumSuccessors, GetSuccessor, SetSuccessor, IsConditional, GetCondition, SetCondition, GetSwitchDefaultDest,
	GetICmpPredicate, GetFCmpPredicate, CountIncoming, GetIncomingValue, GetIncomingBlock, AddIncoming,
	GetCalledValue, GetCalledFunctionType, GetNumArgOperands, SetInstructionCallConv, GetNumMaskElements, GetMaskValue,
	GetAllocatedType, GetGEPSourceElementType, GetNSW, GetNUW, GetExact, GetIsDisjoint, GetNNeg, SetNSW, SetNUW, SetExact, SetNNeg, SetIsDisjoint,
	IsInBounds, SetIsInBounds, CanValueUseFastMathFlags, GetFastMathFlags, SetFastMathFlags, GetVolatile, SetVolatile,
	GetOrdering, SetOrdering, GetAtomicRMWBinOp, GetCmpXchgSuccessOrdering, GetCmpXchgFailureOrdering, GetWeak,
	GetNumIndices, GetIndices, GetDebugLocLine, GetDebugLocFilename, InstructionGetDebugLoc, SetCurrentDebugLocation2,
	// attributes and metadata
	GetEnumAttributeKindForName, CreateEnumAttribute, CreateTypeAttribute, CreateStringAttribute, GetEnumAttributeKind, GetEnumAttributeValue, IsEnumAttribute,
	GetAttributeCountAtIndex, GetAttributesAtIndex, AddAttributeAtIndex, RemoveEnumAttributeAtIndex, RemoveStringAttributeAtIndex,
	GetEnumAttributeAtIndex, GetStringAttributeAtIndex, GetStringAttributeValue, AddCallSiteAttribute, GetCallSiteEnumAttribute,
	GetTypeAttributeValue,
	RemoveCallSiteEnumAttribute, GetMDKindIDInContext, MDNodeInContext2, MDStringInContext2, ValueAsMetadata, MetadataAsValue,
	SetMetadata, GetMetadata, HasMetadata, GlobalCopyAllMetadata, DisposeValueMetadataEntries, ValueMetadataEntriesGetKind,
	ValueMetadataEntriesGetMetadata, GetMDNodeNumOperands, GetMDNodeOperands, GetMDString, GetNamedMetadataNumOperands, GetNamedMetadataOperands,
	GlobalSetMetadata, GlobalEraseMetadata, TemporaryMDNode, MetadataReplaceAllUsesWith,
	// builder
	CreateBuilderInContext, DisposeBuilder, PositionBuilderAtEnd, PositionBuilderBefore, GetInsertBlock, InsertIntoBuilder,
	BuildRetVoid, BuildRet, BuildBr, BuildCondBr, BuildSwitch, AddCase, BuildUnreachable, BuildBinOp, BuildFNeg, BuildNot, BuildNeg, BuildFreeze,
	BuildICmp, BuildFCmp, BuildSelect, BuildPhi, BuildCast, BuildCall2, BuildLoad2, BuildStore, BuildAlloca, BuildArrayAlloca, BuildGEP2, BuildInBoundsGEP2,
	BuildExtractElement, BuildInsertElement, BuildShuffleVector, BuildExtractValue, BuildInsertValue, BuildAtomicRMW,
	BuildAtomicCmpXchg, BuildFence, BuildMemSet, BuildMemCpy, BuildMemMove,
	// passes
	CreatePassBuilderOptions, DisposePassBuilderOptions, RunPasses, PassBuilderOptionsSetLoopVectorization,
	PassBuilderOptionsSetSLPVectorization, PassBuilderOptionsSetLoopUnrolling, PassBuilderOptionsSetLoopInterleaving, PassBuilderOptionsSetVerifyEach,
	PassBuilderOptionsSetMergeFunctions,
	// target
	InitializeX86TargetInfo, InitializeX86Target, InitializeX86TargetMC, InitializeX86AsmPrinter, GetTargetFromTriple,
	CreateTargetMachine, DisposeTargetMachine, CreateTargetDataLayout, DisposeTargetData, GetHostCPUName, GetHostCPUFeatures,
	GetTargetMachineCPU, GetTargetMachineFeatureString, TargetMachineEmitToMemoryBuffer uintptr
}
