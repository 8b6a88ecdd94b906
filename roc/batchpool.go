package roc

import (
	"sync/atomic"

	"aqueduct/roc/hsa"
)

// batchPool recycles batches, each with a signal of its own. None is ever given back.
type batchPool struct {
	agent hsa.Agent
	free  freelist[*batch]
	all   atomic.Pointer[[]*batch] // by id; replaced by grow alone, its elements never change
}

// get returns a batch without entries, whose signal has the value 1.
func (p *batchPool) get() (*batch, error) { return p.free.take(p.grow) }

// grow makes one batch; free calls it in one thread at a time.
func (p *batchPool) grow(keep []*batch) ([]*batch, error) {
	signal, err := p.agent.NewSignal()
	if err != nil {
		return keep, err
	}
	var all []*batch
	if old := p.all.Load(); old != nil {
		all = *old
	}
	b := &batch{pool: p, signal: signal, id: uintptr(len(all))}
	all = append(all, b)
	p.all.Store(&all)
	return append(keep, b), nil
}

// put takes b back, which nothing needs any more. What can be done here is not left to get, as threads that enqueue are busier than
// those that end commands.
func (p *batchPool) put(b *batch) {
	if b.list != nil {
		clear(b.entries)
		*b.list = b.entries[:0]
		entryLists.Put(b.list)
	}
	clear(b.first[:])
	b.gpu, b.ring, b.entries, b.list = nil, nil, nil, nil
	b.packets, b.closed, b.heavy, b.written, b.watched = 0, false, false, false, false
	b.traced = traced{}
	b.began.Store(false)
	b.copy.Store(nil)
	b.signal.Reset(1)
	p.free.give(b)
}

func (p *batchPool) at(id uintptr) *batch { return (*p.all.Load())[id] }
