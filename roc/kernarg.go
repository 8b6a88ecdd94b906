package roc

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
)

// Kernarg is the kernarg segment of one launch, in memory that the agent reads. It keeps the kernel's program loaded.
type Kernarg struct {
	block    block
	kernel   *Kernel
	local    uint32 // bytes of the group segment, the local-memory arguments included
	released atomic.Bool
}

// NewKernarg is InitKernarg of a Kernarg that is no part of anything.
func (d *Device) NewKernarg(k *Kernel, explicit []byte, locals []uint32) (*Kernarg, error) {
	a := new(Kernarg)
	if err := d.InitKernarg(a, k, explicit, locals); err != nil {
		return nil, err
	}
	return a, nil
}

// InitKernarg makes a the segment of a launch of k: explicit are the bytes of the explicit arguments, at most up to
// KernelInfo.HiddenOffset, and locals the bytes of memory for each argument of kind ArgLocal, in order. It is given back when
// the command it was submitted with ends.
func (d *Device) InitKernarg(a *Kernarg, k *Kernel, explicit []byte, locals []uint32) error {
	hidden := k.Info.HiddenOffset
	size := max(k.Info.KernargSize, hidden+codeobject.HiddenSize)
	b, err := d.kernargs.get(uint64(size))
	if err != nil {
		return err
	}
	a.block, a.kernel, a.local = b, k, k.Info.GroupSegmentSize
	args := unsafe.Slice((*byte)(b.ptr), hidden)
	clear(args[copy(args, explicit):])
	if len(locals) > 0 {
		if err := a.placeLocals(args, locals, d.agent.Info().LocalMemory); err != nil {
			d.kernargs.put(b)
			return err
		}
	}
	k.program.refs.Add(1)
	return nil
}

// placeLocals lays the local-memory arguments out behind the kernel's own variables and writes their offsets.
func (a *Kernarg) placeLocals(args []byte, sizes []uint32, limit uint32) error {
	at, next := uint64(a.local), 0
	for i := range a.kernel.Info.Args {
		arg := &a.kernel.Info.Args[i]
		if arg.Kind != codeobject.ArgLocal || next == len(sizes) {
			continue
		}
		align := uint64(max(arg.PointeeAlign, 16))
		at = (at + align - 1) / align * align
		binary.LittleEndian.PutUint32(args[arg.Offset:], uint32(at))
		at += uint64(sizes[next])
		next++
		if at > uint64(limit) {
			return fmt.Errorf("roc: kernel %s needs more than the %d bytes of local memory there are", a.kernel.Info.Name, limit)
		}
	}
	a.local = uint32(at)
	return nil
}

// Release gives the segment of a launch back that was never submitted. Further calls do nothing.
func (a *Kernarg) Release() {
	if a.released.Swap(true) {
		return
	}
	a.kernel.program.device.kernargs.put(a.block)
	a.kernel.program.Release()
}

// block is a piece of kernarg memory.
type block struct {
	ptr   unsafe.Pointer
	class uint8
}

// blocks is a pool of kernarg memory: blocks of a power of two, recycled. Memory of a class is never returned to the agent,
// so it is bounded by the most launches ever in flight.
type blocks struct {
	agent hsa.Agent
	free  [32]freelist[unsafe.Pointer] // by binary logarithm of the size
}

const (
	minBlockLog = 9         // kernargs are seldom smaller: the hidden arguments alone take 256 bytes
	blockSlab   = 256 << 10 // taken from the agent at a time
)

func (p *blocks) get(size uint64) (block, error) {
	class := max(bits.Len64(size-1), minBlockLog)
	if class >= len(p.free) {
		return block{}, fmt.Errorf("roc: kernel arguments of %d bytes", size)
	}
	ptr, err := p.free[class].take(func(keep []unsafe.Pointer) ([]unsafe.Pointer, error) {
		n := max(blockSlab, uint64(1)<<class)
		slab, err := p.agent.AllocHost(n)
		if err != nil {
			return keep, fmt.Errorf("roc: kernel arguments: %w", err)
		}
		for at := uint64(0); at < n; at += 1 << class {
			keep = append(keep, unsafe.Add(slab, at))
		}
		return keep, nil
	})
	return block{ptr, uint8(class)}, err
}

func (p *blocks) put(b block) { p.free[b.class].give(b.ptr) }
