package devicequeue

// Prefetch has the processor fetch what running slots reads of them, all at the same time: their memory was written by another
// core, or so long ago that it is in no cache.
//
//go:noescape
func Prefetch(slots []*Slot)
