package devicequeue

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// Family is a kernel that the host enqueued, with all its descendants.
type Family struct {
	open atomic.Int64 // members that have not ended; first, as kernels count them

	// Owner is whatever the user of the package wants to find again at the end.
	Owner any

	failure atomic.Pointer[error]
}

// Fail has the family end with an error. Members that have not started never will.
func (f *Family) Fail(err error) { f.failure.CompareAndSwap(nil, &err) }

// Err is the error that the family has ended with, or is going to.
func (f *Family) Err() error {
	if e := f.failure.Load(); e != nil {
		return *e
	}
	return nil
}

// familyBit tells a family from an event in Slot.node and Event.up.
const familyBit = 1

// node is where the kernel that the host enqueued counts.
func (f *Family) node() uint64 { return uint64(uintptr(unsafe.Pointer(f))) | familyBit }

// families are those of all devices. They are recycled and never given back, as memory that the garbage collector does not see
// names them. Each Scheduler keeps a few, so that the lock is hardly ever taken.
var families struct {
	mu   sync.Mutex
	free []*Family // guarded by mu
	all  []*Family // guarded by mu; keeps them alive
}

const familiesKept = 32

// Start returns a family with one member, the kernel that the host enqueued.
func (s *Scheduler) Start(owner any) *Family {
	s.events.enter()
	if len(s.families) == 0 {
		s.moreFamilies()
	}
	f := s.families[len(s.families)-1]
	s.families = s.families[:len(s.families)-1]
	f.Owner = owner
	f.failure.Store(nil)
	f.open.Store(1)
	return f
}

func (s *Scheduler) moreFamilies() {
	families.mu.Lock()
	defer families.mu.Unlock()
	for range familiesKept {
		if n := len(families.free); n > 0 {
			s.families = append(s.families, families.free[n-1])
			families.free = families.free[:n-1]
			continue
		}
		f := new(Family)
		families.all = append(families.all, f)
		s.families = append(s.families, f)
	}
}

// Finish gives up a family that has ended.
func (s *Scheduler) Finish(f *Family) {
	f.Owner = nil
	s.families = append(s.families, f)
	if len(s.families) > 2*familiesKept {
		families.mu.Lock()
		families.free = append(families.free, s.families[familiesKept:]...)
		families.mu.Unlock()
		s.families = s.families[:familiesKept]
	}
	s.events.leave()
}
