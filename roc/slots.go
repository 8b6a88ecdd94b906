package roc

import (
	"sync/atomic"

	"aqueduct/roc/hsa"
)

// slot is a signal and the argument it is watched with. Slots are recycled and never given back.
type slot struct {
	signal hsa.Signal
	id     uintptr
	batch  atomic.Pointer[batch] // that uses it
}

// slots is a pool of slots.
type slots struct {
	agent hsa.Agent
	free  freelist[*slot]
	all   atomic.Pointer[[]*slot] // by id; replaced by grow alone, its elements never change
}

// get returns a slot whose signal has the value 1.
func (p *slots) get() (*slot, error) {
	s, err := p.free.take(p.grow)
	if err == nil {
		s.signal.Reset(1)
	}
	return s, err
}

// grow makes one slot; free calls it in one thread at a time.
func (p *slots) grow(keep []*slot) ([]*slot, error) {
	signal, err := p.agent.NewSignal()
	if err != nil {
		return keep, err
	}
	var all []*slot
	if old := p.all.Load(); old != nil {
		all = *old
	}
	s := &slot{signal: signal, id: uintptr(len(all))}
	all = append(all, s)
	p.all.Store(&all)
	return append(keep, s), nil
}

func (p *slots) put(s *slot) {
	s.batch.Store(nil)
	p.free.give(s)
}

func (p *slots) at(id uintptr) *slot { return (*p.all.Load())[id] }
