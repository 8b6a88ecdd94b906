package rocr

import (
	"fmt"
	"time"

	"aqueduct/roc/hsa"
)

// patience is how long a queue may stay at one packet, after a memory fault of its GPU, before it is taken for what faulted.
const patience = 200 * time.Millisecond

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
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.owners {
		if a.handle != agent {
			continue
		}
		a.mu.Lock()
		for _, q := range a.queues {
			if at, busy := q.executing(); busy {
				go q.suspect(at, err)
			}
		}
		a.mu.Unlock()
	}
}

// executing is the index of the packet that the queue is at, and whether it is one that accesses memory.
func (q *queue) executing() (at uint64, busy bool) {
	q.mu.Lock()
	write := q.write
	q.mu.Unlock()
	at = q.ReadIndex()
	return at, at < write && q.typeOf(at) == hsa.PacketKernelDispatch
}

// suspect fails the queue if it stays where it is.
func (q *queue) suspect(at uint64, err error) {
	time.Sleep(patience)
	if now, busy := q.executing(); busy && now == at {
		q.fail(err)
	}
}
