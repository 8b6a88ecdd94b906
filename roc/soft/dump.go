package soft

import (
	"fmt"
	"strings"

	"aqueduct/devicequeue"
	"aqueduct/roc/hsa"
)

// Dump says in words what the queues and workers are doing: for hangs.
func (a *Agent) Dump() string {
	var b strings.Builder
	p := &a.pool
	fmt.Fprintf(&b, "agent: %d workers, %d asleep, %d attentive, %d spinning; %d launches with room for more\n",
		p.size, p.spare.Load(), p.attentive.Load(), p.spinning.Load(), a.launches.open.Load())
	for i, q := range *a.queues.Load() {
		s := q.state.Load()
		fmt.Fprintf(&b, "queue %d (priority %d): packets %d to %d to take, %d running", i, q.priority, q.read.Load(), q.write.Load(), s/running)
		for _, bit := range []struct {
			mask uint64
			name string
		}{{locked, "being processed"}, {kicked, "to be looked at"}, {halted, "failed"}} {
			if s&bit.mask != 0 {
				b.WriteString(", " + bit.name)
			}
		}
		if r := q.read.Load(); r < q.write.Load() && s&halted == 0 {
			q.dumpPacket(&b, r)
		}
		b.WriteByte('\n')
	}
	i := 0
	a.deviceQueues.look(func(q *devicequeue.Queue) bool {
		fmt.Fprintf(&b, "on-device queue %d: %s\n", i, q.Dump())
		i++
		return true
	})
	return b.String()
}

func (q *Queue) dumpPacket(b *strings.Builder, index uint64) {
	p := (*hsa.BarrierPacket)(q.Packet(index))
	fmt.Fprintf(b, "; next: type %d, barrier bit %v", hsa.Type(p.Header), hsa.Barrier(p.Header))
	if hsa.Type(p.Header) == hsa.PacketBarrierAnd || hsa.Type(p.Header) == hsa.PacketBarrierOr {
		for _, s := range p.Deps {
			if s != 0 {
				fmt.Fprintf(b, ", signal %#x is %d", uint64(s), s.Load())
			}
		}
	}
}
