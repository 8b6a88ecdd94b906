package roc

import (
	"sync"
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

	mu   sync.Mutex
	free []*slot                 // guarded by mu
	all  atomic.Pointer[[]*slot] // by id; written with mu held, its elements never change
}

// get returns a slot whose signal has the value 1.
func (p *slots) get() (*slot, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		s := p.free[n-1]
		p.free = p.free[:n-1]
		s.signal.Reset(1)
		return s, nil
	}
	signal, err := p.agent.NewSignal()
	if err != nil {
		return nil, err
	}
	var all []*slot
	if old := p.all.Load(); old != nil {
		all = *old
	}
	s := &slot{signal: signal, id: uintptr(len(all))}
	all = append(all, s)
	p.all.Store(&all)
	return s, nil
}

func (p *slots) put(s *slot) {
	s.batch.Store(nil)
	p.mu.Lock()
	p.free = append(p.free, s)
	p.mu.Unlock()
}

func (p *slots) at(id uintptr) *slot { return (*p.all.Load())[id] }
