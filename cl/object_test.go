package cl

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type atEnd func()

func (f atEnd) end() { f() }

func newObject() (o *Object, ended *atomic.Int32) {
	o, ended = new(Object), new(atomic.Int32)
	o.init(KindEvent, atEnd(func() { ended.Add(1) }))
	return o, ended
}

func TestObjectEndsWithItsLastReferenceAndUse(t *testing.T) {
	o, ended := newObject()
	require.Equal(t, CL_SUCCESS, o.Retain())
	require.EqualValues(t, 2, o.References())
	require.True(t, o.Use())
	require.EqualValues(t, 2, o.References(), "uses are not the application's to see")
	require.Equal(t, CL_SUCCESS, o.Release())
	require.Equal(t, CL_SUCCESS, o.Release())
	require.Zero(t, ended.Load())
	require.Equal(t, CL_INVALID_EVENT, o.Release(), "what only the driver holds is not the application's")
	require.Equal(t, CL_SUCCESS, o.Retain(), "but it may be retained again")
	o.Unuse()
	require.Zero(t, ended.Load())
	require.Equal(t, CL_SUCCESS, o.Release())
	require.EqualValues(t, 1, ended.Load())
}

func TestNothingComesBackFromTheDead(t *testing.T) {
	o, ended := newObject()
	o.Release()
	require.Equal(t, CL_INVALID_EVENT, o.Retain())
	require.Equal(t, CL_INVALID_EVENT, o.Release())
	require.False(t, o.Use())
	require.EqualValues(t, 1, ended.Load())
}

func TestObjectsOfManyThreadsEndOnce(t *testing.T) {
	o, ended := newObject()
	var all sync.WaitGroup
	for range 8 {
		o.Retain()
		o.Use()
		all.Go(func() {
			for range 1000 {
				o.Retain()
				o.Use()
				o.Release()
				o.Unuse()
			}
			o.Release()
			o.Unuse()
		})
	}
	o.Release()
	all.Wait()
	require.EqualValues(t, 1, ended.Load())
}

func TestHandleIsFreedBeforeTheObjectEnds(t *testing.T) {
	before := HandleFreed
	defer func() { HandleFreed = before }()
	var order []string
	HandleFreed = func(h uintptr) {
		require.EqualValues(t, 0x1000, h)
		order = append(order, "handle")
	}
	o := new(Object)
	o.init(KindMem, atEnd(func() { order = append(order, "object") }))
	o.SetHandle(0x1000)
	o.Release()
	require.Equal(t, []string{"handle", "object"}, order)
}

func TestEternalObjectsAreNotCounted(t *testing.T) {
	o := new(Object)
	o.initEternal(KindDevice)
	for range 3 {
		require.Equal(t, CL_SUCCESS, o.Release())
	}
	require.Equal(t, CL_SUCCESS, o.Retain())
	require.EqualValues(t, 1, o.References(), "clGetDeviceInfo(CL_DEVICE_REFERENCE_COUNT) of a root device is 1")
}

type calling struct {
	Object
	ended chan struct{}
	hold  chan struct{}
}

func (c *calling) calls() bool { return true }

func (c *calling) end() {
	<-c.hold
	close(c.ended)
}

// TestApplicationIsNotCalledByThreadsOfCommands: dropping a use may happen on the thread that ends commands.
func TestApplicationIsNotCalledByThreadsOfCommands(t *testing.T) {
	c := &calling{ended: make(chan struct{}), hold: make(chan struct{})}
	c.init(KindMem, c)
	c.Use()
	c.Release()
	c.Unuse() // would hang if the destructor ran here
	close(c.hold)
	select {
	case <-c.ended:
	case <-time.After(deadline):
		t.Fatal("the object did not end")
	}

	c = &calling{ended: make(chan struct{}), hold: make(chan struct{})}
	c.init(KindMem, c)
	close(c.hold)
	c.Release()
	select {
	case <-c.ended:
	default:
		t.Fatal("a release by the application calls it before it returns")
	}
}
