package hostqueue

import "testing"

// instant completes commands as they are flushed or waited for, with no work: what is left is this package's own cost.
type instant struct{ open, ended []*Command }

func (d *instant) Submit(c *Command, _ Then) { d.open = append(d.open, c) }
func (d *instant) Flush(Cut, Then)           {}
func (d *instant) Assist()                   {}
func (d *instant) Domain() any               { return d }
func (d *instant) Began(*Command) bool       { return false }
func (d *instant) Close()                    {}
func (d *instant) Help(Awaited) bool {
	if len(d.open) == 0 {
		return false
	}
	now := d.open
	d.open, d.ended = d.ended[:0], nil
	for i, c := range now {
		now[i] = nil
		c.Complete(Complete, 0, 0) // which may submit others
	}
	d.ended = now
	return true
}

func BenchmarkRoundTrip(b *testing.B) {
	for _, order := range []bool{true, false} {
		b.Run(map[bool]string{true: "in-order", false: "out-of-order"}[order], func(b *testing.B) {
			q := NewQueue(&instant{}, Config{InOrder: order})
			b.ReportAllocs()
			for b.Loop() {
				_ = q.Enqueue(NewCommand(KindCommand, nil), nil)
				q.Finish()
			}
		})
	}
}

func BenchmarkEnqueue1000(b *testing.B) {
	for _, order := range []bool{true, false} {
		b.Run(map[bool]string{true: "in-order", false: "out-of-order"}[order], func(b *testing.B) {
			q := NewQueue(&instant{}, Config{InOrder: order})
			b.ReportAllocs()
			for b.Loop() {
				for range 1000 {
					_ = q.Enqueue(NewCommand(KindCommand, nil), nil)
				}
				q.Finish()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/cmd")
		})
	}
}

func BenchmarkTwoQueueChain(b *testing.B) {
	d := &instant{}
	q := [2]*Queue{NewQueue(d, Config{InOrder: true}), NewQueue(d, Config{InOrder: true})}
	b.ReportAllocs()
	var last *Command
	i := 0
	for b.Loop() {
		c := NewCommand(KindCommand, nil)
		if last == nil {
			_ = q[0].Enqueue(c, nil)
		} else {
			_ = q[i&1].Enqueue(c, []*Command{last})
		}
		last = c
		if i++; i%1000 == 0 {
			last.Wait()
		}
	}
}

func BenchmarkBarrierOutOfOrder(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(map[int]string{10: "10 in flight", 10_000: "10000 in flight"}[n], func(b *testing.B) {
			d := &instant{}
			q := NewQueue(d, Config{})
			for range n {
				_ = q.Enqueue(NewCommand(KindCommand, nil), nil)
			}
			b.ReportAllocs()
			for b.Loop() {
				_ = q.Enqueue(NewCommand(KindBarrier, nil), nil)
			}
			q.Finish()
		})
	}
}
