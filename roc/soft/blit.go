package soft

import (
	"unsafe"

	"aqueduct/roc/hsa"
)

// cachedCopy is how many bytes are copied at a time where the copy as a whole goes through the caches: from 1 MiB on Go's copy writes
// past them, which takes three times as long for what fits in them.
const cachedCopy = 512 << 10

// copyGroups is hsa.BlitCopy.
func copyGroups(kernarg unsafe.Pointer, first, last uint64) error {
	c := (*hsa.CopyArgs)(kernarg)
	row, rows := c.Size[0], c.Size[1]
	at, end := first*hsa.BlitBytes, min(last*hsa.BlitBytes, row*rows*c.Size[2])
	most := uint64(cachedCopy)
	if row*rows*c.Size[2] >= streamFrom {
		most = end
	}
	for at < end {
		y, x := at/row, at%row
		z := y / rows
		y %= rows
		n := min(row-x, end-at, most)
		dst := pointer(c.Dst + x + y*c.DstPitch[0] + z*c.DstPitch[1])
		src := pointer(c.Src + x + y*c.SrcPitch[0] + z*c.SrcPitch[1])
		copy(bytesAt(dst, n), bytesAt(src, n))
		at += n
	}
	return nil
}

// fillWindow is how many bytes of a fill are made by doubling; they are then copied on, from the cache.
const fillWindow = 16 << 10

// fillGroups is hsa.BlitFill.
func fillGroups(kernarg unsafe.Pointer, first, last uint64) error {
	f := (*hsa.FillArgs)(kernarg)
	row, rows := f.Size[0], f.Size[1]
	at, end := first*hsa.BlitBytes, min(last*hsa.BlitBytes, row*rows*f.Size[2])
	pattern := f.Pattern[:f.Length]
	empty := zero(pattern)
	past := row*rows*f.Size[2] >= streamFrom && 64%f.Length == 0
	for at < end {
		y, x := at/row, at%row
		z := y / rows
		y %= rows
		n := min(row-x, end-at)
		dst := bytesAt(pointer(f.Dst+x+y*f.Pitch[0]+z*f.Pitch[1]), n)
		if past {
			stream(dst, pattern, x%f.Length)
		} else if empty {
			clear(dst)
		} else {
			repeat(dst, pattern, x%f.Length)
		}
		at += n
	}
	return nil
}

// repeat fills dst with a pattern, over and over, from a place in it on.
func repeat(dst, pattern []byte, phase uint64) {
	n := copy(dst, pattern[phase:])
	n += copy(dst[n:], pattern[:phase]) // one period, from where this part starts in it
	for n < len(dst) && n < fillWindow {
		n += copy(dst[n:], dst[:n])
	}
	for period := n; n < len(dst); {
		n += copy(dst[n:], dst[:period])
	}
}

func zero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

func bytesAt(p unsafe.Pointer, n uint64) []byte { return unsafe.Slice((*byte)(p), n) }
