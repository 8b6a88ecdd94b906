package roc

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
)

// blits are the kernels that move memory: the agent's own, or built from hsa.BlitSource before the first queue.
type blits struct {
	objects [len(hsa.BlitNames)]uint64
	items   uint16 // work-items of a work-group
	private uint32 // bytes of private memory of one

	mu      sync.Mutex
	program *Program // guarded by mu; nil if they are the agent's
}

// adopt takes the agent's kernels, if it has any.
func (b *blits) adopt(agent hsa.Agent) {
	b.items = 1
	for i := range b.objects {
		b.objects[i] = agent.Blit(hsa.Blit(i))
	}
}

// OnCompile names the function that builds programs of d's own, which a device that is no CPU needs before its first queue.
func (d *Device) OnCompile(f func(source string) (*codeobject.Program, error)) { d.compile = f }

// ready sees to it that there are kernels.
func (b *blits) ready(d *Device) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.objects[0] != 0 {
		return nil
	}
	if d.compile == nil {
		return errors.New("roc: there is no compiler for the kernels that copy")
	}
	built, err := d.compile(hsa.BlitSource)
	if err != nil {
		return fmt.Errorf("roc: the kernels that copy: %w", err)
	}
	program, err := d.Load(built)
	if err != nil {
		return fmt.Errorf("roc: the kernels that copy: %w", err)
	}
	var objects [len(hsa.BlitNames)]uint64
	for i, name := range hsa.BlitNames {
		k, err := program.Kernel(name)
		if err != nil {
			program.Release()
			return err
		}
		objects[i] = k.object
		b.private = max(b.private, k.Info.PrivateSegmentSize)
	}
	b.objects, b.items, b.program = objects, hsa.BlitItems, program
	return nil
}

// pinned is where an agent has the two sides of a copy.
type pinned struct {
	dst, src unsafe.Pointer
	unpin    [2]func()
}

// pin makes both sides of a copy usable by an agent that does not share the host's memory.
func (d *Device) pin(op *CopyRect) (*pinned, error) {
	p := new(pinned)
	var err error
	if p.dst, p.unpin[0], err = d.agent.Pin(op.Dst, extent(op.Size, op.DstPitch)); err != nil {
		return nil, err
	}
	if p.src, p.unpin[1], err = d.agent.Pin(op.Src, extent(op.Size, op.SrcPitch)); err != nil {
		p.release()
		return nil, err
	}
	return p, nil
}

func (p *pinned) release() {
	for _, unpin := range p.unpin {
		if unpin != nil {
			unpin()
		}
	}
}

// extent is how many bytes a region spans.
func extent(size [3]uint64, pitch [2]uint64) uint64 {
	return size[0] + (size[1]-1)*pitch[0] + (size[2]-1)*pitch[1]
}
