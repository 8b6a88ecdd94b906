package rocr

import (
	"fmt"
	"time"

	"aqueduct/roc/hsa"
)

const (
	// patience is how long a queue may stay at one packet, when its GPU has just told of a memory fault, before it is taken for what
	// faulted.
	patience = 200 * time.Millisecond
	// laterPatience is the same for all time after, as the runtime tells of the first memory fault of a process only.
	laterPatience = 10 * time.Second
)

var errStuck = fmt.Errorf("no end within %v, after a memory fault: AMD's runtime tells of the first only", laterPatience)

// faultReasons are the bits of hsa_amd_memory_fault_reason_t.
var faultReasons = []struct {
	bit  uint32
	text string
}{
	{1 << 0, "no memory there"}, {1 << 1, "read-only memory"}, {1 << 2, "memory without code"}, {1 << 3, "memory of the host only"},
	{1 << 4, "a DRAM error"}, {1 << 6, "an SRAM error"}, {1 << 31, "the GPU hangs"},
}

// fault is called when a GPU has accessed memory that it must not. The runtime knows where, and not who: it was a queue that does
// not get on any more.
func (m *machine) fault(agent handle, address uint64, reasons uint32) {
	reason := "a memory fault"
	for _, r := range faultReasons {
		if reasons&r.bit != 0 {
			reason = r.text
			break
		}
	}
	err := fmt.Errorf("memory access fault at %#x: %s", address, reason)
	for _, q := range m.queues() {
		if at, busy := q.executing(); busy && q.agent.handle == agent {
			go q.suspect(at, err)
		}
	}
	go m.suspectCopy(address, err)
	go m.distrust()
}

// queues are those of all agents.
func (m *machine) queues() (all []*queue) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.owners {
		a.mu.Lock()
		all = append(all, a.queues...)
		a.mu.Unlock()
	}
	return all
}

// distrust fails queues that stay at one packet for too long.
func (m *machine) distrust() {
	type place struct {
		at    uint64
		since time.Time
	}
	seen := map[*queue]place{}
	for {
		time.Sleep(laterPatience / 20)
		m.copies.overdue(laterPatience, errStuck)
		now := map[*queue]place{}
		for _, q := range m.queues() {
			at, busy := q.executing()
			if !busy {
				continue
			}
			p, known := seen[q]
			if !known || p.at != at {
				p = place{at, time.Now()}
			}
			now[q] = p
			if time.Since(p.since) > laterPatience {
				q.fail(errStuck)
			}
		}
		seen = now
	}
}

// suspectCopy fails the copies of engines if one of them has accessed the address and does not end.
func (m *machine) suspectCopy(address uint64, err error) {
	if m.copies.near(address) {
		time.Sleep(patience)
		if m.copies.near(address) {
			m.copies.fail(err)
		}
	}
}

// executing is the index of the packet that the queue is at, and whether it is one that accesses memory.
func (q *queue) executing() (at uint64, busy bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.gone {
		return 0, false
	}
	at = q.ReadIndex()
	return at, at < q.write && q.typeOf(at) == hsa.PacketKernelDispatch
}

// suspect fails the queue if it stays where it is.
func (q *queue) suspect(at uint64, err error) {
	time.Sleep(patience)
	if now, busy := q.executing(); busy && now == at {
		q.fail(err)
	}
}
