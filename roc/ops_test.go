package roc

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"
	"unsafe"

	"aqueduct/hostqueue"

	"github.com/stretchr/testify/require"
)

// buffer returns size bytes of device memory with random contents, as bytes.
func (b *bench) buffer(r *rand.Rand, size uint64) []byte {
	m := b.alloc(size)
	b.tb.Cleanup(m.Release)
	p := unsafe.Slice((*byte)(m.Ptr), size)
	r.Read(p)
	return p
}

// TestCopyRect compares random copies, around the sizes where the engine changes its ways, with a plain loop.
func TestCopyRect(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	q := b.queue(true, nil)
	r := rand.New(rand.NewSource(3))
	const room = 4 << 20
	src, dst := b.buffer(r, room), b.buffer(r, room)
	want := slices.Clone(dst)
	for _, size := range [][3]uint64{
		{1, 1, 1}, {64 << 10, 1, 1}, {64<<10 - 1, 1, 1}, {64<<10 + 1, 1, 1}, {3<<20 + 5, 1, 1}, {1, 1000, 1}, {1, 1, 1000}, {3, 5, 7},
		{1000, 100, 10}, {65536, 4, 4}, {100_001, 3, 5}, {17, 333, 21},
	} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			c := CopyRect{Size: size}
			span := func(pitch *[2]uint64) uint64 {
				pitch[0] = size[0] + uint64(r.Intn(20))
				pitch[1] = pitch[0]*size[1] + uint64(r.Intn(50))
				return (size[2]-1)*pitch[1] + (size[1]-1)*pitch[0] + size[0]
			}
			at, from := uint64(r.Intn(100)), uint64(r.Intn(100))
			require.LessOrEqual(t, span(&c.DstPitch)+at, uint64(room))
			require.LessOrEqual(t, span(&c.SrcPitch)+from, uint64(room))
			c.Dst, c.Src = unsafe.Pointer(&dst[at]), unsafe.Pointer(&src[from])
			for z := range size[2] {
				for y := range size[1] {
					d, s := at+z*c.DstPitch[1]+y*c.DstPitch[0], from+z*c.SrcPitch[1]+y*c.SrcPitch[0]
					copy(want[d:d+size[0]], src[s:s+size[0]])
				}
			}
			command := b.enqueue(q, c, true)
			b.within("copy", func() { require.Equal(t, hostqueue.Complete, command.Wait()) })
			require.True(t, string(want) == string(dst))
		})
	}
}

func TestFill(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	q := b.queue(true, nil)
	r := rand.New(rand.NewSource(4))
	dst := b.buffer(r, 6<<20)
	want := slices.Clone(dst)
	for _, length := range []int{1, 2, 4, 8, 16, 32, 64, 128, 3, 100} {
		for i, size := range [][3]int{ // in patterns a row
			{1, 1, 1}, {5, 1, 1}, {16<<10/length + 1, 1, 1}, {64 << 10 / length, 1, 1}, {200_000 / length, 1, 1}, {2_000_000 / length, 1, 1},
			{1, 9, 3}, {5, 100, 1}, {20_000 / length, 10, 3}, {100_000 / length, 3, 2}, {64 << 10 / length, 5, 1},
		} {
			if onGPU() && size[0]*size[1]*size[2]*length > 100_000 {
				continue // a simulated one takes long
			}
			pattern := make([]byte, length)
			if i%3 > 0 { // zeros have a way of their own
				r.Read(pattern)
			}
			f := Fill{Size: [3]uint64{uint64(size[0] * length), uint64(size[1]), uint64(size[2])}, Pattern: pattern}
			f.Pitch[0] = f.Size[0] + uint64(r.Intn(30))
			f.Pitch[1] = f.Pitch[0]*f.Size[1] + uint64(r.Intn(30))
			at := uint64(r.Intn(1000))
			f.Dst = unsafe.Pointer(&dst[at])
			for z := range f.Size[2] {
				for y := range f.Size[1] {
					copy(want[at+z*f.Pitch[1]+y*f.Pitch[0]:], slices.Repeat(pattern, size[0]))
				}
			}
			c := b.enqueue(q, f, true)
			b.within("fill", func() { require.Equal(t, hostqueue.Complete, c.Wait()) })
			require.True(t, string(want) == string(dst), "%v patterns of %d", size, length)
		}
	}
}

func TestCopyFromMemoryThatIsGoneFailsTheCommand(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	var told failures
	q := b.queue(true, told.add)
	dst := b.buffer(rand.New(rand.NewSource(5)), 4096)
	nowhere := uintptr(0x10_0000_0000_0000 >> 8)
	gone := *(*unsafe.Pointer)(unsafe.Pointer(&nowhere))
	c := b.enqueue(q, CopyRect{Dst: unsafe.Pointer(&dst[0]), Src: gone, Size: [3]uint64{4096, 1, 1}}, true)
	b.within("copy", func() { require.Equal(t, hostqueue.ErrOutOfResources, c.Wait()) })
	require.Len(t, told.list, 1)
	require.Contains(t, told.list[0], "a copy failed")
}

func TestAllocationsAbove4GiB(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	const size = 5 << 30
	if b.device.Info().MaxAlloc < size {
		t.Skip("the machine has too little memory")
	}
	m := b.alloc(size)
	defer m.Release()
	all := unsafe.Slice((*byte)(m.Ptr), uint64(size))
	all[size-1] = 7
	q := b.queue(true, nil)
	sub := m.Sub(size-100, 100)
	b.enqueue(q, CopyRect{Dst: m.Ptr, Src: sub.Ptr, Size: [3]uint64{100, 1, 1}}, false)
	b.within("copy", q.Finish)
	require.EqualValues(t, 7, all[99])
	sub.Release()

	_, err := b.device.Alloc(1 << 50)
	require.Error(t, err)
}

func TestSubMemoryKeepsItsParent(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	m := b.alloc(1 << 20)
	sub := m.Sub(1<<10, 1<<10)
	m.Release()
	*(*int)(sub.Ptr) = 1
	require.EqualValues(t, 1, m.refs.Load())
	sub.Release()
	require.Zero(t, m.refs.Load())
}

// A thread that waits for a copy has it done with workers asleep or not.
func TestCommandsAfterIdleTime(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	q := b.queue(true, nil)
	r := rand.New(rand.NewSource(6))
	src, dst := b.buffer(r, 1<<20), b.buffer(r, 1<<20)
	for i := range few(30) + 3 {
		time.Sleep(time.Duration(r.Intn(3000)) * time.Microsecond)
		dst[len(dst)-1] = src[len(src)-1] + 1
		n := uint64(len(src))
		c := b.enqueue(q, CopyRect{Dst: unsafe.Pointer(&dst[0]), Src: unsafe.Pointer(&src[0]), Size: [3]uint64{n, 1, 1}}, true)
		b.within("copy", func() {
			if i%2 == 0 {
				c.Wait()
				return
			}
			for q.Flush(); c.Status() != hostqueue.Complete; time.Sleep(50 * time.Microsecond) {
			}
		})
		require.Equal(t, src[len(src)-1], dst[len(dst)-1])
	}
}

// Whoever waits for a copy at once makes it himself, in his own cache; for another a thread is woken if the copy is long.
func TestWhoWaitsForACopyMakesIt(t *testing.T) {
	needsCPU(t, "threads that wait do not help a GPU")
	for name, c := range map[string]struct {
		size    uint64
		awaited bool
		woken   bool
	}{
		"awaited":          {size: 1 << 20, awaited: true},
		"long and awaited": {size: 4 << 20, awaited: true},
		"not awaited":      {size: 1 << 20},
		"long":             {size: 4 << 20, woken: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 2, benchLimit)
			r := rand.New(rand.NewSource(1))
			q := b.queue(true, nil)
			dst, src := b.buffer(r, c.size), b.buffer(r, c.size)
			cmd := hostqueue.NewCommand(hostqueue.KindCommand, CopyRect{Dst: unsafe.Pointer(&dst[0]), Src: unsafe.Pointer(&src[0]), Size: [3]uint64{c.size, 1, 1}})
			cmd.Awaited = c.awaited
			require.Equal(t, c.woken, wakes(cmd))
			require.NoError(t, q.Enqueue(cmd, nil))
			require.Equal(t, hostqueue.Complete, cmd.Wait())
			require.True(t, string(dst) == string(src))
		})
	}
}
