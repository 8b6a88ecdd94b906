package roc

import (
	"sync"
	"sync/atomic"

	"aqueduct/hostqueue"
	"aqueduct/roc/hsa"
	"aqueduct/roc/trace"
)

// VirtualGPU is the device of one host queue: a hostqueue.VirtualDevice. It collects commands in batches and writes them as
// AQL packets into the ring it was assigned, which it may share with others.
type VirtualGPU struct {
	// OnError, if set before the first command, is told why a command failed, on a thread of the device. It must not block.
	OnError func(c *hostqueue.Command, text string)

	device    *Device
	priority  Priority
	throttled bool
	inOrder   bool
	profiling bool
	limit     int // commands collected at most

	mu      sync.Mutex // guards what follows; taken before ring.mu
	home    *ring      // it was assigned; nil before the first command
	ring    *ring      // it writes to, see place
	open    []*batch   // batches not yet handed to the ring, oldest first
	pending int        // commands in them
	listed  bool       // the ticker looks at this device
	active  bool       // commands came since the ticker last did
	debt    bool       // packets were written without waking anyone
	last    *batch     // made last; another's when it has ended
	fed     bool       // a batch was cut since the ticker last looked
	live    []*batch   // of place, between uses

	assist atomic.Pointer[ring] // written to by a thread that will Assist it
	flight atomic.Int32         // batches in the ring; goes up only with mu held
}

// Submit implements hostqueue.VirtualDevice.
func (v *VirtualGPU) Submit(c *hostqueue.Command, then hostqueue.Then) {
	heavy := heavy(c.Op())
	v.mu.Lock()
	var err error
	if v.home == nil {
		err = v.assign()
	}
	var deps dependencies
	if err == nil {
		deps = v.place(c, heavy)
		err = v.add(c, deps, heavy)
	}
	if err != nil {
		v.mu.Unlock()
		release(deps.foreign)
		v.report(c, err.Error())
		c.Complete(hostqueue.ErrOutOfResources, 0, 0)
		return
	}
	v.active = true
	switch {
	case heavy && wakes(c):
		v.cut(hostqueue.CutIdle, hostqueue.Leaves)
	case v.pending >= v.limit:
		v.cut(hostqueue.CutSize, then)
	case !v.listed:
		v.listed = true
		v.device.ticker.add(v)
	}
	v.mu.Unlock()
}

// Flush implements hostqueue.VirtualDevice.
func (v *VirtualGPU) Flush(why hostqueue.Cut, then hostqueue.Then) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if why == hostqueue.CutForeign {
		then = hostqueue.Waits // the packets have to be in the ring, that is all
	}
	if v.pending > 0 {
		v.cut(why, then)
	} else if then != hostqueue.Waits {
		v.settle()
	}
}

// Assist implements hostqueue.VirtualDevice.
func (v *VirtualGPU) Assist() {
	if v.assist.Load() == nil { // as nearly always
		return
	}
	if r := v.assist.Swap(nil); r != nil {
		r.assist()
	}
}

// Began implements hostqueue.VirtualDevice. A command that someone can see is the one whose packet has the signal of its batch.
func (v *VirtualGPU) Began(c *hostqueue.Command) bool {
	b, _ := c.DeviceData.(*batch)
	if b == nil || !b.acquire() {
		return false
	}
	defer b.release()
	start, _ := v.device.agent.Times(b.signal)
	return (start != 0 || b.began.Load()) && c.Status() > hostqueue.Complete // else b may be another's
}

// Help implements hostqueue.VirtualDevice.
func (v *VirtualGPU) Help(a hostqueue.Awaited) bool { return v.device.agent.Help(v, a) }

// Needs implements hsa.Waiter. What is behind others' commands, or beside others of an out-of-order queue, may come before them.
func (v *VirtualGPU) Needs(q hsa.Queue, awaited any) bool {
	a, _ := awaited.(hostqueue.Awaited)
	if a == nil || a.Over() {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	var one *batch
	if c, ok := a.(*hostqueue.Command); ok && !v.inOrder {
		if one, _ = c.DeviceData.(*batch); one == nil {
			return false
		}
	}
	return v.ring != nil && v.ring.hasOnly(q, v, one)
}

// Domain implements hostqueue.VirtualDevice: the rings of one device wait for each other by themselves.
func (v *VirtualGPU) Domain() any { return v.device }

// Close implements hostqueue.VirtualDevice.
func (v *VirtualGPU) Close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.home == nil {
		return
	}
	v.device.mu.Lock()
	v.home.users--
	v.device.mu.Unlock()
}

// cut hands all open batches to the ring. v.mu is held.
func (v *VirtualGPU) cut(why hostqueue.Cut, then hostqueue.Then) {
	v.device.cuts[why].Add(1)
	if trace.On() {
		v.trace(why)
	}
	v.debt = then != hostqueue.Leaves
	v.ring.push(v.open, v.debt)
	clear(v.open)
	v.open = v.open[:0]
	v.pending, v.fed = 0, true
	if then == hostqueue.Assists {
		v.assist.Store(v.ring)
	}
}

// settle has the agent see to packets that were written for a waiter, who may have had what he waited for before he came to
// them. v.mu is held.
func (v *VirtualGPU) settle() {
	if v.debt {
		v.debt = false
		v.ring.nudge()
	}
}

// tick is called every so often while v is listed, and reports whether it should stay so.
func (v *VirtualGPU) tick() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.fed: // just now, by threads that see to it: waking another would be in their way
	case v.pending > 0:
		v.cut(hostqueue.CutIdle, hostqueue.Leaves)
	default:
		v.settle()
	}
	v.listed = v.active || v.fed
	v.active, v.fed = false, false
	return v.listed
}

func (v *VirtualGPU) report(c *hostqueue.Command, text string) {
	if v.OnError != nil && c != nil {
		v.OnError(c, text)
	}
}

// add puts c in the last open batch, or in a new one if that is closed. v.mu is held.
func (v *VirtualGPU) add(c *hostqueue.Command, deps dependencies, heavy bool) error {
	for len(deps.foreign) > maxForeign { // more barrier packets than one command should have: batches of their own wait first
		b, err := v.newBatch()
		if err != nil {
			return err
		}
		b.closed = true
		b.entries = append(b.entries, entry{deps: deps.foreign[:maxForeign]})
		deps.foreign = deps.foreign[maxForeign:]
		v.open = append(v.open, b)
	}
	if op, ok := c.Op().(*Replay); ok && (v.profiling || len(op.parts) > 1) {
		return v.addReplay(c, op, deps)
	}
	next := entry{cmd: c, deps: deps.foreign, local: deps.local}
	if err := next.allocate(v.device, c.Op()); err != nil {
		return err
	}
	if op, ok := c.Op().(*Replay); ok {
		next.part = part{end: len(op.packets)}
		v.pending += len(op.packets)
	}
	var b *batch
	alone := v.profiling || c.Visible && !v.inOrder
	if n := len(v.open); n > 0 && !v.open[n-1].closed && !alone {
		b = v.open[n-1]
	} else {
		var err error
		if b, err = v.newBatch(); err != nil {
			next.free(v.device)
			return err
		}
		v.open = append(v.open, b)
	}
	b.packets += 1 + len(next.slices) + next.part.end + len(deps.foreign)
	b.append(next)
	b.closed = alone || c.Visible || b.packets > maxBatchPackets
	b.heavy = b.heavy || heavy
	c.DeviceData = b
	v.pending++
	return nil
}

func (v *VirtualGPU) newBatch() (*batch, error) {
	b, err := v.device.batches.get()
	if err != nil {
		return nil, err
	}
	b.gpu, b.ring, v.last = v, v.ring, b
	b.entries = b.first[:0]
	b.over.Store(false)
	b.refs.Store(1)
	return b, nil
}

// heavy says that an operation takes so long that nothing small should be behind it.
func heavy(op hostqueue.Op) bool {
	const (
		instructions = 200_000
		bytes        = 256 << 10
	)
	switch op := op.(type) {
	case *Dispatch:
		items := op.Global[0] * op.Global[1] * op.Global[2]
		return items*uint64(max(op.Kernel.Info.Cost, 1)) >= instructions || items >= instructions
	case CopyRect, Fill:
		return moves(op) >= bytes
	case *Replay:
		return op.heavy
	case HostFunc:
		return true
	}
	return false
}

// wakes says that waking another thread at once pays for a command that is heavy. It does not if the caller is about to wait, and help;
// nor for copies and fills that take no longer than that: who waits for them is as a rule the next to come, and has the bytes in his
// cache.
func wakes(c *hostqueue.Command) bool {
	const bytes = 2 << 20
	n := moves(c.Op())
	return !c.Awaited && (n == 0 || n >= bytes)
}

// moves returns how many bytes a copy or fill has to do with, 0 for other operations.
func moves(op hostqueue.Op) uint64 {
	var size [3]uint64
	switch op := op.(type) {
	case CopyRect:
		size = op.Size
	case Fill:
		size = op.Size
	}
	return size[0] * size[1] * size[2]
}
