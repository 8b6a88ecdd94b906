package soft

import (
	"testing"
	"time"

	"aqueduct/devicequeue"

	"github.com/stretchr/testify/require"
)

// Threads that look for something to do look at on-device queues, whose memory is unmapped when they are destroyed.
func TestAnOnDeviceQueueStaysWhileAThreadLooksAtIt(t *testing.T) {
	a, err := New(Config{Workers: 1})
	require.NoError(t, err)
	q, err := a.NewDeviceQueue(1 << 12)
	require.NoError(t, err)
	looking, looked, on, destroyed := make(chan bool), make(chan bool), make(chan bool), make(chan bool)
	go a.deviceQueues.look(func(q *devicequeue.Queue) bool {
		looking <- true
		<-on
		looked <- q.Ready() == 0
		return true
	})
	within := func(what string, c <-chan bool) (x bool) {
		select {
		case x = <-c:
		case <-time.After(time.Minute):
			t.Fatalf("%s: still waiting\n%s", what, a.Dump())
		}
		return x
	}
	within("the thread that looks", looking)
	go func() {
		q.Destroy()
		close(destroyed)
	}()
	require.Eventually(t, func() bool { return len(*a.deviceQueues.list.Load()) == 0 }, time.Minute, time.Millisecond, "only the one who looks has it")
	select {
	case <-destroyed:
		t.Error("it was destroyed")
	case <-time.After(10 * time.Millisecond):
	}
	close(on)
	require.True(t, within("the thread that has looked", looked))
	within("the end of the queue", destroyed)
	require.False(t, a.busy())
}
