package cl

import (
	"testing"

	"aqueduct/roc"

	"github.com/stretchr/testify/require"
)

func TestAllocationsAreFoundByEveryByteOfThem(t *testing.T) {
	var as allocations
	for _, base := range []Addr{0x5000, 0x1000, 0x3000} {
		as.add(&allocation{base: base, size: 0x100, store: new(roc.Memory)})
	}
	for _, c := range []struct{ p, want Addr }{
		{0, 0}, {0xfff, 0}, {0x1000, 0x1000}, {0x10ff, 0x1000}, {0x1100, 0}, {0x3080, 0x3000}, {0x4fff, 0}, {0x50ff, 0x5000}, {0x5100, 0},
	} {
		a := as.find(c.p)
		if c.want == 0 {
			require.Nil(t, a, "%#x", c.p)
			continue
		}
		require.NotNil(t, a, "%#x", c.p)
		require.Equal(t, c.want, a.base)
	}
	require.Nil(t, as.remove(0x3001, svmMemory), "not where it starts")
	require.Nil(t, as.remove(0x3000, hostMemory), "another kind")
	require.NotNil(t, as.remove(0x3000, svmMemory))
	require.Nil(t, as.find(0x3000))
	require.NotNil(t, as.find(0x1000))
}

// TestAllocationOutlivesCommands: memory freed while a command that names it is in flight is given to nobody else before that ends.
func TestAllocationOutlivesCommands(t *testing.T) {
	f := newFixture(t)
	const size = 4096
	p := f.ctx.SVMAlloc(CL_MEM_READ_WRITE, size, 0)
	require.NotZero(t, p)
	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	pattern := []byte{7}
	e, st := f.q.SVMMemFill(p, pattern, size, after(gate))
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()

	program := f.program(addSource)
	defer program.Release()
	k := f.kernel(program, "add")
	defer k.Release()
	require.Equal(t, CL_SUCCESS, k.SetSVMPointer(0, p+64))
	require.Equal(t, CL_SUCCESS, set(k, 1, 4, intArg(1)))
	launched, st := f.q.NDRangeKernel(k, line(16, 16), Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer launched.Release()

	store := f.ctx.memory.find(p).store
	f.ctx.SVMFree(p)
	require.Nil(t, f.ctx.memory.find(p), "it is freed")
	require.Equal(t, CL_SUCCESS, gate.SetUserStatus(CL_COMPLETE))
	require.EqualValues(t, CL_COMPLETE, f.status(e))
	require.EqualValues(t, CL_COMPLETE, f.status(launched))
	f.givenBack(store)
	_, st = f.q.NDRangeKernel(k, line(0, 16), Sync{})
	require.Equal(t, CL_SUCCESS, st, "an address is a value, whatever is there")
}

// TestAllocationKeepsItsContext: it can be freed after the application has released the context.
func TestAllocationKeepsItsContext(t *testing.T) {
	f := newFixture(t)
	ctx, st := ThePlatform().CreateContext(nil, []*Device{f.device}, nil)
	require.Equal(t, CL_SUCCESS, st)
	ended := false
	ctx.SetDestructorCallback(func() { ended = true })
	p := ctx.SVMAlloc(0, 64, 0)
	require.Equal(t, CL_SUCCESS, ctx.Release())
	require.False(t, ended)
	*(*byte)(p.Pointer()) = 1
	ctx.SVMFree(p)
	f.eventually(func() bool { return ctx.counts.Load() == 0 }, "the context's end")
}
