package hostqueue

import (
	"sync/atomic"
	"time"
)

// Back-pressure: Enqueue waits while the devices of the process have too many commands. Only what a device has is counted:
// hardware never waits for the host, so that ends without anyone's help, and the wait cannot be for itself. Commands that wait
// for user events are the application's to bound.

const (
	defaultLimit = 100_000
	loadStep     = 16 // commands of one queue that the process counts together
)

// total is the number of commands in all devices, less at most loadStep-1 for each queue.
var total struct {
	_ [64]byte
	n atomic.Int64
	_ [64]byte
}

// load is a queue's part of it.
type load struct {
	n     atomic.Int64 // commands the device has
	limit int64
}

func (l *load) init(limit int) {
	if limit <= 0 {
		limit = defaultLimit
	}
	l.limit = int64(limit)
}

func (l *load) enter(c *Command) {
	c.inDevice = true
	if l.n.Add(1)%loadStep == 0 {
		total.n.Add(loadStep)
	}
}

func (l *load) leave(c *Command) {
	if c.inDevice && l.n.Add(-1)%loadStep == loadStep-1 {
		total.n.Add(-loadStep)
	}
}

// InDevice returns how many commands of the queue its device has.
func (q *Queue) InDevice() int64 { return q.load.n.Load() }

func (l *load) full() bool { return l.n.Load() >= loadStep && total.n.Load() >= l.limit }

// throttle waits while the process has too much in its devices and q has a share in it. It runs brief work meanwhile, and sleeps
// when there is none to be had.
func (l *load) throttle(q *Queue) {
	if !l.full() {
		return
	}
	q.Flush()
	for nap := 20 * time.Microsecond; l.full(); {
		if q.dev.Help(nil) {
			continue
		}
		time.Sleep(nap)
		nap = min(2*nap, time.Millisecond)
	}
}
