package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
)

// The driver's heap is a few megabytes of commands and events that live for microseconds. At Go's default a collection would
// run every 4 MB of them, on cores the kernels want: this costs a fifth of the CPU time of a launch and saves no memory worth
// it. GOGC, if set, is the user's word.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// heapRoom is about what the heap grows to while ten thousand commands are in flight.
const heapRoom = 64 << 20

// hugeHeap lets the heap, and the blocks of handles, grow in huge pages. Where the system gives them only to those who ask, they
// would grow by page faults of 4 KiB, which in a virtual machine take longer than the commands the memory is for. Go has no way
// to ask, so room is made with one large slice, whose memory the collector then has for everything else; untouched it is
// address space. Both are hints: huge pages that cannot be had are no error.
var hugeHeap = sync.OnceFunc(func() {
	syscall.Syscall(syscall.SYS_MADVISE, arena.base, arena.size, syscall.MADV_HUGEPAGE)
	go func() {
		syscall.Madvise(make([]byte, heapRoom), syscall.MADV_HUGEPAGE)
		runtime.GC()
	}()
})
