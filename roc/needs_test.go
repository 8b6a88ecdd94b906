package roc

import (
	"testing"

	"aqueduct/hostqueue"
)

// A thread that waits is not kept by a kernel that waits for what the thread does next, although it helps.
func TestAWaiterRunsNothingThatItCanDoWithout(t *testing.T) {
	needsCPU(t, "nobody helps a GPU")
	for what, wait := range map[string]func(b *bench, hold, op hostqueue.Op){
		"another queue": func(b *bench, hold, op hostqueue.Op) {
			first, second := b.queue(true, nil), b.queue(true, nil)
			b.enqueue(first, hold, false)
			first.Device().Flush(hostqueue.CutWait, hostqueue.Waits)
			b.enqueue(second, op, false)
			second.Finish()
		},
		"behind it": func(b *bench, hold, op hostqueue.Op) {
			q := b.queue(true, nil)
			c := b.enqueue(q, op, true)
			b.enqueue(q, hold, false)
			q.Device().Flush(hostqueue.CutWait, hostqueue.Waits)
			c.Wait()
		},
		"out of order": func(b *bench, hold, op hostqueue.Op) {
			q := b.queue(false, nil)
			b.enqueue(q, hold, false)
			c := b.enqueue(q, op, true)
			q.Device().Flush(hostqueue.CutWait, hostqueue.Waits)
			c.Wait()
		},
		"another queue of the same ring": func(b *bench, hold, op hostqueue.Op) {
			first := b.queue(true, nil)
			b.enqueue(first, hold, false)
			first.Device().Flush(hostqueue.CutWait, hostqueue.Waits)
			for range benchLimit.queues - 1 {
				b.enqueue(b.queue(true, nil), Nothing{}, false)
			}
			q := b.queue(true, nil)
			b.enqueue(q, op, false)
			q.Finish()
		},
	} {
		t.Run(what, func(t *testing.T) {
			for range 20 {
				b := newBench(t, 3, benchLimit)
				hold, open := b.hold()
				count := b.dispatch("count", 1, 1, address(b.memory(1)), 0)
				b.within("a command", func() { wait(b, hold, count) })
				open()
			}
		})
	}
}
