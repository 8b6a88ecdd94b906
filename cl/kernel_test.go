package cl

import (
	"encoding/binary"
	"testing"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"

	"github.com/stretchr/testify/require"
)

// set sets one argument as clSetKernelArg does.
func set(k *Kernel, index uint32, size uint64, v Arg) Status {
	given := v.Mem != nil || v.Bytes != nil
	if _, st := k.ArgKind(index, size, given); st != CL_SUCCESS {
		return st
	}
	return k.SetArg(index, v)
}

func intArg(v int32) Arg {
	return Arg{Bytes: binary.NativeEndian.AppendUint32(nil, uint32(v))}
}

// line is a one-dimensional range.
func line(global, local uint64) *Range {
	return &Range{Dims: 1, Global: [3]uint64{global}, Local: [3]uint64{local}, HasGlobal: true, HasLocal: local > 0}
}

func TestKernelsAreFoundByName(t *testing.T) {
	f := newFixture(t)
	p := f.ctx.CreateProgramWithSource([]string{addSource})
	defer p.Release()
	_, st := p.CreateKernel("add")
	require.Equal(t, CL_INVALID_PROGRAM_EXECUTABLE, st)
	_, _, st = p.CreateKernels(-1)
	require.Equal(t, CL_INVALID_PROGRAM_EXECUTABLE, st)
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}))
	_, st = p.CreateKernel("subtract")
	require.Equal(t, CL_INVALID_KERNEL_NAME, st)
	k, st := p.CreateKernel("add")
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, CL_SUCCESS, k.Release())
}

func TestAllKernelsOfAProgram(t *testing.T) {
	f := newFixture(t)
	p := f.program(localSource)
	defer p.Release()
	_, n, st := p.CreateKernels(-1)
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, 2, n)
	require.Zero(t, p.kernels, "asking for their number attaches none")
	_, _, st = p.CreateKernels(1)
	require.Equal(t, CL_INVALID_VALUE, st)
	ks, _, st := p.CreateKernels(3)
	require.Equal(t, CL_SUCCESS, st)
	require.Len(t, ks, 2)
	for _, k := range ks {
		k.Release()
	}
	require.Zero(t, p.kernels)
}

func TestArgumentRules(t *testing.T) {
	f := newFixture(t)
	add, local := f.program(addSource), f.program(localSource)
	defer add.Release()
	defer local.Release()
	m := f.buffer(64)
	defer m.Release()
	foreign, st := f.foreign.CreateBuffer(nil, 0, 64, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer foreign.Release()
	for name, c := range map[string]struct {
		program *Program
		kernel  string
		index   uint32
		size    uint64
		value   Arg
		want    Status
	}{
		"buffer":                {add, "add", 0, 8, Arg{Mem: m}, CL_SUCCESS},
		"NULL buffer":           {add, "add", 0, 8, Arg{}, CL_SUCCESS},
		"buffer of odd size":    {add, "add", 0, 4, Arg{Mem: m}, CL_INVALID_ARG_SIZE},
		"foreign buffer":        {add, "add", 0, 8, Arg{Mem: foreign}, CL_INVALID_CONTEXT},
		"constant buffer":       {local, "spread", 3, 8, Arg{Mem: m}, CL_SUCCESS},
		"value":                 {add, "add", 1, 4, intArg(1), CL_SUCCESS},
		"value of another size": {add, "add", 1, 8, intArg(1), CL_INVALID_ARG_SIZE},
		"NULL value":            {add, "add", 1, 4, Arg{}, CL_INVALID_ARG_VALUE},
		"index past the end":    {add, "add", 2, 4, intArg(1), CL_INVALID_ARG_INDEX},
		"index far past it":     {add, "add", 1 << 31, 4, intArg(1), CL_INVALID_ARG_INDEX},
		"no arguments":          {local, "fixed", 0, 4, intArg(1), CL_INVALID_ARG_INDEX},
		"local":                 {local, "spread", 1, 100, Arg{Local: 100}, CL_SUCCESS},
		"empty local":           {local, "spread", 1, 0, Arg{}, CL_INVALID_ARG_SIZE},
		"local with a value":    {local, "spread", 1, 4, intArg(1), CL_INVALID_ARG_VALUE},
		"local of 4 GiB":        {local, "spread", 1, 1 << 32, Arg{Local: 1 << 32}, CL_MAX_SIZE_RESTRICTION_EXCEEDED},
	} {
		t.Run(name, func(t *testing.T) {
			k, st := c.program.CreateKernel(c.kernel)
			require.Equal(t, CL_SUCCESS, st)
			defer k.Release()
			unset := k.args.unset
			require.Equal(t, c.want, set(k, c.index, c.size, c.value))
			if c.want == CL_SUCCESS {
				unset--
			}
			require.Equal(t, unset, k.args.unset)
		})
	}
}

func TestLaunchRunsWithTheArgumentsOfItsEnqueue(t *testing.T) {
	f := newFixture(t)
	p := f.program(addSource)
	defer p.Release()
	k := f.kernel(p, "add")
	defer k.Release()
	m := f.buffer(4 * 100)
	defer m.Release()
	clear(f.bytes(m))
	require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: m}))

	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	want := int32(0)
	for v := range int32(50) {
		require.Equal(t, CL_SUCCESS, set(k, 1, 4, intArg(v)))
		_, st := f.q.NDRangeKernel(k, line(100, 10), Sync{Wait: []*Event{gate}})
		require.Equal(t, CL_SUCCESS, st)
		want += v
	}
	gate.SetUserStatus(CL_COMPLETE)
	f.within("finish", f.q.Finish)
	for _, got := range unsafe.Slice((*int32)(m.store.Ptr), 100) {
		require.Equal(t, want, got)
	}
}

func TestLocalArgumentsAreLaidOutBehindTheKernelsOwn(t *testing.T) {
	f := newFixture(t)
	p := f.program(localSource)
	defer p.Release()
	k := f.kernel(p, "spread")
	defer k.Release()
	m := f.buffer(64)
	defer m.Release()
	require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: m}))
	require.Equal(t, CL_SUCCESS, set(k, 1, 20, Arg{Local: 20}))
	require.Equal(t, CL_SUCCESS, set(k, 2, 16, Arg{Local: 16}))
	require.Equal(t, CL_SUCCESS, set(k, 3, 8, Arg{}))
	e, st := f.q.Task(k, after())
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	require.Zero(t, f.status(e))
	got := unsafe.Slice((*int32)(m.store.Ptr), 3)
	require.Equal(t, []int32{32, 64, -1}, got, "own 24 bytes, 20 aligned to 16, 16 aligned to 16, a NULL pointer")
	require.Equal(t, uint64(64+16), k.args.localSize())

	limit := uint64(f.device.roc.Info().LocalMemory)
	require.Equal(t, CL_SUCCESS, set(k, 1, limit, Arg{Local: limit}))
	_, st = f.q.Task(k, Sync{})
	require.Equal(t, CL_OUT_OF_RESOURCES, st)
}

func TestCloneHasTheArgumentsButSharesNoLaterOnes(t *testing.T) {
	f := newFixture(t)
	p := f.program(addSource)
	defer p.Release()
	k := f.kernel(p, "add")
	defer k.Release()
	m := f.buffer(4)
	defer m.Release()
	clear(f.bytes(m))
	require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: m}))
	require.Equal(t, CL_SUCCESS, set(k, 1, 4, intArg(3)))
	c := k.Clone()
	defer c.Release()
	require.Equal(t, uint32(1), c.References())
	require.Equal(t, CL_SUCCESS, set(c, 1, 4, intArg(40)))
	for _, each := range []*Kernel{k, c} {
		_, st := f.q.NDRangeKernel(each, line(1, 1), Sync{})
		require.Equal(t, CL_SUCCESS, st)
	}
	f.within("finish", f.q.Finish)
	require.Equal(t, int32(43), *(*int32)(m.store.Ptr))
	require.Equal(t, CL_INVALID_OPERATION, p.Build(BuildArgs{}), "the clone is attached to the program as well")
}

func TestAKernelDoesNotKeepItsBuffers(t *testing.T) {
	f := newFixture(t)
	p := f.program(addSource)
	defer p.Release()
	k := f.kernel(p, "add")
	defer k.Release()
	m := f.buffer(4)
	ended := make(chan struct{})
	m.OnDestroy(func() { close(ended) })
	require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: m}))
	require.Equal(t, CL_SUCCESS, set(k, 1, 4, intArg(3)))
	_, st := f.q.NDRangeKernel(k, line(1, 1), Sync{})
	require.Equal(t, CL_SUCCESS, st)
	f.within("finish", f.q.Finish)
	m.Release()
	f.within("the buffer's end", func() { <-ended })
	_, st = f.q.NDRangeKernel(k, line(1, 1), Sync{})
	require.Equal(t, CL_INVALID_KERNEL_ARGS, st, "the buffer is gone")
}

func TestSameArgs(t *testing.T) {
	args := func(size uint32) *codeobject.KernelInfo {
		return &codeobject.KernelInfo{HiddenOffset: 8, Args: []codeobject.ArgInfo{{Size: size, TypeName: "int"}}}
	}
	require.True(t, sameArgs(args(4), args(4)))
	require.False(t, sameArgs(args(4), args(8)))
	require.False(t, sameArgs(args(4), &codeobject.KernelInfo{HiddenOffset: 8}))
}
