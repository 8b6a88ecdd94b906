package hostqueue

import (
	"fmt"
	"strings"
)

// Dump says in words what state the queue is in: for hangs.
func (q *Queue) Dump() string {
	q.mu.Lock()
	barrier, seq, epoch, released := q.barrier, q.seq, q.epoch, q.released
	var line strings.Builder
	if c := q.line.head; c != nil {
		line.WriteString("  first in line: ")
		c.describe(&line, "  ", 8)
	}
	q.mu.Unlock()
	order := "out-of-order"
	if q.inOrder {
		order = "in-order"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s queue %p: %d enqueued, flushed up to %d, %d in the device", order, q, seq, q.flushed.Load(), q.load.n.Load())
	n := epoch.n.Load()
	fmt.Fprintf(&b, "; this epoch has %d not ended", n&(isOpen-1))
	if released {
		b.WriteString("; released")
	}
	b.WriteByte('\n')
	b.WriteString(line.String())
	if barrier != nil {
		b.WriteString("  last barrier: ")
		barrier.describe(&b, "  ", 8)
	}
	if d, ok := q.dev.(interface{ Dump() string }); ok {
		fmt.Fprintf(&b, "  device: %s\n", strings.TrimSpace(d.Dump()))
	}
	return b.String()
}

// Dump says in words what c waits for.
func (c *Command) Dump() string {
	var b strings.Builder
	c.describe(&b, "", 8)
	return b.String()
}

func (c *Command) describe(b *strings.Builder, indent string, depth int) {
	kind := [...]string{"command", "marker", "barrier", "user event"}[c.kind]
	fmt.Fprintf(b, "%s %d of queue %p, %s", kind, c.seq, c.queue, statusName(c.Status()))
	if n := c.open.Load(); n > 0 {
		fmt.Fprintf(b, ", %d dependencies open", n)
	}
	b.WriteByte('\n')
	l := c.wait.Load()
	if l == nil {
		return
	}
	if depth == 0 {
		fmt.Fprintf(b, "%s  ...\n", indent)
		return
	}
	for i, d := range l.deps {
		if i == 8 {
			fmt.Fprintf(b, "%s  and %d more\n", indent, len(l.deps)-i)
			break
		}
		fmt.Fprintf(b, "%s  waits for ", indent)
		d.describe(b, indent+"  ", depth-1)
	}
}

func statusName(s Status) string {
	if s < Complete {
		return fmt.Sprintf("failed with %d", s)
	}
	return [...]string{"complete", "running", "submitted", "queued"}[s]
}
