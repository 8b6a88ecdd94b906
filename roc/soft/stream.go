package soft

import "unsafe"

// streamFrom is the size of a fill or copy from which on it goes past the caches: it would only drive out what is in them, and every
// line would be read before it is written.
const streamFrom = 16 << 20

// streamBlock writes a block over and over to n bytes, past the caches. n is a multiple of 64 and not zero, dst a multiple of 16.
//
//go:noescape
func streamBlock(dst unsafe.Pointer, n uint64, block *[64]byte)

// stream fills dst with a pattern as repeat does, but past the caches. The pattern's length divides 64.
func stream(dst, pattern []byte, phase uint64) {
	n := uint64(len(pattern))
	head := min(-uint64(uintptr(unsafe.Pointer(unsafe.SliceData(dst))))%64, uint64(len(dst)))
	repeat(dst[:head], pattern, phase)
	dst, phase = dst[head:], (phase+head)%n
	var block [64]byte
	repeat(block[:], pattern, phase)
	if whole := uint64(len(dst)) &^ 63; whole > 0 {
		streamBlock(unsafe.Pointer(unsafe.SliceData(dst)), whole, &block)
		dst = dst[whole:]
	}
	copy(dst, block[:])
}
