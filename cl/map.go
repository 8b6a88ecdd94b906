package cl

import (
	"slices"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// mapping is one clEnqueueMapBuffer that no clEnqueueUnmapMemObject has undone.
type mapping struct {
	mem        *Mem // that was mapped: the buffer or one of its sub-buffers
	ptr        unsafe.Pointer
	start, end uint64 // in the storage of root()
	write      bool
	stage      *roc.Memory // where the application has the bytes, if it does not reach those of the object; else nil

	at, region [3]uint64 // of an image: the pixels that are mapped, between which others may lie
}

// meets reports whether two maps have bytes in common.
func (a *mapping) meets(b *mapping) bool {
	if a.mem == b.mem && a.mem.image != nil {
		return boxesMeet(a.at, b.at, a.region, b.region)
	}
	return a.start < b.end && b.start < a.end
}

// release gives up what a map has of its own.
func (a *mapping) release() {
	if a.stage != nil {
		a.stage.Release()
	}
}

// MapBuffer enqueues clEnqueueMapBuffer (OpenCL API 3.0 section 5.2.4). Nothing is copied where the host reaches the memory.
func (q *Queue) MapBuffer(m *Mem, blocking bool, flags, offset, size uint64, s Sync) (unsafe.Pointer, *Event, Status) {
	if st := q.checkBuffers(s, m); st != CL_SUCCESS {
		return nil, nil, st
	}
	// CL_INVALID_VALUE if the region being mapped is out of bounds, if size is zero, or if values in map_flags are not valid
	if !span(offset, size, m.size) || size == 0 || !validMapFlags(flags) {
		return nil, nil, CL_INVALID_VALUE
	}
	if st := q.aligned(m); st != CL_SUCCESS {
		return nil, nil, st
	}
	// CL_INVALID_OPERATION if buffer was created with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_READ is set,
	// or with CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_WRITE or CL_MAP_WRITE_INVALIDATE_REGION is set
	write := flags&(CL_MAP_WRITE|CL_MAP_WRITE_INVALIDATE_REGION) != 0
	if flags&CL_MAP_READ != 0 && !m.hostReadable() || write && !m.hostWritable() {
		return nil, nil, CL_INVALID_OPERATION
	}
	// CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped for writing
	a := mapping{mem: m, start: m.origin + offset, end: m.origin + offset + size, write: write}
	var op hostqueue.Op = roc.Nothing{}
	if m.store.Host != nil {
		a.ptr = unsafe.Add(m.store.Host, offset)
	} else {
		var err error
		if a.stage, err = q.device.roc.AllocHost(size); err != nil {
			return nil, nil, CL_MAP_FAILURE
		}
		a.ptr = a.stage.Host
		if flags&CL_MAP_WRITE_INVALIDATE_REGION == 0 {
			op = linear(a.ptr, m.at(offset), size)
		}
	}
	if !m.addMapping(a) {
		a.release()
		return nil, nil, CL_INVALID_OPERATION
	}
	ev, st := q.enqueue(CL_COMMAND_MAP_BUFFER, op, s, blocking, m)
	if st != CL_SUCCESS {
		m.removeMapping(a.ptr)
		a.release()
		return nil, nil, st
	}
	return a.ptr, ev, CL_SUCCESS
}

// validMapFlags: "CL_MAP_READ or CL_MAP_WRITE and CL_MAP_WRITE_INVALIDATE_REGION are mutually exclusive".
func validMapFlags(flags uint64) bool {
	const all = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION
	return flags&^all == 0 && (flags&CL_MAP_WRITE_INVALIDATE_REGION == 0 || flags == CL_MAP_WRITE_INVALIDATE_REGION)
}

// UnmapMemObject enqueues clEnqueueUnmapMemObject (OpenCL API 3.0 section 5.6.2).
func (q *Queue) UnmapMemObject(m *Mem, ptr unsafe.Pointer, s Sync) (*Event, Status) {
	if st := q.check(s, m); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer or clEnqueueMapImage for memobj
	undo, ok := m.removeMapping(ptr)
	if !ok {
		return nil, CL_INVALID_VALUE
	}
	ev, st := q.unmap(m, &undo, s)
	if st != CL_SUCCESS {
		m.addMapping(undo)
	}
	return ev, st
}

// unmap enqueues what undoes a map.
func (q *Queue) unmap(m *Mem, undo *mapping, s Sync) (*Event, Status) {
	if undo.stage == nil {
		return q.enqueue(CL_COMMAND_UNMAP_MEM_OBJECT, roc.Nothing{}, s, false, m)
	}
	if !hold([]*Mem{m}) {
		return nil, CL_INVALID_MEM_OBJECT
	}
	var op hostqueue.Op = roc.Nothing{}
	if undo.write {
		op = linear(m.at(undo.start-m.origin), undo.ptr, undo.end-undo.start)
	}
	c, e := q.command(CL_COMMAND_UNMAP_MEM_OBJECT, hostqueue.KindCommand, op, s)
	stage := undo.stage
	c.OnDone = func(*hostqueue.Command) {
		stage.Release()
		m.Unuse()
	}
	return q.submit(c, e, s, false)
}

// addMapping counts a map; false if it would write where another mapping writes.
func (m *Mem) addMapping(add mapping) bool {
	r := m.root()
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.maps {
		if other := &r.maps[i]; add.write && other.write && add.meets(other) {
			return false
		}
	}
	r.maps = append(r.maps, add)
	return true
}

// removeMapping forgets the newest map of m that returned ptr.
func (m *Mem) removeMapping(ptr unsafe.Pointer) (mapping, bool) {
	r := m.root()
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.maps) - 1; i >= 0; i-- {
		if gone := r.maps[i]; gone.mem == m && gone.ptr == ptr {
			r.maps = slices.Delete(r.maps, i, i+1)
			return gone, true
		}
	}
	return mapping{}, false
}

// mapCount is CL_MEM_MAP_COUNT.
func (m *Mem) mapCount() uint32 {
	r := m.root()
	r.mu.Lock()
	defer r.mu.Unlock()
	var n uint32
	for _, each := range r.maps {
		if each.mem == m {
			n++
		}
	}
	return n
}
