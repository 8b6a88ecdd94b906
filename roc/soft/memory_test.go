package soft

import (
	"math/rand"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestMemoryIsAlignedAndSeparate(t *testing.T) {
	m := &memory{limit: 1 << 40}
	r := rand.New(rand.NewSource(1))
	type block struct {
		bytes []byte
		mark  byte
	}
	var live []block
	check := func(b block) {
		for i, x := range b.bytes {
			if x != b.mark {
				t.Fatalf("byte %d of %d is another's", i, len(b.bytes))
			}
		}
	}
	for i := range 2000 {
		if len(live) > 40 || len(live) > 0 && r.Intn(3) == 0 {
			at := r.Intn(len(live))
			check(live[at])
			m.free(unsafe.Pointer(&live[at].bytes[0]))
			live = append(live[:at], live[at+1:]...)
			continue
		}
		size := uint64(1 + r.Intn(1<<r.Intn(23)))
		p, err := m.alloc(size)
		require.NoError(t, err)
		require.Zero(t, uintptr(p)%smallest)
		if size > largestSmall {
			require.Zero(t, uintptr(p)%pageSize)
		}
		b := block{bytesAt(p, size), byte(i)}
		for j := range b.bytes {
			b.bytes[j] = b.mark
		}
		live = append(live, b)
	}
	for _, b := range live {
		check(b)
		m.free(unsafe.Pointer(&b.bytes[0]))
	}
	require.Zero(t, m.inUse)
	require.Empty(t, m.sizes)
}

func TestMemoryHasALimit(t *testing.T) {
	m := &memory{limit: 10 << 20}
	p, err := m.alloc(8 << 20)
	require.NoError(t, err)
	_, err = m.alloc(8 << 20)
	require.ErrorContains(t, err, "in use")
	_, err = m.alloc(1 << 62)
	require.Error(t, err)
	m.free(p)
	p, err = m.alloc(8 << 20)
	require.NoError(t, err)
	m.free(p)
}

func TestFreedMemoryIsReusedAndBounded(t *testing.T) {
	m := &memory{limit: 1 << 40}
	p, err := m.alloc(1 << 20)
	require.NoError(t, err)
	m.free(p)
	again, err := m.alloc(1 << 20)
	require.NoError(t, err)
	require.Equal(t, p, again)
	m.free(again)
	for range 3 * keepBlocks {
		var all []unsafe.Pointer
		for range 3 {
			p, err := m.alloc(32 << 20)
			require.NoError(t, err)
			all = append(all, p)
		}
		for _, p := range all {
			m.free(p)
		}
		require.LessOrEqual(t, len(m.kept), keepBlocks)
		require.LessOrEqual(t, m.keeps, uint64(keepLimit))
	}
}

func TestMemoryUnderManyThreads(t *testing.T) {
	m := &memory{limit: 1 << 40}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewSource(int64(i)))
			for range 2000 {
				p, err := m.alloc(uint64(1 + r.Intn(100_000)))
				if err != nil {
					t.Error(err)
					return
				}
				*(*int)(p) = i
				if *(*int)(p) != i {
					t.Error("shared")
				}
				m.free(p)
			}
		}()
	}
	wg.Wait()
	require.Zero(t, m.inUse)
}

func TestSignalsAreSeparateAndRecycled(t *testing.T) {
	b := newBench(t, 1)
	seen := make(map[*signalState]bool)
	for range 5000 {
		s := b.signal()
		require.EqualValues(t, 1, s.Load())
		st := b.agent.signals.state(s.Block())
		require.False(t, seen[st])
		seen[st] = true
		defer b.agent.FreeSignal(s)
	}
}

// An agent that only loops over allocation and freeing of a large buffer does not grow.
func TestLargeBuffersDoNotAccumulate(t *testing.T) {
	m := &memory{limit: 1 << 40}
	for i := range 50 {
		p, err := m.alloc(uint64(64<<20 + i<<21)) // sizes that do not come back
		require.NoError(t, err)
		*(*int)(p) = 1
		m.free(p)
	}
	require.Less(t, resident(t), 3<<30)
}

func resident(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/statm")
	require.NoError(t, err)
	pages, err := strconv.Atoi(strings.Fields(string(status))[1])
	require.NoError(t, err)
	return pages * pageSize
}
