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
	list atomic.Pointer[[]*devicequeue.Queue] // nil before the first; replaced with mu held

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
	list := slices.DeleteFunc(slices.Clone(*d.list.Load()), func(x *devicequeue.Queue) bool { return x == q.Queue })
	d.list.Store(&list)
	d.mu.Unlock()
	q.Queue.Destroy()
}

// ready returns a queue with commands that may run, nil if there is none.
func (d *deviceQueues) ready() *devicequeue.Queue {
	if list := d.list.Load(); list != nil {
		for _, q := range *list {
			if q.Ready() > 0 {
				return q
			}
		}
	}
	return nil
}
