package codeobject

import (
	"fmt"
	"unsafe"
)

// HiddenArg is a hidden argument of a kernel that has them in another order than HiddenArgs, as those of code object v4 do: Size bytes
// of a HiddenArgs, from From on, belong at Offset of the kernarg segment.
type HiddenArg struct{ From, Size, Offset uint32 }

// hiddenKinds are where HiddenArgs has what metadata calls by these kinds (LLVM's AMDGPUUsage, ".value_kind"). Others are for other
// languages: they are zero.
var hiddenKinds = map[string]HiddenArg{
	"hidden_block_count_x":    {From: 0, Size: 4},
	"hidden_block_count_y":    {From: 4, Size: 4},
	"hidden_block_count_z":    {From: 8, Size: 4},
	"hidden_group_size_x":     {From: 12, Size: 2},
	"hidden_group_size_y":     {From: 14, Size: 2},
	"hidden_group_size_z":     {From: 16, Size: 2},
	"hidden_remainder_x":      {From: 18, Size: 2},
	"hidden_remainder_y":      {From: 20, Size: 2},
	"hidden_remainder_z":      {From: 22, Size: 2},
	"hidden_global_offset_x":  {From: 40, Size: 8},
	"hidden_global_offset_y":  {From: 48, Size: 8},
	"hidden_global_offset_z":  {From: 56, Size: 8},
	"hidden_grid_dims":        {From: 64, Size: 2},
	hiddenPrintfBuffer:        {From: 72, Size: 8},
	"hidden_default_queue":    {From: 104, Size: 8},
	"hidden_dynamic_lds_size": {From: 120, Size: 4},
}

const hiddenPrintfBuffer = "hidden_printf_buffer"

// hide describes the hidden arguments of k, whose other sizes are known.
func (k *KernelInfo) hide(args []argument) error {
	if len(args) == 0 {
		return nil
	}
	k.HiddenOffset = args[0].offset
	same := true
	for _, a := range args {
		if a.offset < k.HiddenOffset || a.offset+a.size > k.KernargSize {
			return fmt.Errorf("%w: %s is outside the kernarg segment", errMessagePack, a.kind)
		}
		h, known := hiddenKinds[a.kind]
		if !known {
			continue
		}
		if a.size != h.Size {
			return fmt.Errorf("%w: %s of %d bytes", errMessagePack, a.kind, a.size)
		}
		h.Offset = a.offset
		same = same && h.Offset == k.HiddenOffset+h.From
		k.Hidden = append(k.Hidden, h)
		k.Prints = k.Prints || a.kind == hiddenPrintfBuffer
	}
	if same {
		k.Hidden = nil
	}
	return nil
}

// Place writes hidden arguments into the kernel's kernarg segment, as Hidden says.
func (k *KernelInfo) Place(segment unsafe.Pointer, h *HiddenArgs) {
	to := unsafe.Slice((*byte)(segment), k.KernargSize)
	from := unsafe.Slice((*byte)(unsafe.Pointer(h)), HiddenSize)
	clear(to[k.HiddenOffset:])
	for _, a := range k.Hidden {
		copy(to[a.Offset:a.Offset+a.Size], from[a.From:])
	}
}
