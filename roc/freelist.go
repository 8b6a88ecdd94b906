package roc

import "sync"

// freelist recycles things that one thread takes, as a rule the one that enqueues, and another gives back, as a rule a worker.
// Each side has a list of its own, so that they meet only once for many.
type freelist[T any] struct {
	taking sync.Mutex // taken before giving
	ready  []T        // guarded by taking

	_      [64]byte
	giving sync.Mutex
	back   []T // guarded by giving
}

// take returns what was given back, or what grow makes: one to use and more to keep.
func (f *freelist[T]) take(grow func(keep []T) ([]T, error)) (x T, err error) {
	f.taking.Lock()
	defer f.taking.Unlock()
	if len(f.ready) == 0 {
		f.giving.Lock()
		f.ready, f.back = f.back, f.ready
		f.giving.Unlock()
	}
	if len(f.ready) == 0 {
		if f.ready, err = grow(f.ready); err != nil {
			return x, err
		}
	}
	last := len(f.ready) - 1
	x = f.ready[last]
	f.ready = f.ready[:last]
	return x, nil
}

func (f *freelist[T]) give(x T) {
	f.giving.Lock()
	f.back = append(f.back, x)
	f.giving.Unlock()
}
