package main

import (
	"sync"
	"testing"
	"unsafe"

	"aqueduct/cl"

	"github.com/stretchr/testify/require"
)

func newContext(t testing.TB) *cl.Context {
	t.Helper()
	p := platform()
	c, st := p.CreateContext(nil, p.Devices(), nil)
	require.Equal(t, cl.CL_SUCCESS, st)
	require.NotZero(t, give(&c.Object, cl.CL_SUCCESS, 0))
	return c
}

func TestHandleIsItsObject(t *testing.T) {
	c := newContext(t)
	defer c.Release()
	require.Equal(t, unsafe.Pointer(c), find(c.Handle(), cl.KindContext))
	require.Same(t, &c.Object, object(c.Handle()))
	b := blockAt(c.Handle())
	require.Equal(t, dispatchTable, b.dispatch, "the ICD loader calls through the first word")
}

func TestWhatIsNoHandleIsNotFound(t *testing.T) {
	c := newContext(t)
	defer c.Release()
	foreign := make([]uintptr, 8)
	for name, h := range map[string]uintptr{
		"NULL": 0, "small": 1, "huge": ^uintptr(0), "foreign": uintptr(unsafe.Pointer(&foreign[0])),
		"inside": c.Handle() + 8, "odd": c.Handle() + 1, "before": arena.base - blockSize, "behind": arena.base + arena.size,
		"last": arena.base + arena.size - blockSize,
	} {
		require.Nil(t, find(h, cl.KindContext), name)
	}
	for kind := cl.KindPlatform; kind < cl.KindCount; kind++ {
		if kind != cl.KindContext {
			require.Nil(t, find(c.Handle(), kind), "kind %d", kind)
		}
	}
}

func TestStaleHandleStaysStaleThroughTheQuarantine(t *testing.T) {
	stale := newContext(t)
	h := stale.Handle()
	stale.Release()
	for range quarantine {
		c := newContext(t)
		require.NotEqual(t, h, c.Handle())
		require.Nil(t, find(h, cl.KindContext))
		c.Release()
	}
	seen := false
	for range 2 * quarantine {
		c := newContext(t)
		seen = seen || c.Handle() == h
		c.Release()
	}
	require.True(t, seen, "blocks are used again in the end, so memory stays bounded")
}

func TestObjectUsedByAnotherKeepsItsHandle(t *testing.T) {
	c := newContext(t)
	e := c.CreateUserEvent()
	require.NotZero(t, give(&e.Object, cl.CL_SUCCESS, 0))
	require.Equal(t, cl.CL_SUCCESS, c.Release())
	require.NotNil(t, find(c.Handle(), cl.KindContext))
	require.Equal(t, cl.CL_INVALID_CONTEXT, c.Release(), "the application has nothing left to release")
	require.Equal(t, cl.CL_SUCCESS, e.Release())
	require.Nil(t, find(c.Handle(), cl.KindContext))
}

func TestHandlesFromManyThreads(t *testing.T) {
	keep := newContext(t)
	defer keep.Release()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 2000 {
				e := keep.CreateUserEvent()
				h := give(&e.Object, cl.CL_SUCCESS, 0)
				if find(h, cl.KindEvent) != unsafe.Pointer(e) || find(h, cl.KindContext) != nil {
					t.Error("a handle led to another object")
				}
				e.Release()
				if find(h, cl.KindEvent) == unsafe.Pointer(e) {
					t.Error("a released object was found")
				}
			}
		})
	}
	all.Wait()
}

func TestPanicBecomesAnErrorAndALine(t *testing.T) {
	p := platform()
	var said string
	c, st := p.CreateContext(nil, p.Devices(), func(text string) { said = text })
	require.Equal(t, cl.CL_SUCCESS, st)
	give(&c.Object, cl.CL_SUCCESS, 0)
	defer c.Release()

	broken := func() (code int32) {
		defer guard(&code, c.Handle())
		panic("so it goes")
	}
	require.EqualValues(t, cl.CL_OUT_OF_RESOURCES, broken())
	require.Regexp(t, `^internal error in \S*TestPanicBecomesAnErrorAndALine\S* \(handle_test\.go:\d+\): so it goes$`, said, "one line a user can read")

	var code int32
	brokenCreate := func() (h uintptr) {
		defer guardCreate(&h, uintptr(unsafe.Pointer(&code)), c.Handle())
		panic("again\nand more")
	}
	require.Zero(t, brokenCreate())
	require.EqualValues(t, cl.CL_OUT_OF_RESOURCES, code)
	require.Regexp(t, `again$`, said)
}

func BenchmarkFind(b *testing.B) {
	c := newContext(b)
	defer c.Release()
	h := c.Handle()
	for b.Loop() {
		if find(h, cl.KindContext) == nil {
			b.Fatal("lost")
		}
	}
}

func BenchmarkNewHandle(b *testing.B) {
	c := newContext(b)
	defer c.Release()
	for b.Loop() {
		e := c.CreateUserEvent()
		give(&e.Object, cl.CL_SUCCESS, 0)
		e.Release()
	}
}
