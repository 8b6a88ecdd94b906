package cl

import (
	"testing"
	"time"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc"

	"github.com/stretchr/testify/require"
)

// deadline is how long a test waits for what must happen, also on a simulated GPU whose machine does much else.
const deadline = time.Minute

// fixture is a context on the default device with a queue, and a second context that its objects are foreign to.
type fixture struct {
	testing.TB
	device  *Device
	ctx     *Context
	q       *Queue
	foreign *Context
}

func newFixture(t testing.TB, bits ...uint64) *fixture {
	t.Helper()
	p := ThePlatform()
	require.NotEmpty(t, p.Devices())
	f := &fixture{TB: t, device: p.Devices()[0]}
	context := func() *Context {
		c, st := p.CreateContext(nil, []*Device{f.device}, func(text string) { t.Log("notified: ", text) })
		require.Equal(t, CL_SUCCESS, st)
		return c
	}
	f.ctx, f.foreign = context(), context()
	f.q = f.queue(bits...)
	t.Cleanup(func() {
		f.within("the queue's end", func() { f.q.Finish() })
		f.q.Release()
		f.ctx.Release()
		f.foreign.Release()
	})
	return f
}

func (f *fixture) queue(bits ...uint64) *Queue {
	f.Helper()
	var properties []uint64
	if len(bits) > 0 {
		properties = []uint64{CL_QUEUE_PROPERTIES, bits[0], 0}
	}
	q, st := f.ctx.CreateQueue(f.device, properties)
	require.Equal(f, CL_SUCCESS, st)
	return q
}

// buffer is one that bytes reaches, on every device.
func (f *fixture) buffer(size uint64) *Mem {
	f.Helper()
	flags := uint64(CL_MEM_READ_WRITE)
	if f.device.kind != CL_DEVICE_TYPE_CPU {
		flags |= CL_MEM_ALLOC_HOST_PTR
	}
	m, st := f.ctx.CreateBuffer(nil, flags, size, nil)
	require.Equal(f, CL_SUCCESS, st)
	return m
}

func (f *fixture) sub(m *Mem, origin, size uint64) *Mem {
	f.Helper()
	s, st := m.CreateSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &BufferRegion{origin, size})
	require.Equal(f, CL_SUCCESS, st)
	return s
}

// bytes is what is in m.
func (f *fixture) bytes(m *Mem) []byte { return unsafe.Slice((*byte)(m.store.Host), m.size) }

// read is what is in m, wherever it is.
func (f *fixture) read(m *Mem) []byte {
	f.Helper()
	b := make([]byte, m.size)
	_, st := f.q.ReadBuffer(m, true, 0, m.size, unsafe.Pointer(&b[0]), Sync{})
	require.Equal(f, CL_SUCCESS, st)
	return b
}

// after is a wait list of e and a wish for an event.
func after(es ...*Event) Sync { return Sync{Wait: es, Event: true} }

// within fails the test if do takes longer than the deadline.
func (f *fixture) within(what string, do func()) {
	f.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(deadline):
		f.Fatalf("%s has not happened\n%s\n%s", what, f.q.host.Dump(), f.device.Dump())
	}
}

// eventually waits until ok.
func (f *fixture) eventually(ok func() bool, what string) {
	f.Helper()
	require.Eventually(f, ok, deadline, time.Millisecond, what)
}

// givenBack waits until nothing holds m: who waits for a command may see its end before the thread that ends it lets go.
func (f *fixture) givenBack(m *roc.Memory) {
	f.Helper()
	f.eventually(func() bool {
		if m.Use() {
			m.Release()
			return false
		}
		return true
	}, "the memory is given back")
}

// answered is where answerOf has a query answered: no stack, which may move while only an Addr knows where.
var answered uint64

// answerOf is the answer, of at most 8 bytes, of a query.
func answerOf(get func(Out) Status) (uint64, Status) {
	answered = 0
	st := get(Out{Value: Addr(uintptr(unsafe.Pointer(&answered))), Size: 8})
	return answered, st
}

// status waits for the end of e.
func (f *fixture) status(e *Event) (s hostqueue.Status) {
	f.Helper()
	f.within("the end of a command", func() { s = e.command.Wait() })
	return s
}
