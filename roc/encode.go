package roc

import (
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc/hsa"
)

// depsPerPacket is how many signals a barrier packet waits for.
const depsPerPacket = 5

// prepare settles what b still has to wait for, and returns how many packets it takes and how many of them complete the
// signal.
//
// The signals it finds open are in list, which it returns with these.
func (b *batch) prepare(list []hsa.Signal) (packets uint32, completions int64, signals []hsa.Signal) {
	for i := range b.entries {
		e := &b.entries[i]
		from := len(list)
		if !e.done { // also where it is not to run: what comes behind it in an in-order queue waits for them by it
			for _, d := range e.deps {
				if d.signal.Load() > 0 {
					list = append(list, d.signal)
				}
			}
		}
		e.signals = list[from:]
		n := (len(e.signals) + depsPerPacket - 1) / depsPerPacket
		if !e.idle() {
			n += e.count()
		} else if n == 0 && i == len(b.entries)-1 && completions == 0 {
			n = 1 // for the signal
		}
		packets += uint32(n)
		if n > 0 && b.completes(i) {
			completions++
		}
	}
	return packets, completions, list
}

// completes reports that the last packet of entry i, if it has any, counts the signal down.
func (b *batch) completes(i int) bool { return !b.gpu.inOrder || i == len(b.entries)-1 }

// idle reports that the agent has nothing to do for e but wait.
func (e *entry) idle() bool {
	if e.skipped() {
		return true
	}
	switch op := e.op().(type) {
	case nil, Nothing:
		return true
	case *Replay:
		return len(op.packets) == 0
	}
	return false
}

// count is how many packets e takes that is not idle, beside those that wait for dependencies.
func (e *entry) count() int {
	if _, ok := e.op().(*Replay); ok {
		return e.part.end - e.part.first
	}
	if e.engine != nil {
		return e.engine.count()
	}
	return max(len(e.slices), 1)
}

// packetWriter is the part of hsa.Queue that packets are written to.
type packetWriter interface {
	Packet(index uint64) unsafe.Pointer
	Publish(index uint64, header, setup uint16)
}

// encoder writes packets one after the other.
type encoder struct {
	queue   packetWriter
	at      uint64
	barrier bool   // each packet waits for those before it
	id      uint64 // of the command, if it is recorded (package trace)
}

// encode writes the packets that prepare has counted, from index at on. overtakes says that the first command may run before
// what is in front of it is through.
func (b *batch) encode(q hsa.Queue, at uint64, overtakes bool) {
	w := encoder{queue: q, at: at}
	completes := false
	for i := range b.entries {
		e := &b.entries[i]
		e.from = w.at
		w.barrier = e.local || b.gpu.inOrder && (i > 0 || !overtakes)
		var completion hsa.Signal
		idle := e.idle() && len(e.signals) == 0 // takes no packet, unless the signal has no other
		if b.completes(i) && (!idle || i == len(b.entries)-1 && !completes) {
			completion, completes = b.signal, true
		}
		w.entry(b, i, completion)
		e.to = w.at
	}
}

func (w *encoder) entry(b *batch, index int, completion hsa.Signal) {
	e := &b.entries[index]
	w.id = e.id()
	signals := e.signals
	if e.idle() {
		for len(signals) > depsPerPacket {
			w.wait(signals[:depsPerPacket], 0)
			signals = signals[depsPerPacket:]
		}
		if len(signals) > 0 || completion != 0 {
			w.wait(signals, completion)
		}
		return
	}
	for len(signals) > 0 {
		n := min(len(signals), depsPerPacket)
		w.wait(signals[:n], 0)
		signals = signals[n:]
	}
	if e.engine != nil {
		w.byEngine(b, index, completion)
		return
	}
	switch op := e.op().(type) {
	case HostFunc:
		w.call(serviceArg(b.id, index), completion)
	case *Replay:
		w.replay(op.packets[e.part.first:e.part.end], completion)
	default:
		w.operation(b.gpu.device, op, &e.operands, completion)
	}
}

// operation writes what the agent can do without the host.
func (w *encoder) operation(d *Device, op hostqueue.Op, e *operands, completion hsa.Signal) {
	switch op := op.(type) {
	case *Dispatch:
		w.dispatches(op, e.slices, completion)
	case CopyRect:
		dst, src := op.Dst, op.Src
		if e.pinned != nil {
			dst, src = e.pinned.dst, e.pinned.src
		}
		*(*hsa.CopyArgs)(e.args.ptr) = hsa.CopyArgs{
			Dst: uint64(uintptr(dst)), Src: uint64(uintptr(src)), Size: op.Size, DstPitch: op.DstPitch, SrcPitch: op.SrcPitch,
		}
		w.blit(d, hsa.BlitCopy, e.args.ptr, op.Size[0]*op.Size[1]*op.Size[2], completion)
	case Fill:
		args := (*hsa.FillArgs)(e.args.ptr)
		args.Dst, args.Size, args.Pitch, args.Length = uint64(uintptr(op.Dst)), op.Size, op.Pitch, uint64(len(op.Pattern))
		for n := copy(args.Pattern[:], op.Pattern); n < len(args.Pattern); {
			n += copy(args.Pattern[n:], args.Pattern[:n])
		}
		w.blit(d, hsa.BlitFill, e.args.ptr, op.Size[0]*op.Size[1]*op.Size[2], completion)
	}
}

// publish ends a packet. What someone waits for is made visible to the host, the rest to the agent.
func (w *encoder) publish(t hsa.PacketType, setup uint16, completion hsa.Signal) {
	scope := hsa.ScopeAgent
	if completion != 0 {
		scope = hsa.ScopeSystem
	}
	w.queue.Publish(w.at, hsa.Header(t, w.barrier, hsa.ScopeSystem, scope), setup)
	w.at++
}

func (w *encoder) wait(signals []hsa.Signal, completion hsa.Signal) {
	p := (*hsa.BarrierPacket)(w.queue.Packet(w.at))
	p.Reserved, p.Reserved2 = 0, 0
	p.Deps = [depsPerPacket]hsa.Signal{}
	copy(p.Deps[:], signals)
	p.Completion = completion
	w.publish(hsa.PacketBarrierAnd, 0, completion)
}

func (w *encoder) dispatches(d *Dispatch, slices []slice, completion hsa.Signal) {
	if len(slices) == 0 {
		d.hide(d.Args.block.ptr, [3]uint64{})
		w.dispatch(d, d.Args.block.ptr, d.Global, completion)
		return
	}
	w.barrier = true // packets without a signal of their own must not run beside others, and the last speaks for all
	for i := range slices {
		s := &slices[i]
		d.hide(s.args.ptr, s.base)
		done := completion
		if i < len(slices)-1 {
			done = 0
		}
		w.dispatch(d, s.args.ptr, s.items, done)
	}
}

func (w *encoder) dispatch(d *Dispatch, kernarg unsafe.Pointer, items [3]uint64, completion hsa.Signal) {
	p := (*hsa.KernelDispatchPacket)(w.queue.Packet(w.at))
	for i := range 3 {
		p.WorkgroupSize[i], p.GridSize[i] = uint16(d.Local[i]), uint32(items[i])
	}
	p.Reserved = 0
	p.PrivateSegmentSize = d.Kernel.Info.PrivateSegmentSize
	p.GroupSegmentSize = d.Args.local
	p.KernelObject = d.Kernel.object
	p.KernargAddress = uint64(uintptr(kernarg))
	p.Correlation = w.id
	p.Completion = completion
	w.publish(hsa.PacketKernelDispatch, uint16(d.Dims), completion)
}

func (w *encoder) blit(d *Device, b hsa.Blit, args unsafe.Pointer, size uint64, completion hsa.Signal) {
	p := (*hsa.KernelDispatchPacket)(w.queue.Packet(w.at))
	p.WorkgroupSize, p.Reserved = [3]uint16{d.blits.items, 1, 1}, 0
	p.GridSize = [3]uint32{uint32(hsa.BlitGroups(size)) * uint32(d.blits.items), 1, 1}
	p.PrivateSegmentSize, p.GroupSegmentSize = d.blits.private, 0
	p.KernelObject = d.blits.objects[b]
	p.KernargAddress = uint64(uintptr(args))
	p.Correlation = w.id
	p.Completion = completion
	w.publish(hsa.PacketKernelDispatch, 1, completion)
}

func (w *encoder) call(arg uint64, completion hsa.Signal) {
	p := (*hsa.AgentDispatchPacket)(w.queue.Packet(w.at))
	p.Function, p.Reserved, p.ReturnAddress = 0, 0, 0
	p.Args = [4]uint64{arg}
	p.Correlation = w.id
	p.Completion = completion
	w.publish(hsa.PacketAgentDispatch, 0, completion)
}
