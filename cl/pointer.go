package cl

import (
	"math/bits"
	"slices"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// Commands on memory that is named by its address, of the application or of an allocation.

// enqueueAt is enqueue for a command that uses memory at addresses.
func (q *Queue) enqueueAt(kind uint32, op hostqueue.Op, s Sync, blocking bool, at ...Addr) (*Event, Status) {
	var held []*roc.Memory
	for _, p := range at {
		if store := q.ctx.memory.hold(p); store != nil {
			held = append(held, store)
		}
	}
	if s.record != nil {
		return nil, s.record.enqueue(kind, op, func() { releaseAll(held) })
	}
	c, e := q.command(kind, hostqueue.KindCommand, op, s)
	if held != nil {
		c.OnDone = func(*hostqueue.Command) { releaseAll(held) }
	}
	return q.submit(c, e, s, blocking)
}

func releaseAll(stores []*roc.Memory) {
	for _, m := range stores {
		m.Release()
	}
}

// copyMemory enqueues a copy between addresses.
func (q *Queue) copyMemory(kind uint32, blocking bool, dst, src Addr, size uint64, s Sync) (*Event, Status) {
	// CL_INVALID_VALUE if dst_ptr or src_ptr is NULL
	if dst == 0 || src == 0 {
		return nil, CL_INVALID_VALUE
	}
	// CL_MEM_COPY_OVERLAP if the values specified for dst_ptr, src_ptr and size result in an overlapping copy
	if d := uint64(dst - src); size > 0 && (d < size || -d < size) {
		return nil, CL_MEM_COPY_OVERLAP
	}
	return q.enqueueAt(kind, linear(dst.Pointer(), src.Pointer(), size), s, blocking, dst, src)
}

// fillMemory enqueues a fill of size bytes at an address. pattern is nil if the caller gave none.
func (q *Queue) fillMemory(kind uint32, p Addr, pattern []byte, size uint64, s Sync) (*Event, Status) {
	// CL_INVALID_VALUE if the pointer is NULL, if pattern is NULL, if pattern_size is zero, not a power of two or greater than
	// 128, if the pointer is not aligned to pattern_size bytes, or if size is not a multiple of pattern_size
	n := uint64(len(pattern))
	if p == 0 || bits.OnesCount64(n) != 1 || n > MaxPattern || uint64(p)%n != 0 || size%n != 0 {
		return nil, CL_INVALID_VALUE
	}
	var op hostqueue.Op = roc.Nothing{}
	if size > 0 {
		op = roc.Fill{Dst: p.Pointer(), Size: [3]uint64{size, 1, 1}, Pattern: slices.Clone(pattern)}
	}
	return q.enqueueAt(kind, op, s, false, p)
}

// validMigration reports whether flags are 0 or some of the Memory Migration Flags.
func validMigration(flags uint64) bool {
	return flags&^(CL_MIGRATE_MEM_OBJECT_HOST|CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) == 0
}
