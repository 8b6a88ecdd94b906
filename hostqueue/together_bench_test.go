package hostqueue_test

import (
	"testing"
	"time"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// BenchmarkLaunch measures what a launch costs below the API, with everything but the kernel's own work.
func BenchmarkLaunch(b *testing.B) {
	m := newMachine(b)
	in, out := m.queue(true, false), m.queue(false, false)
	profiled := m.queue(true, true)
	second := m.queue(true, false)
	k := m.kernel["nothing"]
	op := func() *hostqueue.Command {
		a, _ := m.device.NewKernarg(k, nil, nil)
		return hostqueue.NewCommand(hostqueue.KindCommand, &roc.Dispatch{Kernel: k, Args: a, Dims: 1, Global: [3]uint64{1, 1, 1}, Local: [3]uint64{1, 1, 1}})
	}
	b.Run("round trip", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = in.Enqueue(op(), nil)
			in.Finish()
		}
	})
	b.Run("round trip with event", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c := op()
			c.Visible = true
			_ = in.Enqueue(c, nil)
			hostqueue.WaitAll([]*hostqueue.Command{c})
		}
	})
	for name, q := range map[string]*hostqueue.Queue{"in-order": in, "out-of-order": out, "profiled": profiled} {
		b.Run("10000 "+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for range 10_000 {
					_ = q.Enqueue(op(), nil)
				}
				q.Finish()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e4, "ns/cmd")
		})
	}
	b.Run("two-queue chain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var last *hostqueue.Command
			for i := range 1000 {
				c := op()
				c.Visible = true
				q := in
				if i&1 == 1 {
					q = second
				}
				if last == nil {
					_ = q.Enqueue(c, nil)
				} else {
					_ = q.Enqueue(c, []*hostqueue.Command{last})
				}
				last = c
			}
			last.Wait()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e3, "ns/hop")
	})
	b.Run("kernel and barrier out-of-order", func(b *testing.B) {
		for b.Loop() {
			for range 100 {
				_ = out.Enqueue(op(), nil)
				_ = out.Enqueue(hostqueue.NewCommand(hostqueue.KindBarrier, nil), nil)
			}
			out.Finish()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e2, "ns/pair")
	})
	b.Run("callback", func(b *testing.B) {
		called := make(chan time.Time, 1)
		late := time.Duration(0)
		for b.Loop() {
			c := op()
			c.Visible = true
			_ = in.Enqueue(c, nil)
			c.OnStatus(hostqueue.Complete, func(hostqueue.Status) { called <- time.Now() })
			c.Wait()
			ended := time.Now()
			late += (<-called).Sub(ended)
		}
		b.ReportMetric(float64(late.Nanoseconds())/float64(b.N), "ns-after-wait")
	})
}
