package roc

import (
	"sync/atomic"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc/hsa"
)

// Prepared is a Dispatch, CopyRect, Fill or Nothing whose packets and arguments are written, to be part of any number of
// Replays. It starts with one reference.
type Prepared struct {
	device  *Device
	op      hostqueue.Op
	packets []packet
	operands
	done func()
	refs atomic.Int32
}

// packet is an AQL packet, complete but for its barrier bit and its completion signal.
type packet [hsa.PacketSize / 8]uint64

// tape takes packets as a queue does.
type tape []packet

func (t *tape) Packet(index uint64) unsafe.Pointer {
	if index == uint64(len(*t)) {
		*t = append(*t, packet{})
	}
	return unsafe.Pointer(&(*t)[index])
}

func (t *tape) Publish(index uint64, header, setup uint16) {
	*(*uint32)(t.Packet(index)) = uint32(header) | uint32(setup)<<16
}

// Prepare writes the packets of op, whose kernel arguments it takes over. done, unless nil, is called when nothing can use what
// op names any more, on any thread.
func (d *Device) Prepare(op hostqueue.Op, done func()) (*Prepared, error) {
	if err := d.blits.ready(d); err != nil {
		return nil, err
	}
	p := &Prepared{device: d, op: op, done: done}
	p.refs.Store(1)
	if _, ok := op.(Nothing); ok {
		return p, nil
	}
	if err := p.allocate(d, op); err != nil {
		return nil, err
	}
	var t tape
	w := encoder{queue: &t}
	w.operation(d, op, &p.operands, 0)
	p.packets = t
	return p, nil
}

// On is p, which must not be a Dispatch, for device d, with a reference of its own.
func (p *Prepared) On(d *Device) (*Prepared, error) {
	p.refs.Add(1)
	if d == p.device {
		return p, nil
	}
	other, err := d.Prepare(p.op, p.Release)
	if err != nil {
		p.Release()
	}
	return other, err
}

// Release gives up a reference.
func (p *Prepared) Release() {
	if p.refs.Add(-1) > 0 {
		return
	}
	p.free(p.device)
	if op, ok := p.op.(*Dispatch); ok {
		op.Args.Release()
	}
	if p.done != nil {
		p.done()
	}
}

// Step is a part of a Replay: Do, once the first After steps have ended.
type Step struct {
	Do    *Prepared
	After int
}

// Replay is a list of operations as one: the payload, by pointer, of any number of commands, which may be in flight at the same
// time. Whoever makes those holds a reference for each until it ends. It never changes.
type Replay struct {
	packets []packet
	parts   []int // where parts end, at least one, each small enough for a batch; the last packet of a part ends after its others
	steps   []Step
	ends    []int // where the packets of each step end
	heavy   bool
	refs    atomic.Int32
}

// part is what of a replay one batch carries.
type part struct {
	first, end int  // packets
	more       bool // the command has further parts
}

// maxPart is how many packets a part has at most, beside one that waits for the others.
const maxPart = maxBatchPackets - 1

// NewReplay makes a list of steps, with one reference; it takes references to what they do.
//
// The order is kept by barrier bits alone, which hold a packet back until all packets before it are through.
func NewReplay(steps []Step) *Replay {
	r := &Replay{steps: steps, ends: make([]int, len(steps)), packets: make([]packet, 0, len(steps)+len(steps)/maxPart+1)}
	r.refs.Store(1)
	last := 0 // step with a barrier bit, before which all others end
	for i, s := range steps {
		s.Do.refs.Add(1)
		if n := r.partSize(); n > 0 && n+len(s.Do.packets) > maxPart {
			r.cut()
		}
		first := len(r.packets)
		r.packets = append(r.packets, s.Do.packets...)
		if s.After > last && len(s.Do.packets) > 0 {
			last = i
			r.packets[first][0] |= barrierBit
		}
		r.heavy = r.heavy || heavy(s.Do.op)
		r.ends[i] = len(r.packets)
	}
	if r.partSize() > 0 {
		r.cut()
	} else {
		r.parts = []int{0}
	}
	return r
}

var (
	barrierBit  = uint64(hsa.Header(0, true, 0, 0))
	releaseMask = hsa.Header(0, false, 0, ^hsa.Scope(0))
)

func (r *Replay) partStart() int {
	if n := len(r.parts); n > 0 {
		return r.parts[n-1]
	}
	return 0
}

func (r *Replay) partSize() int { return len(r.packets) - r.partStart() }

// cut ends a part.
func (r *Replay) cut() {
	if last := r.packets[len(r.packets)-1]; r.partSize() > 1 && last[0]&barrierBit == 0 {
		h := hsa.Header(hsa.PacketBarrierAnd, true, hsa.ScopeSystem, hsa.ScopeAgent)
		r.packets = append(r.packets, packet{uint64(h)})
	}
	r.parts = append(r.parts, len(r.packets))
}

// Retain takes a reference.
func (r *Replay) Retain() { r.refs.Add(1) }

// Release gives up a reference.
func (r *Replay) Release() {
	if r.refs.Add(-1) > 0 {
		return
	}
	for _, s := range r.steps {
		s.Do.Release()
	}
}

// describe names what packet index does.
func (r *Replay) describe(index int) string {
	for i, end := range r.ends {
		if index < end {
			return describe(r.steps[i].Do.op) + " of a command buffer"
		}
	}
	return "a command buffer"
}

// addReplay puts c, which is to run r, in batches of its own, one for each part. If someone wants to know the times another
// goes before them, whose signal tells when it started. v.mu is held.
func (v *VirtualGPU) addReplay(c *hostqueue.Command, r *Replay, deps dependencies) error {
	n := len(r.parts)
	if v.profiling {
		n++
	}
	batches := make([]*batch, n)
	for i := range batches {
		b, err := v.newBatch()
		if err != nil {
			for _, b := range batches[:i] {
				b.release()
			}
			return err
		}
		b.closed = true
		batches[i] = b
	}
	var start *batch
	if v.profiling {
		start = batches[0]
		start.entries = append(start.entries, entry{deps: deps.foreign, local: deps.local})
		start.refs.Add(1)
		deps = dependencies{}
		batches = batches[1:]
		v.open = append(v.open, start)
	}
	first := 0
	for i, b := range batches {
		e := entry{cmd: c, deps: deps.foreign, local: deps.local, part: part{first: first, end: r.parts[i], more: i < len(batches)-1}}
		deps = dependencies{}
		if !e.part.more {
			e.start = start
		}
		first = e.part.end
		b.entries = append(b.entries, e)
		v.open = append(v.open, b)
		c.DeviceData = b
	}
	v.pending += 1 + len(r.packets)
	return nil
}

// correlation is where that is in a packet, of whatever type.
const correlation = unsafe.Offsetof(hsa.KernelDispatchPacket{}.Correlation) / 8

// replay writes packets that are prepared.
func (w *encoder) replay(packets []packet, completion hsa.Signal) {
	for i := range packets {
		from := &packets[i]
		to := (*packet)(w.queue.Packet(w.at))
		*(*[hsa.PacketSize - 4]byte)(unsafe.Add(unsafe.Pointer(to), 4)) = *(*[hsa.PacketSize - 4]byte)(unsafe.Add(unsafe.Pointer(from), 4))
		to[correlation] = w.id
		header := uint16(from[0])
		if i == 0 && w.barrier {
			header |= uint16(barrierBit)
		}
		if i == len(packets)-1 && completion != 0 {
			to[len(to)-1] = uint64(completion)
			header = header&^releaseMask | hsa.Header(0, false, 0, hsa.ScopeSystem)
		}
		w.queue.Publish(w.at, header, uint16(from[0]>>16))
		w.at++
	}
}
