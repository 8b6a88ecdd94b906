package printf

import (
	"encoding/binary"
	"strconv"
)

// integer is the first size bytes of an argument, which may be shorter, as a number.
func integer(arg []byte, size int, signed bool) uint64 {
	var b [8]byte
	n := copy(b[:size], arg)
	v := binary.LittleEndian.Uint64(b[:])
	if n == 0 {
		return 0
	}
	if shift := 64 - 8*n; signed {
		return uint64(int64(v<<shift) >> shift)
	}
	return v
}

func (s *spec) appendSigned(dst []byte, v int64) []byte {
	magnitude := uint64(v)
	if v < 0 {
		magnitude = -magnitude
	}
	return s.appendDigits(dst, s.sign(v < 0), strconv.AppendUint(nil, magnitude, 10), v == 0)
}

// sign is what stands in front of a signed number.
func (s *spec) sign(negative bool) []byte {
	switch {
	case negative:
		return []byte("-")
	case s.plus:
		return []byte("+")
	case s.space:
		return []byte(" ")
	}
	return nil
}

func (s *spec) appendUnsigned(dst []byte, v uint64) []byte {
	var prefix []byte
	base := 10
	switch s.verb {
	case 'o':
		base = 8
	case 'x', 'X':
		base = 16
		if s.alt && v != 0 {
			prefix = []byte{'0', s.verb}
		}
	}
	digits := strconv.AppendUint(nil, v, base)
	if s.verb == 'X' {
		upper(digits)
	}
	zero := v == 0
	// "For o conversion, it increases the precision, if and only if necessary, to force the first digit of the result to be a zero"
	if s.verb == 'o' && s.alt && s.precision <= len(digits) {
		if !zero {
			digits = append([]byte("0"), digits...)
		}
		zero = false
	}
	return s.appendDigits(dst, prefix, digits, zero)
}

// appendDigits appends an integer. "The result of converting a zero value with a precision of zero is no characters." "If a
// precision is specified, the 0 flag is ignored."
func (s *spec) appendDigits(dst, prefix, digits []byte, zero bool) []byte {
	if zero && s.precision == 0 {
		digits = nil
	}
	return s.pad(dst, prefix, max(s.precision-len(digits), 0), digits, s.precision < 0)
}

// appendPointer appends an address as hexadecimal digits.
func (s *spec) appendPointer(dst, arg []byte) []byte {
	digits := strconv.AppendUint(nil, integer(arg, 8, false), 16)
	return s.pad(dst, []byte("0x"), 0, digits, false)
}

func upper(text []byte) {
	for i, c := range text {
		if c >= 'a' && c <= 'z' {
			text[i] = c - 'a' + 'A'
		}
	}
}
