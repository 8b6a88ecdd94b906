package roc

import (
	"encoding/binary"
	"math"
	"testing"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc/compiler/codeobject"

	"github.com/stretchr/testify/require"
)

func TestHiddenArguments(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	k := *b.kernel("count")
	k.Info.GroupSegmentSize = 64
	args, err := b.device.NewKernarg(&k, []byte{1, 2, 3}, nil)
	require.NoError(t, err)
	args.local = 100
	d := &Dispatch{
		Kernel: &k, Args: args, Dims: 2, Offset: [3]uint64{5, 6, 0}, Global: [3]uint64{1000, 7, 1}, Local: [3]uint64{64, 7, 1},
	}
	p := unsafe.Add(args.block.ptr, k.Info.HiddenOffset)
	d.hide(args.block.ptr, [3]uint64{2, 0, 0})
	require.Equal(t, codeobject.HiddenArgs{
		BlockCount: [3]uint32{15, 1, 1}, GroupSize: [3]uint16{64, 7, 1}, Remainder: [3]uint16{40, 0, 0}, GroupBase: [3]uint32{2, 0, 0},
		GlobalOffset: [3]uint64{5, 6, 0}, GridDims: 2, DynamicLDSSize: 36,
	}, *(*codeobject.HiddenArgs)(p))
	explicit := unsafe.Slice((*byte)(args.block.ptr), k.Info.HiddenOffset)
	require.Equal(t, append([]byte{1, 2, 3}, make([]byte, len(explicit)-3)...), explicit)
	args.Release()
	args.Release()
}

func TestLocalArgumentsFollowTheKernelsOwn(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	k := *b.kernel("count")
	k.Info.GroupSegmentSize = 100
	k.Info.HiddenOffset = 32
	k.Info.Args = []codeobject.ArgInfo{
		{Kind: codeobject.ArgLocal, Offset: 0, PointeeAlign: 4},
		{Kind: codeobject.ArgGlobal, Offset: 8},
		{Kind: codeobject.ArgLocal, Offset: 16, PointeeAlign: 128},
	}
	args, err := b.device.NewKernarg(&k, nil, []uint32{30, 1000})
	require.NoError(t, err)
	explicit := unsafe.Slice((*byte)(args.block.ptr), 32)
	require.EqualValues(t, 112, binary.LittleEndian.Uint32(explicit[0:]))
	require.EqualValues(t, 256, binary.LittleEndian.Uint32(explicit[16:]))
	require.EqualValues(t, 1256, args.local)
	args.Release()

	_, err = b.device.NewKernarg(&k, nil, []uint32{30, b.device.Info().LocalMemory})
	require.ErrorContains(t, err, "local memory")
}

func TestProgramStaysLoadedWhileALaunchUsesIt(t *testing.T) {
	b := newBench(t, 2, benchLimit)
	p := loadKernels(t, b.device)
	k, err := p.Kernel("count")
	require.NoError(t, err)
	counter := b.memory(1)
	args, err := b.device.NewKernarg(k, b.explicit(address(counter), uint64(few(1_000_000))), nil)
	require.NoError(t, err)
	one := [3]uint64{1, 1, 1}
	q := b.queue(true, nil)
	gate := hostqueue.NewUser()
	b.enqueue(q, &Dispatch{Kernel: k, Args: args, Dims: 1, Global: one, Local: one}, false, gate)
	p.Release()
	require.EqualValues(t, 1, p.refs.Load())
	require.NoError(t, gate.SetUserStatus(hostqueue.Complete, hostqueue.Leaves))
	b.within("launch", q.Finish)
	require.EqualValues(t, 1, counter[0])
	require.Zero(t, p.refs.Load())

	_, err = b.program.Kernel("nothing")
	require.Error(t, err)
	_, err = b.device.Load(&codeobject.Program{Type: codeobject.Library})
	require.Error(t, err)
}

// An NDRange with more than 32 bits in a dimension takes several packets; all its work-groups run once.
func TestLargeNDRangeIsCut(t *testing.T) {
	needsCPU(t, "kernels of GPUs know of no GroupBase")
	b := newBench(t, 2, benchLimit)
	for name, c := range map[string]struct {
		global, local [3]uint64
		packets       int
	}{
		"one dimension":    {[3]uint64{1<<33 + 5<<24, 1, 1}, [3]uint64{1 << 24, 1, 1}, 3},
		"rows of it":       {[3]uint64{1 << 33, 3, 1}, [3]uint64{1 << 24, 1, 1}, 9},
		"second dimension": {[3]uint64{1 << 12, 1 << 33, 1}, [3]uint64{1 << 12, 1 << 24, 1}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			k := b.kernel("mark")
			groups := uint64(1)
			for d := range 3 {
				groups *= c.global[d] / c.local[d]
			}
			marks := b.memory(int(groups))
			args, err := b.device.NewKernarg(k, b.explicit(address(marks)), nil)
			require.NoError(t, err)
			d := &Dispatch{Kernel: k, Args: args, Dims: 3, Global: c.global, Local: c.local}
			parts, err := d.slices(b.device)
			require.NoError(t, err)
			require.Len(t, parts, c.packets)
			first := uint64(0)
			for _, p := range parts { // in linear order, without gaps
				row, at, n := uint64(1), uint64(0), uint64(1)
				for dim := range 3 {
					at += p.base[dim] * row
					row *= c.global[dim] / c.local[dim]
					n *= (p.items[dim] + c.local[dim] - 1) / c.local[dim]
					require.LessOrEqual(t, p.items[dim], uint64(1<<32-1))
				}
				require.Equal(t, first, at)
				first += n
				b.device.kernargs.put(p.args)
			}
			require.Equal(t, groups, first)
		})
	}
	for _, global := range [][3]uint64{{1 << 60, 1, 1}, {math.MaxUint64, 1, 1}, {1, math.MaxUint64 - 1, 1}, {1 << 33, 1, 1 << 63}, {1 << 33, 1, 1}} {
		_, err := (&Dispatch{Kernel: b.kernel("mark"), Global: global, Local: [3]uint64{1, 1, 1}}).slices(b.device)
		require.ErrorContains(t, err, "too large", "%v", global)
	}
}
