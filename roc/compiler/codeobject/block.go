package codeobject

import "unsafe"

// BlockDescriptor is what a native kernel finds where a block's KernelInfo.Descriptor names a variable of the executable: what
// it has to know to enqueue the block (builtins/device_queue.h). Whoever loads the executable fills it in.
//
// The first argument of a block's kernel is the address of the block literal as clang makes it (8 bytes), the others, 4 bytes
// each, are local-memory arguments.
type BlockDescriptor struct {
	Object       uint64 // what a dispatch packet names
	Hidden       uint32 // KernelInfo.HiddenOffset
	GroupSegment uint32 // KernelInfo.GroupSegmentSize
	LocalMemory  uint32 // bytes a work-group may have in all
	MaxItems     uint32 // work-items a work-group may have
	TargetItems  uint32 // and has, unless the kernel that enqueues says how many
	Multiple     uint32 // CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
	PrivateSize  uint32 // KernelInfo.PrivateSegmentSize
	Uniform      uint32 // 1: all work-groups must have the same size
}

// BlockDescriptorSize is the size of a BlockDescriptor in bytes.
const BlockDescriptorSize = 40

var _ [BlockDescriptorSize]byte = [unsafe.Sizeof(BlockDescriptor{})]byte{}
