package soft

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What readers find is never freed while they have it, however often it is replaced; a thread that replaces it gets on.
func TestReadersKeepWhatTheyFind(t *testing.T) {
	type thing struct{ freed atomic.Bool }
	var r readers
	var list atomic.Pointer[[]*thing]
	list.Store(&[]*thing{new(thing)})
	var found, freed atomic.Int64
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				side := r.enter()
				for _, x := range *list.Load() {
					for range 10 {
						if x.freed.Load() {
							freed.Add(1)
						}
					}
				}
				r.leave(side)
				found.Add(1)
				time.Sleep(10 * time.Microsecond)
			}
		})
	}
	for found.Load() == 0 {
		time.Sleep(10 * time.Microsecond)
	}
	var mu sync.Mutex
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			for range 100 {
				mu.Lock()
				old := *list.Load()
				changed := append(slices.Clone(old[1:]), new(thing))
				list.Store(&changed)
				r.wait()
				old[0].freed.Store(true)
				mu.Unlock()
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("writers wait: side %d, %d and %d readers", r.side.Load(), r.count[0].n.Load(), r.count[1].n.Load())
	}
	close(stop)
	wg.Wait()
	require.Zero(t, freed.Load())
}
