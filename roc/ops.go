package roc

import "unsafe"

// The payload of a hostqueue.Command is one of the types of this file, by value but for Dispatch, or nil: a marker, which
// orders and does nothing.

// Dispatch runs a kernel over an NDRange. A command carries a pointer to it, so that both may be parts of one object. Local is
// never zero; Global need not be a multiple of it (non-uniform work-groups). The dimensions beyond Dims have Global and Local 1 and Offset 0.
type Dispatch struct {
	Kernel *Kernel
	Args   *Kernarg
	Dims   int

	// Queue is the default on-device queue (get_default_queue), nil if there is none.
	Queue DeviceQueue

	Offset, Global, Local [3]uint64 // work-items

	print unsafe.Pointer // where a GPU's kernel prints to, nil if it does not
}

// CopyRect copies Size[2] slices of Size[1] rows of Size[0] bytes between regions that do not overlap. A linear copy of n
// bytes has Size {n, 1, 1}. Pitches are the bytes from row to row and from slice to slice.
type CopyRect struct {
	Dst, Src           unsafe.Pointer
	Size               [3]uint64
	DstPitch, SrcPitch [2]uint64
}

// Fill fills Size[2] slices of Size[1] rows of Size[0] bytes from Dst on, each row with Pattern, 1 to 128 bytes, over and
// over. A linear fill of n bytes has Size {n, 1, 1}.
type Fill struct {
	Dst     unsafe.Pointer
	Size    [3]uint64
	Pitch   [2]uint64 // bytes from row to row and from slice to slice
	Pattern []byte
}

// HostFunc calls Run on a thread of the device or one that waits for it. An error or a panic ends the command with
// CL_OUT_OF_RESOURCES.
type HostFunc struct {
	Run func() error
}

// Nothing only takes its place in the order: a map or unmap without a copy, a migration.
type Nothing struct{}
