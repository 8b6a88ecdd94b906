package cl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNDRangeRules(t *testing.T) {
	f := newFixture(t)
	old, uniform, three := f.program(localSource), f.program(localSource, "-cl-std=CL3.0 -cl-uniform-work-group-size"), f.program(localSource, "-cl-std=CL3.0")
	for _, p := range []*Program{old, uniform, three} {
		defer p.Release()
	}
	add := f.program(addSource)
	defer add.Release()
	limit := uint64(f.device.roc.Info().MaxWorkGroup)
	global := func(xs ...uint64) (r [3]uint64) { copy(r[:], xs); return r }
	sized := func(dims uint32, g, l [3]uint64) Range {
		return Range{Dims: dims, Global: g, Local: l, HasGlobal: true, HasLocal: l != [3]uint64{}}
	}
	for name, c := range map[string]struct {
		program *Program
		kernel  string
		r       Range
		want    Status
	}{
		"no dimensions":                 {old, "fixed", sized(0, global(16, 4), global()), CL_INVALID_WORK_DIMENSION},
		"four dimensions":               {old, "fixed", sized(4, global(16, 4), global()), CL_INVALID_WORK_DIMENSION},
		"arguments unset":               {add, "add", sized(1, global(16), global()), CL_INVALID_KERNEL_ARGS},
		"arguments before dimensions":   {add, "add", sized(0, global(16), global()), CL_INVALID_KERNEL_ARGS},
		"required size":                 {old, "fixed", sized(2, global(16, 4), global(8, 2)), CL_SUCCESS},
		"required size by NULL":         {old, "fixed", sized(2, global(16, 4), global()), CL_SUCCESS},
		"required size does not divide": {old, "fixed", sized(2, global(16, 3), global()), CL_INVALID_WORK_GROUP_SIZE},
		"another size":                  {old, "fixed", sized(2, global(16, 4), global(4, 4)), CL_INVALID_WORK_GROUP_SIZE},
		"fewer dimensions than size":    {old, "fixed", sized(1, global(16), global(8)), CL_INVALID_WORK_GROUP_SIZE},
		"empty":                         {old, "fixed", sized(2, global(0, 4), global(8, 2)), CL_SUCCESS},
		"NULL global":                   {old, "fixed", Range{Dims: 2}, CL_SUCCESS},
		"zero local":                    {old, "fixed", Range{Dims: 2, Global: global(16, 4), HasGlobal: true, HasLocal: true}, CL_INVALID_WORK_GROUP_SIZE},
		"non-uniform before 2.0":        {old, "fixed", sized(2, global(15, 4), global(8, 2)), CL_INVALID_WORK_GROUP_SIZE},
		"non-uniform promised away":     {uniform, "fixed", sized(2, global(15, 4), global(8, 2)), CL_INVALID_WORK_GROUP_SIZE},
		"non-uniform since 2.0":         {three, "fixed", sized(2, global(15, 3), global(8, 2)), CL_SUCCESS},
		"offset overflows":              {old, "fixed", Range{Dims: 2, Offset: global(math.MaxUint64), Global: global(16, 4), HasGlobal: true}, CL_INVALID_GLOBAL_OFFSET},
	} {
		t.Run(name, func(t *testing.T) {
			k, st := c.program.CreateKernel(c.kernel)
			require.Equal(t, CL_SUCCESS, st)
			defer k.Release()
			_, st = f.q.NDRangeKernel(k, &c.r, Sync{})
			require.Equal(t, c.want, st)
		})
	}
	t.Run("sizes", func(t *testing.T) {
		m := f.buffer(4 * limit * 4)
		defer m.Release()
		k := f.kernel(add, "add")
		defer k.Release()
		require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: m}))
		require.Equal(t, CL_SUCCESS, set(k, 1, 4, intArg(1)))
		for _, c := range []struct {
			r    Range
			want Status
		}{
			{sized(1, global(limit*2), global(limit)), CL_SUCCESS},
			{sized(1, global(limit*4), global(limit*2)), CL_INVALID_WORK_ITEM_SIZE},
			{sized(2, global(limit, 2), global(limit, 2)), CL_INVALID_WORK_GROUP_SIZE},
		} {
			_, st := f.q.NDRangeKernel(k, &c.r, Sync{})
			require.Equal(t, c.want, st, "%+v", c.r)
		}
		f.within("finish", f.q.Finish)
	})
}

func TestForeignKernelsAndEvents(t *testing.T) {
	f := newFixture(t)
	p := f.foreign.CreateProgramWithSource([]string{localSource})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}))
	k, st := p.CreateKernel("fixed")
	require.Equal(t, CL_SUCCESS, st)
	defer k.Release()
	_, st = f.q.NDRangeKernel(k, line(16, 0), Sync{})
	require.Equal(t, CL_INVALID_CONTEXT, st)

	own := f.program(localSource)
	defer own.Release()
	mine := f.kernel(own, "fixed")
	defer mine.Release()
	e := f.foreign.CreateUserEvent()
	defer e.Release()
	_, st = f.q.NDRangeKernel(mine, line(16, 0), Sync{Wait: []*Event{e}})
	require.Equal(t, CL_INVALID_CONTEXT, st)
	e.SetUserStatus(CL_COMPLETE)
}

func TestEmptyLaunchWaitsForItsEventsAndRunsNothing(t *testing.T) {
	f := newFixture(t)
	p := f.program(addSource)
	defer p.Release()
	k := f.kernel(p, "add")
	defer k.Release()
	require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{}))
	require.Equal(t, CL_SUCCESS, set(k, 1, 4, intArg(1)))
	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	e, st := f.q.NDRangeKernel(k, &Range{Dims: 1, HasGlobal: true}, after(gate))
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	require.Positive(t, e.command.Status())
	gate.SetUserStatus(CL_COMPLETE)
	require.Zero(t, f.status(e))
}

func TestMisalignedSubBufferArgument(t *testing.T) {
	f := newFixture(t)
	p := f.program(addSource)
	defer p.Release()
	k := f.kernel(p, "add")
	defer k.Release()
	m := f.buffer(1024)
	defer m.Release()
	s := f.sub(m, 128, 128)
	defer s.Release()
	s.origin = 64 // as a device of the context with a weaker alignment would have allowed
	require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: s}))
	require.Equal(t, CL_SUCCESS, set(k, 1, 4, intArg(1)))
	_, st := f.q.NDRangeKernel(k, line(1, 1), Sync{})
	require.Equal(t, CL_MISALIGNED_SUB_BUFFER_OFFSET, st)
	_, st = f.q.FillBuffer(s, []byte{0}, 0, 1, Sync{})
	require.Equal(t, CL_MISALIGNED_SUB_BUFFER_OFFSET, st)
}

func TestOpenWorkGroupSizesAreUniformWhereTheyMustBe(t *testing.T) {
	f := newFixture(t)
	for options, uniform := range map[string]bool{"": true, "-cl-std=CL3.0": false} {
		p := f.program(addSource, options)
		defer p.Release()
		k := f.kernel(p, "add")
		defer k.Release()
		code := k.on(f.device)
		for _, n := range []uint64{1, 7, 64, 1000003, 2 * 1000003, 1 << 20} {
			local := k.args.suggestLocal(f.device, code, 1, [3]uint64{n, 1, 1})
			require.NotZero(t, local[0])
			require.LessOrEqual(t, local[0], code.maxLocal)
			if uniform {
				require.Zero(t, n%local[0], "%d by %d", n, local[0])
			}
			require.Equal(t, local, k.args.suggestLocal(f.device, code, 1, [3]uint64{n, 1, 1}), "kept")
		}
	}
}

// TestSuggestedLocalWorkSize: the query tells what a launch does, and has the errors of one.
func TestSuggestedLocalWorkSize(t *testing.T) {
	f := newFixture(t)
	p, sized := f.program(addSource), f.program(localSource)
	defer p.Release()
	defer sized.Release()
	k := f.kernel(p, "add")
	defer k.Release()
	ask := func(r *Range) ([3]uint64, Status) { return f.q.SuggestedLocalWorkSize(k, r) }
	open := func(dims uint32, sizes ...uint64) *Range {
		r := &Range{Dims: dims, HasGlobal: true}
		copy(r.Global[:], sizes)
		return r
	}
	_, st := ask(open(1, 64))
	require.Equal(t, CL_INVALID_KERNEL_ARGS, st)
	m := f.buffer(4096)
	defer m.Release()
	assertSet(t, k, m, 1)
	for _, c := range []struct {
		r    *Range
		want Status
	}{
		{open(1, 1000), CL_SUCCESS},
		{open(3, 64, 64, 4), CL_SUCCESS},
		{open(0), CL_INVALID_WORK_DIMENSION},
		{open(4, 1, 1, 1), CL_INVALID_WORK_DIMENSION},
		{&Range{Dims: 1}, CL_INVALID_GLOBAL_WORK_SIZE},
		{open(2, 8, 0), CL_INVALID_GLOBAL_WORK_SIZE},
		{&Range{Dims: 1, HasGlobal: true, Global: [3]uint64{8}, Offset: [3]uint64{^uint64(0)}}, CL_INVALID_GLOBAL_OFFSET},
	} {
		local, st := ask(c.r)
		require.Equal(t, c.want, st, "%+v", c.r)
		if st == CL_SUCCESS {
			for d := range c.r.Dims {
				require.NotZero(t, local[d])
				require.Zero(t, c.r.Global[d]%local[d], "it divides what can be divided")
			}
		}
	}
	fixed := f.kernel(sized, "fixed")
	defer fixed.Release()
	local, st := f.q.SuggestedLocalWorkSize(fixed, open(2, 64, 64))
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, [3]uint64{8, 2, 1}, local)
	other, st := f.foreign.CreateQueue(f.device, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer other.Release()
	_, st = other.SuggestedLocalWorkSize(k, open(1, 64))
	require.Equal(t, CL_INVALID_CONTEXT, st)
}
