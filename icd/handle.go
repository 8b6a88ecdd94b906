package main

import (
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"aqueduct/cl"
)

// block is what a handle points to, in memory of its own outside Go's heap. The ICD loader reads the first word, and under
// cl_khr_icd 2.0 the second.
type block struct {
	dispatch uintptr // the dispatch table
	data     uintptr // what clIcdSetPlatformDispatchDataKHR gave
	kind     uint32  // a cl.Kind while the handle is valid, else KindNone
	next     uint32  // block freed after this one, while both wait to be used again
	_        uint64
}

const (
	blockSize = unsafe.Sizeof(block{})
	// reserved is address space, not memory: room for 32 million handles.
	reserved  = 1 << 30
	chunkBits = 12
	chunkSize = 1 << chunkBits
	// quarantine is how many blocks must have been freed after a block before it becomes a handle again, so that a stale
	// handle is found out.
	quarantine = 1 << 14
)

type chunk [chunkSize]atomic.Pointer[cl.Object]

// arena is all handles. find takes no lock: it compares, and follows two pointers.
var arena struct {
	base   uintptr // written once
	size   uintptr // written once; a multiple of the page size
	chunks [reserved / blockSize / chunkSize]atomic.Pointer[chunk]

	mu    sync.Mutex // guards what follows
	used  uint32     // blocks that were ever a handle
	first uint32     // of the freed blocks, oldest first, linked by next
	last  uint32
	freed int
	data  uintptr // dispatch data for new handles
}

func init() {
	for size := uintptr(reserved); size >= 1<<20; size /= 2 {
		mem, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
		if err == nil {
			arena.base, arena.size = uintptr(unsafe.Pointer(unsafe.SliceData(mem))), size
			break
		}
	}
	cl.HandleFreed = freeHandle
}

// find is the object of a handle of one kind, nil if h is none: NULL, foreign, stale, or of another kind. The caller
// converts the result to the type of the kind, whose first field is the cl.Object.
func find(h uintptr, kind cl.Kind) unsafe.Pointer {
	offset := h - arena.base
	if offset >= arena.size || offset%blockSize != 0 {
		return nil
	}
	if atomic.LoadUint32(&blockAt(h).kind) != uint32(kind) {
		return nil
	}
	i := offset / blockSize
	o := arena.chunks[i>>chunkBits].Load()[i%chunkSize].Load()
	// The handle may have been freed, and even given out again, since the line above.
	if o == nil || o.Kind() != kind {
		return nil
	}
	return unsafe.Pointer(o)
}

// object is the object of a handle of any kind, nil if h is none.
func object(h uintptr) *cl.Object {
	for kind := cl.KindNone + 1; kind < cl.KindCount; kind++ {
		if o := find(h, kind); o != nil {
			return (*cl.Object)(o)
		}
	}
	return nil
}

// handles calls yield with each object that has a handle now.
func handles(yield func(*cl.Object) bool) {
	arena.mu.Lock()
	used := uintptr(arena.used)
	arena.mu.Unlock()
	for i := range used {
		if o := arena.chunks[i>>chunkBits].Load()[i%chunkSize].Load(); o != nil && !yield(o) {
			return
		}
	}
}

// newHandle gives o a handle; false if there is no room for one more.
func newHandle(o *cl.Object) bool {
	arena.mu.Lock()
	defer arena.mu.Unlock()
	i, ok := takeBlock()
	if !ok {
		return false
	}
	h := arena.base + uintptr(i)*blockSize
	c := arena.chunks[i>>chunkBits].Load()
	if c == nil {
		c = new(chunk)
		arena.chunks[i>>chunkBits].Store(c)
	}
	o.SetHandle(h)
	c[i%chunkSize].Store(o)
	b := blockAt(h)
	b.dispatch, b.data = dispatchTable, arena.data
	atomic.StoreUint32(&b.kind, uint32(o.Kind()))
	return true
}

// takeBlock picks a block: the one freed longest ago if enough were freed since, else one never used. Under arena.mu.
func takeBlock() (uint32, bool) {
	fresh := uintptr(arena.used) < arena.size/blockSize
	switch {
	case arena.freed > quarantine, !fresh && arena.freed > 0:
		i := arena.first
		arena.first = blockAt(arena.base + uintptr(i)*blockSize).next
		arena.freed--
		return i, true
	case fresh:
		arena.used++
		return arena.used - 1, true
	}
	return 0, false
}

// freeHandle makes h invalid.
func freeHandle(h uintptr) {
	i := (h - arena.base) / blockSize
	atomic.StoreUint32(&blockAt(h).kind, uint32(cl.KindNone))
	arena.chunks[i>>chunkBits].Load()[i%chunkSize].Store(nil)
	arena.mu.Lock()
	defer arena.mu.Unlock()
	if arena.freed == 0 {
		arena.first = uint32(i)
	} else {
		blockAt(arena.base + uintptr(arena.last)*blockSize).next = uint32(i)
	}
	arena.last = uint32(i)
	arena.freed++
}

// setDispatchData has every handle, those given out and those to come, carry data.
func setDispatchData(data uintptr) {
	arena.mu.Lock()
	defer arena.mu.Unlock()
	arena.data = data
	for i := range uintptr(arena.used) {
		atomic.StoreUintptr(&blockAt(arena.base+i*blockSize).data, data)
	}
}

func blockAt(h uintptr) *block { return (*block)(cl.Addr(h).Pointer()) }

// find's result is converted to these types: the Object comes first in each.
var _ = [...][0]struct{}{
	[unsafe.Offsetof(cl.Platform{}.Object)]struct{}{}, [unsafe.Offsetof(cl.Device{}.Object)]struct{}{},
	[unsafe.Offsetof(cl.Context{}.Object)]struct{}{}, [unsafe.Offsetof(cl.Queue{}.Object)]struct{}{},
	[unsafe.Offsetof(cl.Mem{}.Object)]struct{}{}, [unsafe.Offsetof(cl.Program{}.Object)]struct{}{},
	[unsafe.Offsetof(cl.Kernel{}.Object)]struct{}{}, [unsafe.Offsetof(cl.Event{}.Object)]struct{}{},
	[unsafe.Offsetof(cl.Sampler{}.Object)]struct{}{}, [unsafe.Offsetof(cl.CommandBuffer{}.Object)]struct{}{},
	[unsafe.Offsetof(cl.MutableCommand{}.Object)]struct{}{}, [unsafe.Offsetof(cl.Semaphore{}.Object)]struct{}{},
}
