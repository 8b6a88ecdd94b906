package device

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func newGPU(t *testing.T, seed uint64) *GPU {
	g, err := New(Config{Chip: "gfx906", Seed: seed, Strict: true})
	require.NoError(t, err)
	g.started.Do(func() {}) // the tests take turns themselves
	return g
}

// soon is how long a test waits for what must happen.
const soon = time.Minute

func TestARaisedEventIsSeenOnceByEachThread(t *testing.T) {
	g := newGPU(t, 0)
	id, status := g.CreateEvent(SignalEvent, false, false)
	require.Equal(t, Success, status)
	const waiters = 4
	woken := make(chan Status, waiters)
	for thread := range waiters {
		go func() { woken <- g.Wait(thread, []uint32{id}, true, soon) }() // before it is raised, or after
	}
	require.Equal(t, Success, g.Raise(id))
	for range waiters {
		require.Equal(t, Success, <-woken)
	}
	for thread := range waiters {
		require.Equal(t, WaitTimeout, g.Wait(thread, []uint32{id}, true, 0), "not twice")
	}
	require.Equal(t, Success, g.Wait(waiters, []uint32{id}, true, 0), "nobody misses it")
}

func TestWaitingForOneEventOrForAll(t *testing.T) {
	g := newGPU(t, 0)
	auto, _ := g.CreateEvent(SignalEvent, false, false)
	manual, _ := g.CreateEvent(SignalEvent, true, false)
	never, _ := g.CreateEvent(SignalEvent, false, false)
	g.Raise(auto)
	g.Raise(manual)
	require.Equal(t, WaitTimeout, g.Wait(1, []uint32{auto, manual, never}, true, 0))
	g.Raise(auto)
	require.Equal(t, Success, g.Wait(1, []uint32{auto, manual}, true, 0))
	require.Equal(t, WaitTimeout, g.Wait(1, []uint32{auto}, true, 0))
	require.Equal(t, Success, g.Wait(1, []uint32{auto, manual}, false, 0), "a manual event stays set")
	set, _ := g.CreateEvent(SignalEvent, false, true)
	require.Equal(t, Success, g.Wait(1, []uint32{set}, true, 0))
	require.Equal(t, WaitTimeout, g.Wait(1, []uint32{set}, true, 0))
	require.Equal(t, Success, g.DestroyEvent(auto))
	require.Equal(t, InvalidHandle, g.Raise(auto))
	require.Equal(t, InvalidHandle, g.DestroyEvent(auto))
}
