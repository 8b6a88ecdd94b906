package cl

import "math/bits"

// Region is the size of a box: bytes in a row, rows, slices.
type Region = [3]uint64

// RectSide is one side of a rect transfer: where its box starts (bytes, rows, slices), nil if the caller gave none, and the
// distance in bytes between two rows and two slices, 0 for packed.
type RectSide struct {
	Origin               *[3]uint64
	RowPitch, SlicePitch uint64
}

// box is a RectSide with its pitches known.
type box struct {
	row, slice uint64
	start, end uint64 // offsets of its first byte and of the one behind its last
}

// resolve checks s and region for what OpenCL API 3.0 section 5.2.2 says of both, and finds the bytes the box spans.
func (s RectSide) resolve(region *Region) (box, Status) {
	// CL_INVALID_VALUE if an origin or region is NULL or if any region array element is zero
	if s.Origin == nil || region == nil || region[0] == 0 || region[1] == 0 || region[2] == 0 {
		return box{}, CL_INVALID_VALUE
	}
	b := box{row: s.RowPitch, slice: s.SlicePitch}
	// if row_pitch is not equal to zero and is less than region[0]
	if b.row == 0 {
		b.row = region[0]
	}
	if b.row < region[0] {
		return b, CL_INVALID_VALUE
	}
	// if slice_pitch is not equal to zero and is less than region[1] times row_pitch, or is not a multiple of row_pitch
	rows, fits := mul(region[1], b.row)
	if b.slice == 0 {
		b.slice = rows
	}
	if !fits || b.slice < rows || b.slice%b.row != 0 {
		return b, CL_INVALID_VALUE
	}
	start, ok1 := position(*s.Origin, b.row, b.slice)
	length, ok2 := position([3]uint64{region[0], region[1] - 1, region[2] - 1}, b.row, b.slice)
	end, carry := bits.Add64(start, length, 0)
	if !ok1 || !ok2 || carry != 0 {
		return b, CL_INVALID_VALUE
	}
	b.start, b.end = start, end
	return b, CL_SUCCESS
}

// moved is b as seen from a buffer in which it lies by bytes further on.
func (b box) moved(by uint64) box {
	b.start += by
	b.end += by
	return b
}

// overlaps reports whether two boxes of one buffer share a byte, as check_copy_overlap of OpenCL API 3.0 appendix D finds it:
// for boxes of the same pitches it sees when one lies in the gaps of the other, boxes of unlike pitches (of two sub-buffers)
// it takes for the bytes they span.
func overlaps(a, b box, region Region) bool {
	if b.end <= a.start || a.end <= b.start {
		return false
	}
	if a.row != b.row || a.slice != b.slice {
		return true
	}
	// No overlap if region[0] for dst or src fits in the gap between region[0] and row_pitch.
	if apart(a.start, b.start, region[0], a.row) {
		return false
	}
	// No overlap if region[1] for dst or src fits in the gap between region[1] and slice_pitch.
	return !apart(a.start, b.start, (region[1]-1)*a.row+region[0], a.slice)
}

// apart reports whether runs of size bytes that start at a and b and repeat every pitch bytes never meet.
func apart(a, b, size, pitch uint64) bool {
	a, b = a%pitch, b%pitch
	return b >= a+size && b+size <= a+pitch || a >= b+size && a+size <= b+pitch
}

// position is at[2]*slice + at[1]*row + at[0], false when that does not fit 64 bits.
func position(at [3]uint64, row, slice uint64) (uint64, bool) {
	y, ok1 := mul(at[1], row)
	z, ok2 := mul(at[2], slice)
	sum, c1 := bits.Add64(at[0], y, 0)
	sum, c2 := bits.Add64(sum, z, 0)
	return sum, ok1 && ok2 && c1 == 0 && c2 == 0
}

func mul(a, b uint64) (uint64, bool) {
	hi, lo := bits.Mul64(a, b)
	return lo, hi == 0
}

// span reports whether [offset, offset+size) lies in [0, limit).
func span(offset, size, limit uint64) bool { return size <= limit && offset <= limit-size }
