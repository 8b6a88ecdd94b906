package device

import (
	"sync/atomic"
	"unsafe"
)

// Memory that is not Go's, by its address. Whoever may change it at the same time does so with atomic operations.

// pointer is an address as a pointer.
func pointer(address uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

func hostBytes(address, n uint64) []byte { return unsafe.Slice((*byte)(pointer(address)), n) }

func word64(address uint64) *uint64 { return (*uint64)(pointer(address)) }
func word32(address uint64) *uint32 { return (*uint32)(pointer(address)) }

// word16 reads a packet's header. There is no atomic load of 16 bits.
func word16(address uint64) uint16 { return uint16(atomic.LoadUint32(word32(address))) }

func word32At(b []byte) *uint32 { return (*uint32)(unsafe.Pointer(&b[0])) }

func (g *GPU) word64(address uint64, write bool) *uint64 {
	return (*uint64)(unsafe.Pointer(&g.access(address, 8, write)[0]))
}

func (g *GPU) word32(address uint64, write bool) *uint32 {
	return word32At(g.access(address, 4, write))
}
