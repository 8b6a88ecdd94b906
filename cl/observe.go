package cl

import (
	"fmt"
	"sync"
	"sync/atomic"

	"aqueduct/hostqueue"
	"aqueduct/roc"
	"aqueduct/roc/trace"
)

// observer tells a recording of the commands of one queue.
type observer struct{ queue uint32 }

// localChosen in the tag of a command, beside its type, says that the application left the work-group size to the driver.
const localChosen = 1 << 31

// observed counts the queues that were.
var observed atomic.Uint32

// observe has q, which cfg is for, tell what becomes of its commands.
func (q *Queue) observe(cfg *hostqueue.Config) {
	q.number = observed.Add(1)
	cfg.Observer, cfg.ID = &observer{q.number}, q.number
}

// watch has a recording show how much is in q, until unwatch is called.
func (q *Queue) watch() (unwatch func()) {
	depth := trace.Gauge(fmt.Sprintf("queue %d: commands not ended", q.number), q.host.Depth)
	device := trace.Gauge(fmt.Sprintf("queue %d: commands in the device", q.number), q.host.InDevice)
	flight.add(q.host)
	return func() {
		flight.remove(q.host)
		device()
		depth()
	}
}

// flight is the queues of the process whose commands are counted together.
var flight = &flights{queues: map[*hostqueue.Queue]struct{}{}}

type flights struct {
	mu     sync.Mutex // guards what follows
	queues map[*hostqueue.Queue]struct{}
	shown  bool
}

func (f *flights) add(q *hostqueue.Queue) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queues[q] = struct{}{}
	if !f.shown {
		f.shown = true
		trace.Gauge("commands in flight", f.sum)
	}
}

func (f *flights) remove(q *hostqueue.Queue) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.queues, q)
}

func (f *flights) sum() (n int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for q := range f.queues {
		n += q.InDevice()
	}
	return n
}

// Sample implements hostqueue.Observer.
func (o *observer) Sample() bool { return trace.Sample() }

// Enqueued implements hostqueue.Observer.
func (o *observer) Enqueued(c *hostqueue.Command, wait []*hostqueue.Command) {
	for _, d := range wait {
		if id := d.ID(); id != 0 && d.Status() > hostqueue.Complete {
			trace.Record(&trace.Event{Kind: trace.Wait, ID: c.ID(), Other: id})
		}
	}
}

// Ended implements hostqueue.Observer.
func (o *observer) Ended(c *hostqueue.Command, t hostqueue.Moments) {
	e := trace.Event{
		Kind: trace.Command, Track: o.queue, ID: c.ID(), Status: min(c.Status(), 0), Type: commandNames[c.Tag&^localChosen], Count: uint32(c.Waits()),
		Queued: t.Queued, Submitted: t.Submit, Start: t.Start, End: t.End, Completed: t.Complete,
	}
	if t.Batch != 0 {
		e.Other, e.Cut = t.Batch, t.Cut.String()
	}
	switch op := c.Op().(type) {
	case *roc.Dispatch:
		e.Name, e.Global, e.Local, e.Chosen = op.Kernel.Info.Name, op.Global, op.Local, c.Tag&localChosen != 0
	case roc.CopyRect:
		e.Bytes = op.Size[0] * op.Size[1] * op.Size[2]
	case roc.Fill:
		e.Bytes = op.Size[0] * op.Size[1] * op.Size[2]
	}
	trace.Record(&e)
}

// Called implements hostqueue.Observer.
func (o *observer) Called(c *hostqueue.Command, start, end uint64) {
	trace.Record(&trace.Event{Kind: trace.Callback, ID: c.ID(), Start: start, End: end})
}

// Waited implements hostqueue.Observer.
func (o *observer) Waited(what string, start, end uint64) {
	trace.Record(&trace.Event{Kind: trace.Blocked, Track: o.queue, Name: what, Start: start, End: end})
}

// commandNames are the types of commands (CL_EVENT_COMMAND_TYPE) in words.
var commandNames = map[uint32]string{
	CL_COMMAND_NDRANGE_KERNEL: "kernel", CL_COMMAND_TASK: "task", CL_COMMAND_NATIVE_KERNEL: "native kernel",
	CL_COMMAND_READ_BUFFER: "read buffer", CL_COMMAND_WRITE_BUFFER: "write buffer", CL_COMMAND_COPY_BUFFER: "copy buffer",
	CL_COMMAND_READ_BUFFER_RECT: "read buffer rect", CL_COMMAND_WRITE_BUFFER_RECT: "write buffer rect",
	CL_COMMAND_COPY_BUFFER_RECT: "copy buffer rect", CL_COMMAND_FILL_BUFFER: "fill buffer",
	CL_COMMAND_READ_IMAGE: "read image", CL_COMMAND_WRITE_IMAGE: "write image", CL_COMMAND_COPY_IMAGE: "copy image",
	CL_COMMAND_COPY_IMAGE_TO_BUFFER: "copy image to buffer", CL_COMMAND_COPY_BUFFER_TO_IMAGE: "copy buffer to image",
	CL_COMMAND_FILL_IMAGE: "fill image", CL_COMMAND_MAP_BUFFER: "map buffer", CL_COMMAND_MAP_IMAGE: "map image",
	CL_COMMAND_UNMAP_MEM_OBJECT: "unmap", CL_COMMAND_MARKER: "marker", CL_COMMAND_BARRIER: "barrier",
	CL_COMMAND_MIGRATE_MEM_OBJECTS: "migrate", CL_COMMAND_SVM_FREE: "svm free", CL_COMMAND_SVM_MEMCPY: "svm copy",
	CL_COMMAND_SVM_MEMFILL: "svm fill", CL_COMMAND_SVM_MAP: "svm map", CL_COMMAND_SVM_UNMAP: "svm unmap",
	CL_COMMAND_SVM_MIGRATE_MEM: "svm migrate", CL_COMMAND_COMMAND_BUFFER_KHR: "command buffer",
	CL_COMMAND_MEMCPY_INTEL: "usm copy", CL_COMMAND_MEMFILL_INTEL: "usm fill", CL_COMMAND_MIGRATEMEM_INTEL: "usm migrate",
	CL_COMMAND_MEMADVISE_INTEL: "usm advice", CL_COMMAND_SEMAPHORE_WAIT_KHR: "semaphore wait",
	CL_COMMAND_SEMAPHORE_SIGNAL_KHR: "semaphore signal", CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR: "acquire external memory",
	CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR: "release external memory",
}
