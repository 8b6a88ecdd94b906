package soft

import (
	"slices"
	"sync"
	"sync/atomic"

	"aqueduct/devicequeue"
	"aqueduct/roc/hsa"
)

// deviceQueues are the on-device queues of the agent.
type deviceQueues struct {
	list    atomic.Pointer[[]*devicequeue.Queue] // nil before the first; replaced with mu held
	readers readers                              // who look at the list, as the memory of those taken off it is unmapped

	mu     sync.Mutex
	events *devicequeue.Events // guarded by mu; set with the first queue
}

// deviceQueue implements hsa.DeviceQueue.
type deviceQueue struct {
	*devicequeue.Queue
	agent *Agent
}

// queueMemory is in huge pages, as commands come and go in no order: in small ones each would miss the processor's translation
// cache several times.
var queueMemory = devicequeue.Memory{Map: mapHuge, Unmap: unmapMemory}

// NewDeviceQueue implements hsa.Agent.
func (a *Agent) NewDeviceQueue(size uint32) (hsa.DeviceQueue, error) {
	d := &a.deviceQueues
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.events == nil {
		e, err := devicequeue.NewEvents(queueMemory)
		if err != nil {
			return nil, err
		}
		d.events = e
	}
	q, err := devicequeue.New(size, d.events, queueMemory)
	if err != nil {
		return nil, err
	}
	var list []*devicequeue.Queue
	if old := d.list.Load(); old != nil {
		list = slices.Clone(*old)
	}
	list = append(list, q)
	d.list.Store(&list)
	return &deviceQueue{q, a}, nil
}

// Destroy implements hsa.DeviceQueue.
func (q *deviceQueue) Destroy() {
	d := &q.agent.deviceQueues
	d.mu.Lock()
	defer d.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(*d.list.Load()), func(x *devicequeue.Queue) bool { return x == q.Queue })
	d.list.Store(&list)
	d.readers.wait()
	q.Queue.Destroy()
}

// look calls f with each queue that there is, until it returns false. What f does to a queue is all that may be done to one of which
// the caller has no command.
func (d *deviceQueues) look(f func(q *devicequeue.Queue) bool) {
	if list := d.list.Load(); list == nil || len(*list) == 0 {
		return
	}
	side := d.readers.enter()
	for _, q := range *d.list.Load() {
		if !f(q) {
			break
		}
	}
	d.readers.leave(side)
}

// ready reports whether there are commands that may run.
func (d *deviceQueues) ready() (some bool) {
	d.look(func(q *devicequeue.Queue) bool {
		some = q.Ready() > 0
		return !some
	})
	return some
}
