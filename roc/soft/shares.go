package soft

import "sync/atomic"

// share is consecutive chunks of a launch, which one thread takes in order. Work-groups that are next to each other access memory that is:
// threads that took chunks in turn would write to the same pages and have the lines beside their own fetched.
//
// The specification promises a work-group nothing of those before it, but there are kernels that wait for those, as GPUs start them in
// order. So whoever starts a launch has the first share, and chunks of others are taken from the front: then what everybody waits for is
// never behind what waits.
type share struct {
	chunks atomic.Uint64 // the first in the upper half, the one behind the last in the lower
	used   bool          // guarded by launches.mu
	_      [52]byte
}

// divide makes shares of n chunks.
func divide(n uint64, shares int) []share {
	list := make([]share, shares)
	from := uint64(0)
	for i := range list {
		to := n * uint64(i+1) / uint64(shares)
		list[i].chunks.Store(from<<32 | to)
		from = to
	}
	return list
}

// left is the first chunk and the one behind the last.
func (s *share) left() (from, to uint64) {
	c := s.chunks.Load()
	return c >> 32, uint64(uint32(c))
}

// take takes the first chunk.
func (s *share) take() (chunk uint64, ok bool) {
	for {
		c := s.chunks.Load()
		if c>>32 == uint64(uint32(c)) {
			return 0, false
		}
		if s.chunks.CompareAndSwap(c, c+1<<32) {
			return c >> 32, true
		}
	}
}

// cut takes the first half of what is left, the larger one.
func (s *share) cut() (chunks uint64, ok bool) {
	for {
		c := s.chunks.Load()
		from, to := c>>32, uint64(uint32(c))
		if from == to {
			return 0, false
		}
		middle := from + (to-from+1)/2
		if s.chunks.CompareAndSwap(c, middle<<32|to) {
			return from<<32 | middle, true
		}
	}
}

// next takes a chunk for the thread that has share own: of that, or when nothing is left there, of what it takes from the first that has any.
func next(shares []share, own int) (chunk uint64, ok bool) {
	if chunk, ok = shares[own].take(); ok {
		return chunk, true
	}
	for i := range shares {
		if half, ok := shares[i].cut(); ok {
			shares[own].chunks.Store(half + 1<<32) // nobody cuts an empty share
			return half >> 32, true
		}
	}
	return 0, false
}

// first takes the first chunk of all that are left.
func first(shares []share) (chunk uint64, ok bool) {
	for {
		var least *share
		from := uint64(1 << 32)
		for i := range shares {
			if at, to := shares[i].left(); at < to && at < from {
				least, from = &shares[i], at
			}
		}
		if least == nil {
			return 0, false
		}
		if chunk, ok = least.take(); ok {
			return chunk, true
		}
	}
}

// unit is the number of the compute unit that the calling thread runs on, so that a core has what it had of the launch before in its
// caches.
func (a *Agent) unit() int { return a.units[cpu()] }
