package soft

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSharesAreOfConsecutiveChunks(t *testing.T) {
	for _, n := range []uint64{1, 2, 7, 64, 1000} {
		shares := divide(n, 4)
		var all []uint64
		for i := range shares {
			for c, ok := shares[i].take(); ok; c, ok = shares[i].take() {
				all = append(all, c)
			}
		}
		require.Len(t, all, int(n))
		for i, c := range all {
			require.EqualValues(t, i, c)
		}
	}
}

func TestAThreadWithoutChunksTakesTheFirstHalfOfAnothersShare(t *testing.T) {
	shares := divide(16, 2)
	var got []uint64
	for range 8 + 4 + 2 + 1 + 1 {
		c, ok := next(shares, 1)
		require.True(t, ok)
		got = append(got, c)
	}
	require.Equal(t, []uint64{8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7}, got)
	_, ok := next(shares, 1)
	require.False(t, ok)
}

func TestEveryChunkIsTakenOnce(t *testing.T) {
	const n, threads = 100_000, 5
	shares := divide(n, threads)
	taken := make([]atomic.Int32, n)
	var all sync.WaitGroup
	for own := range threads - 1 { // one never comes
		all.Go(func() {
			for c, ok := next(shares, own); ok; c, ok = next(shares, own) {
				taken[c].Add(1)
			}
		})
	}
	all.Wait()
	for c := range taken {
		require.EqualValues(t, 1, taken[c].Load(), c)
	}
}

// Each work-group waits for the one before it, whoever comes when.
func TestWhatWaitsIsNeverBeforeWhatItWaitsFor(t *testing.T) {
	const n = 10_000
	for threads := 1; threads <= 4; threads++ {
		shares := divide(n, 4)
		var done atomic.Uint64
		var all sync.WaitGroup
		for _, own := range []int{0, 3, 1, 2}[:threads] {
			all.Go(func() {
				for c, ok := next(shares, own); ok; c, ok = next(shares, own) {
					for end := time.Now().Add(deadline); done.Load() != c; osyield() {
						if time.Now().After(end) {
							t.Errorf("%d threads: chunk %d waits, %d are done", threads, c, done.Load())
							return
						}
					}
					done.Add(1)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, n, done.Load())
	}
}
