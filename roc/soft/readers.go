package soft

import "sync/atomic"

// readers are threads that have a list without a lock, and access what is on it outside Go's heap: who takes something off the list
// waits for them before it is freed. A reader must not wait for anything.
//
// It counts readers on two sides. Those who come go to the side in force, so the other runs empty. One change of sides is not
// enough: who has read which is in force may come late, when it has changed twice.
type readers struct {
	side  atomic.Uint32 // in force
	count [2]struct {
		n atomic.Int32
		_ [60]byte
	}
}

// enter is to be called before the list is read. Its result is for leave.
func (r *readers) enter() uint32 {
	side := r.side.Load()
	r.count[side].n.Add(1)
	return side
}

func (r *readers) leave(side uint32) { r.count[side].n.Add(-1) }

// wait returns when all have left who may have read what the list was before the call. The caller has changed the list, and no other
// is in wait.
func (r *readers) wait() {
	for range 2 {
		side := r.side.Load()
		r.side.Store(1 - side)
		for r.count[side].n.Load() != 0 {
			osyield() // a reader may have lost its processor
		}
	}
}
