package device

import (
	"fmt"

	"aqueduct/conformance/simgpu/gcn"
)

// Memory is ordered between packets only by their fences and by what waits for what (HSA System Architecture 3.4 and 2.9). Hardware
// hides most mistakes, as its caches are small and its kernels short. Here each word of memory knows which packet wrote it last, and
// a read by another is an error unless the writer had ended, its writes were released at agent scope or wider, and the reader acquired
// after that; copy engines are outside the GPU's caches and see what was released to the system. Nor may a packet write over what another wrote that was not over when it began. Atomic operations are free of this. The
// host's accesses are not seen.

// writer is a packet that wrote memory. Its times count fences and ends; zero is never.
type writer struct {
	queue, packet   uint64
	ended, released uint64
	flushed         uint64 // released to the system
}

type shadowPage [page / 4]uint32

// ordering knows the last writer of each word.
type ordering struct {
	now     uint64
	writers []writer // the first is nobody
	pages   map[uint64]*shadowPage

	// The page looked at last, which most accesses are to: all of a wave's lanes mostly are.
	number uint64
	latest *shadowPage
}

func newOrdering() ordering {
	return ordering{writers: make([]writer, 1), pages: map[uint64]*shadowPage{}}
}

// page is the shadow of an address's page, nil if nobody wrote there.
func (o *ordering) page(address uint64) *shadowPage {
	if n := address / page; n != o.number || o.latest == nil {
		o.number, o.latest = n, o.pages[n]
	}
	return o.latest
}

func (o *ordering) tick() uint64 {
	o.now++
	return o.now
}

// begin numbers a packet that may write.
func (o *ordering) begin(queue, packet uint64) uint32 {
	o.writers = append(o.writers, writer{queue: queue, packet: packet})
	return uint32(len(o.writers) - 1)
}

// wrote notes the last writer of some bytes.
func (o *ordering) wrote(id uint32, address, n uint64) {
	for at := address &^ 3; at < address+n; at += 4 {
		p := o.page(at)
		if p == nil {
			p = new(shadowPage)
			o.pages[at/page], o.latest = p, p
		}
		p[at%page/4] = id
	}
}

// forget is for memory that is given back.
func (o *ordering) forget(address, n uint64) {
	for at := address / page; at <= (address+n-1)/page; at++ {
		delete(o.pages, at)
	}
	o.latest = nil
}

// disorder ends a command that read what it could not be sure to see, or wrote over what it could not be sure was there.
type disorder struct {
	address uint64
	writer  writer
	why     string
}

func (d *disorder) Error() string {
	return fmt.Sprintf("access to address %#x, which packet %d of queue %d wrote: %s", d.address, d.writer.packet, d.writer.queue, d.why)
}

// check looks for a mistake in a read of some bytes by packet id, which acquired at a time. Zero is a copy engine.
func (o *ordering) check(id uint32, acquired, address, n uint64) error {
	for at := address &^ 3; at < address+n; at += 4 {
		p := o.page(at)
		if p == nil {
			at |= page - 4 // to the next page
			continue
		}
		last := p[at%page/4]
		if last == 0 || last == id {
			continue
		}
		switch w := o.writers[last]; {
		case w.ended == 0:
			return &disorder{at, w, "it has not ended"}
		case w.released == 0:
			return &disorder{at, w, "nothing released its writes"}
		case id == 0 && w.flushed == 0:
			return &disorder{at, w, "nothing released its writes to the system"}
		case w.released > acquired:
			return &disorder{at, w, "nothing was acquired since"}
		}
	}
	return nil
}

// checkOver looks for a mistake in a write of some bytes by packet id, which began at a time.
func (o *ordering) checkOver(id uint32, began, address, n uint64) error {
	for at := address &^ 3; at < address+n; at += 4 {
		p := o.page(at)
		if p == nil {
			return nil
		}
		if last := p[at%page/4]; last != 0 && last != id {
			if w := o.writers[last]; w.ended == 0 || w.ended > began {
				return &disorder{at, w, "both ran at a time, and both wrote it"}
			}
		}
	}
	return nil
}

// fences are the orders that packets of a queue establish.
type fences struct {
	acquired   uint64   // when, last
	unreleased []uint32 // writers that ended since the last release
	unflushed  []uint32 // and since the last to the system
}

const scopeSystem = 2

// scopes are the acquire and release scopes of a header: 0 none, 1 agent, 2 system.
func scopes(header uint16) (acquire, release uint16) { return header >> 9 & 3, header >> 11 & 3 }

// acquire notes the acquire fence of a packet.
func (a *aql) acquire(header uint16) {
	if scope, _ := scopes(header); scope > 0 {
		a.fences.acquired = a.gpu.ordering.tick()
	}
}

// release notes the end of a packet, which wrote as id, or zero, and its release fence.
func (a *aql) release(id uint32, header uint16) {
	o := &a.gpu.ordering
	if id != 0 {
		o.writers[id].ended = o.tick()
		a.fences.unreleased = append(a.fences.unreleased, id)
		a.fences.unflushed = append(a.fences.unflushed, id)
	}
	_, scope := scopes(header)
	if scope == 0 {
		return
	}
	now := o.tick()
	if scope == scopeSystem {
		for _, w := range a.fences.unflushed {
			o.writers[w].flushed = now
		}
		a.fences.unflushed = a.fences.unflushed[:0]
	}
	for _, w := range a.fences.unreleased {
		o.writers[w].released = now
	}
	a.fences.unreleased = a.fences.unreleased[:0]
}

// Access gives waves the GPU's memory. Private memory is nobody else's.
func (d *dispatch) Access(va, n uint64, kind gcn.Access) []byte {
	g := d.aql.gpu
	b, scratch := d.window.bytes(&g.memory, va, n)
	if b == nil {
		panic(&gcn.Fault{Address: va, Write: kind == gcn.Write || kind == gcn.Atomic})
	}
	if !g.Strict || kind == gcn.Fetch || scratch {
		return b
	}
	var err error
	switch kind {
	case gcn.Read:
		err = g.ordering.check(d.writer, d.acquired, va, n)
	case gcn.Write:
		err = g.ordering.checkOver(d.writer, d.ordered, va, n)
	}
	if err != nil {
		panic(err)
	}
	if kind != gcn.Read {
		g.ordering.wrote(d.writer, va, n)
	}
	return b
}

// ordered notes a copy engine's write, and checks its read: it sees what was released.
func (s *sdma) ordered(to, from, n uint64) {
	o := &s.gpu.ordering
	if !s.gpu.Strict {
		return
	}
	if from != 0 {
		if err := o.check(0, o.now, from, n); err != nil {
			panic(err)
		}
	}
	id := o.begin(s.id, s.at)
	o.wrote(id, to, n)
	o.writers[id].ended = o.tick()
	o.writers[id].released, o.writers[id].flushed = o.now, o.now
}
