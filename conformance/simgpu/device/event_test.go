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

func TestAnAutoResetEventWakesAllWhoWait(t *testing.T) {
	g := newGPU(t, 0)
	id, status := g.CreateEvent(SignalEvent, false, false)
	require.Equal(t, Success, status)
	const waiters = 4
	woken := make(chan Status, waiters)
	for range waiters {
		go func() { woken <- g.Wait([]uint32{id}, true, soon) }()
	}
	require.Eventually(t, func() bool {
		g.events.mu.Lock()
		defer g.events.mu.Unlock()
		return g.events.all[id].waiters == waiters
	}, soon, time.Millisecond)
	require.Equal(t, Success, g.Raise(id))
	for range waiters {
		require.Equal(t, Success, <-woken)
	}
	require.Equal(t, WaitTimeout, g.Wait([]uint32{id}, true, 0), "and is not set afterwards")
}

func TestAnEventNobodyWaitsForStaysSetOnce(t *testing.T) {
	g := newGPU(t, 0)
	auto, _ := g.CreateEvent(SignalEvent, false, false)
	manual, _ := g.CreateEvent(SignalEvent, true, false)
	g.Raise(auto)
	g.Raise(manual)
	require.Equal(t, Success, g.Wait([]uint32{auto, manual}, true, 0))
	require.Equal(t, WaitTimeout, g.Wait([]uint32{auto}, true, 0))
	require.Equal(t, Success, g.Wait([]uint32{auto, manual}, false, 0))
	require.Equal(t, WaitTimeout, g.Wait([]uint32{auto, manual}, true, 0), "all of them")
	require.Equal(t, Success, g.DestroyEvent(auto))
	require.Equal(t, InvalidHandle, g.Raise(auto))
	require.Equal(t, InvalidHandle, g.DestroyEvent(auto))
}
