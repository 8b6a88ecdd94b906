package roc

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc/hsa"
)

const (
	// maxForeign is how many commands in other rings one batch waits for.
	maxForeign = 64
	// maxBatchPackets closes a batch, so that it fits the smallest ring several times.
	maxBatchPackets = 128
)

// batch is a run of commands of one VirtualGPU that one signal retires: in order that of the last packet, out of order one
// that all of them count down. Who depends on a command waits for the signal of its batch. So that this is what the command
// itself would give, one that someone can see is the last of its batch in order, and alone in it out of order.
//
// A batch is recycled when nothing needs its signal any more. A command that has ended may name one that is another's by now.
type batch struct {
	pool   *batchPool
	signal hsa.Signal
	id     uintptr // what the signal is watched with

	gpu     *VirtualGPU
	ring    *ring
	entries []entry  // guarded by gpu.mu while the batch is open, as are packets and closed; then by ring.mu
	first   [1]entry // what entries is while there is one
	list    *[]entry // of entryLists, what it is when there are more
	packets int      // estimate, to close it in time
	closed  bool     // takes no more commands
	heavy   bool     // has a command that is

	// refs counts what still needs the signal: the batch in flight, and those in other rings that wait for it. At zero the
	// batch is another's.
	refs atomic.Int32

	over atomic.Bool // its commands have ended

	traced // see trace.go

	prev, next *batch // in its ring; guarded by ring.mu, as are the others
	written    bool   // its packets are in the ring
	watched    bool

	began atomic.Bool                // an engine copies for it
	copy  atomic.Pointer[engineCopy] // that only uses the signal, if it is not nil
}

// entry is a command in a batch, or without one a mere wait for deps.
type entry struct {
	cmd   *hostqueue.Command
	deps  []*batch // in other rings; each holds a reference
	local bool     // has to wait for something in its own ring
	operands
	part  part   // of a replay
	start *batch // whose signal tells when a replay started, if someone asks; holds a reference

	status  hostqueue.Status // an error: it is not to run
	done    bool             // it has run, in a ring that failed since
	signals []hsa.Signal     // what of deps is open, while its packets are written; in ring.signals
	from    uint64           // its packets, up to and not including to
	to      uint64
}

// skipped reports that the agent is not to do e.
func (e *entry) skipped() bool { return e.done || e.status < 0 }

// op returns what the agent has to do.
func (e *entry) op() hostqueue.Op {
	if e.cmd == nil {
		return nil
	}
	return e.cmd.Op()
}

// operands are the memory that packets of an operation point to.
type operands struct {
	args   block   // of a blit kernel
	slices []slice // of a dispatch that takes several packets
	pinned *pinned // of a copy by an agent that does not share the host's memory
	engine *engineCopy
	print  block // what a kernel prints
}

// allocate takes the memory for op.
func (o *operands) allocate(d *Device, op hostqueue.Op) (err error) {
	defer func() {
		if err != nil {
			o.free(d)
		}
	}()
	switch op := op.(type) {
	case CopyRect:
		if !d.Info().CPU {
			if o.pinned, err = d.pin(&op); err != nil {
				return err
			}
		}
		if o.engine, err = d.engineFor(op, o.pinned); err != nil || o.engine != nil {
			return err
		}
		o.args, err = d.kernargs.get(uint64(unsafe.Sizeof(hsa.CopyArgs{})))
	case Fill:
		o.args, err = d.kernargs.get(uint64(unsafe.Sizeof(hsa.FillArgs{})))
	case *Dispatch:
		if o.slices, err = op.slices(d); err == nil {
			err = o.lendPrint(d, op)
		}
	case HostFunc:
		if !d.Info().CPU {
			err = errors.New("roc: a GPU calls no functions of the host")
		}
	case nil, Nothing, *Replay:
	default:
		return fmt.Errorf("roc: no device knows operations of type %T", op)
	}
	return err
}

// free gives back what allocate took.
func (o *operands) free(d *Device) {
	if o.args.ptr != nil {
		d.kernargs.put(o.args)
	}
	for _, s := range o.slices {
		d.kernargs.put(s.args)
	}
	if o.print.ptr != nil {
		d.kernargs.put(o.print)
	}
	if o.engine != nil && !o.engine.release() {
		return
	}
	if o.pinned != nil {
		o.pinned.release()
	}
}

// acquire holds the signal of b, unless b has retired.
func (b *batch) acquire() bool {
	for {
		n := b.refs.Load()
		if n == 0 {
			return false
		}
		if b.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (b *batch) release() {
	if b.refs.Add(-1) == 0 {
		b.pool.put(b)
	}
}

func release(deps []*batch) {
	for _, b := range deps {
		b.release()
	}
}

// retire is the agent's handler: the signal of batch arg has come down to zero, or that by which a copy begins.
func (d *Device) retire(arg uintptr) {
	b := d.batches.at(arg)
	if c := b.copy.Load(); c != nil {
		c.begin()
		return
	}
	b.ring.remove(b)
	b.end()
}

// end completes the commands of a batch that is out of the ring.
func (b *batch) end() {
	d := b.gpu.device
	if b.number != 0 {
		b.record()
	}
	var start, end uint64
	if b.gpu.profiling {
		start, end = d.agent.Times(b.signal)
	}
	for i := range b.entries {
		e := &b.entries[i]
		if d.Info().CPU && !e.skipped() {
			for _, dep := range e.deps {
				dep.awaitEnd()
			}
		}
		release(e.deps)
		start, end := start, end
		if e.engine != nil {
			start, end = e.engine.times()
		}
		e.printed(e.op())
		e.free(d)
		if e.cmd == nil || e.part.more {
			continue
		}
		if op, ok := e.op().(*Dispatch); ok {
			op.Args.Release()
		}
		if e.start != nil {
			start, _ = d.agent.Times(e.start.signal)
			e.start.release()
		}
		if e.status < 0 {
			e.cmd.Complete(e.status, 0, 0)
		} else {
			e.cmd.Complete(hostqueue.Complete, start, end)
		}
	}
	b.over.Store(true)
	b.gpu.flight.Add(-1) // not before, so that in order a command that follows in another ring cannot end first
	b.release()
}

// awaitEnd returns when the commands of b, whose signal has come down, have ended: the thread that ends them may be late, and who sees
// that a command has ended relies on what it waited for. It is for agents that call the handler in many threads.
func (b *batch) awaitEnd() {
	for !b.over.Load() {
		runtime.Gosched()
	}
}

// entryLists are the entries of batches that have ended, for those that hold more than one command.
var entryLists = sync.Pool{New: func() any {
	list := make([]entry, 0, maxBatchPackets)
	return &list
}}

// append adds e to an open batch.
func (b *batch) append(e entry) {
	if len(b.entries) == len(b.first) && b.list == nil {
		b.list = entryLists.Get().(*[]entry)
		b.entries = append(*b.list, b.entries...)
	}
	b.entries = append(b.entries, e)
}
