package roc

import (
	"fmt"
	"math"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
)

// slice is a part of an NDRange too large for one packet, whose grid has 32 bits a dimension.
type slice struct {
	base, items [3]uint64 // first work-group; work-items
	args        block     // kernarg segment: that of the dispatch, but for the hidden arguments
}

// maxSlices bounds the packets of one dispatch. What takes more would run for hours.
const maxSlices = 96

// slices cuts an NDRange with a dimension above 32 bits into parts that take whole numbers of work-groups and follow each
// other in the linear order of work-groups; nil if there is nothing to cut.
func (d *Dispatch) slices(dev *Device) ([]slice, error) {
	cut := 0
	for cut < 3 && d.Global[cut] <= math.MaxUint32 {
		cut++
	}
	if cut == 3 {
		return nil, nil
	}
	if !dev.Info().CPU { // whose kernels know of no GroupBase
		return nil, fmt.Errorf("roc: an NDRange of %d x %d x %d work-items is too large for a GPU", d.Global[0], d.Global[1], d.Global[2])
	}
	whole := slice{items: d.Global}
	parts := []slice{whole}
	for dim := 2; dim >= cut; dim-- {
		step := d.Local[dim] // higher dimensions go by single work-groups, to keep to the linear order
		if dim == cut {
			step = math.MaxUint32 / d.Local[dim] * d.Local[dim]
		}
		// There is one part more where step does not divide it; that sum must not be made of a size_t at its end. Groups are counted
		// in 32 bits.
		if d.Global[dim]/step >= maxSlices/uint64(len(parts)) || d.Global[dim]/d.Local[dim] > math.MaxUint32 {
			return nil, fmt.Errorf("roc: an NDRange of %d x %d x %d work-items is too large", d.Global[0], d.Global[1], d.Global[2])
		}
		var finer []slice
		for _, p := range parts {
			for at := uint64(0); at < d.Global[dim]; at += step {
				p.base[dim], p.items[dim] = at/d.Local[dim], min(step, d.Global[dim]-at)
				finer = append(finer, p)
			}
		}
		parts = finer
	}
	hidden := d.Kernel.Info.HiddenOffset
	for i := range parts {
		var err error
		if parts[i].args, err = dev.kernargs.get(uint64(hidden + codeobject.HiddenSize)); err != nil {
			for _, p := range parts[:i] {
				dev.kernargs.put(p.args)
			}
			return nil, err
		}
		copy(unsafe.Slice((*byte)(parts[i].args.ptr), hidden), unsafe.Slice((*byte)(d.Args.block.ptr), hidden))
	}
	return parts, nil
}

// hide fills the hidden arguments of a kernarg segment, for the part of the NDRange whose first work-group is base.
func (d *Dispatch) hide(segment unsafe.Pointer, base [3]uint64) {
	if d.Kernel.Info.Hidden == nil {
		d.hidden((*codeobject.HiddenArgs)(unsafe.Add(segment, d.Kernel.Info.HiddenOffset)), base)
		return
	}
	var h codeobject.HiddenArgs
	d.hidden(&h, base)
	d.Kernel.Info.Place(segment, &h)
}

func (d *Dispatch) hidden(h *codeobject.HiddenArgs, base [3]uint64) {
	*h = codeobject.HiddenArgs{GlobalOffset: d.Offset, GridDims: uint16(d.Dims)}
	for i := range 3 {
		h.BlockCount[i] = uint32(d.Global[i] / d.Local[i])
		h.GroupSize[i] = uint16(d.Local[i])
		h.Remainder[i] = uint16(d.Global[i] % d.Local[i])
		h.GroupBase[i] = uint32(base[i])
	}
	if d.Queue != nil {
		h.DefaultQueue = d.Queue.Address()
	}
	if d.print != nil {
		d.resetPrint()
		h.PrintfBuffer = uint64(uintptr(d.print))
	}
	h.DynamicLDSSize = d.Args.local - d.Kernel.Info.GroupSegmentSize
}
