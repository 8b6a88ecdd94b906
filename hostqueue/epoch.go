package hostqueue

import "sync/atomic"

// epoch is a stretch of a queue's commands: those enqueued between two closings. Markers, barriers and Finish wait for "all
// commands up to here", which is one counter, whatever is in flight: they close the current epoch, and wait for its end.
type epoch struct {
	// n counts the commands not yet ended, 1 for the epoch before if that has not ended, and isOpen while commands may still
	// enter. At zero the epoch has ended.
	n       atomic.Int64
	onEnd   atomic.Pointer[edge]
	parking parking
	next    *epoch // written under Queue.mu before the epoch is closed
	close   func() // called at the end
}

const isOpen = 1 << 40

func newEpoch(before int64) *epoch {
	e := new(epoch)
	e.n.Store(isOpen + before)
	return e
}

// idle reports that nothing is in flight up to now.
func (e *epoch) idle() bool { n := e.n.Load(); return n == isOpen || n == 0 }

// Over implements Awaited.
func (e *epoch) Over() bool { return e.idle() }

// Depth returns how many commands of the queue have not ended: as long as something from before a Finish or a marker that waits
// for all is left, only that there is something.
func (q *Queue) Depth() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.epoch.n.Load() & (isOpen - 1)
}

// Progress returns a number that changes whenever a command of the queue ends, and only then or when a Finish or a marker begins to
// wait for all, and whether some have not ended: for a watchdog.
func (q *Queue) Progress() (ended uint64, waiting bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.epoch.n.Load() & (isOpen - 1)
	return q.seq - uint64(n), n != 0
}

func (e *epoch) ended() bool { return e.n.Load() == 0 }

// leave counts e down by n. It ends epochs that have nothing left, and puts the markers that waited for them on w.
func (e *epoch) leave(n int64, w *work) {
	for e.n.Add(-n) == 0 {
		w.release(&e.onEnd)
		e.parking.wake()
		if e.close != nil {
			e.close()
		}
		if e.next == nil {
			return
		}
		e, n = e.next, 1
	}
}

// cut closes the current epoch and returns it; the caller takes isOpen from it. Called with q.mu held.
func (q *Queue) cut() *epoch {
	e := q.epoch
	q.epoch = newEpoch(1)
	e.next = q.epoch
	return e
}
