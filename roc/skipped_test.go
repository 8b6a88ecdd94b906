package roc

import (
	"testing"
	"time"

	"aqueduct/hostqueue"

	"github.com/stretchr/testify/require"
)

// A command that is not run, as what it depends on has failed, is behind those in front of it all the same when it is the first in
// another ring.
func TestWhatIsNotRunKeepsTheOrder(t *testing.T) {
	for range 20 { // the failed one has to fail while the one that depends on it is in an open batch
		b := newBench(t, 3, limits{queues: 3, size: 1024, batch: 16})
		counter := b.memory(1)
		count := func(groups int) *Dispatch { return b.dispatch("count", groups, 250, address(counter), 0) }
		first, second := b.queue(true, nil), b.queue(true, nil)
		third := b.queue(true, func(*hostqueue.Command, string) {})
		hold, open := b.hold()
		b.enqueue(first, hold, false)
		b.enqueue(second, Nothing{}, false)
		b.within("the second queue", second.Finish)
		b.enqueue(second, count(1), true, b.enqueue(first, count(1), true)) // follows
		b.enqueue(first, count(1000), true)                                 // comes behind
		trap, _ := b.trap()
		failed := b.enqueue(third, trap, true)
		skipped := b.enqueue(second, count(1), true, failed)
		b.within("the trap", func() { failed.Wait() })
		last := b.enqueue(second, count(1), true)
		second.Flush()
		for end := time.Now().Add(5 * time.Millisecond); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
			require.Greater(t, last.Status(), hostqueue.Complete, "it is behind what waits")
		}
		open()
		b.within("all queues", func() { first.Finish(); second.Finish(); third.Finish() })
		require.Negative(t, skipped.Status())
		require.Equal(t, hostqueue.Complete, last.Status())
	}
}
