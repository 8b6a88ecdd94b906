package printf

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// float is a number of size bytes, 2, 4 or 8; an argument that is shorter ends in zeros.
func float(arg []byte, size int) float64 {
	var b [8]byte
	copy(b[:size], arg)
	switch size {
	case 2:
		return half(binary.LittleEndian.Uint16(b[:]))
	case 4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[:])))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
}

// half is the value of a half.
func half(h uint16) float64 {
	exponent, fraction := int(h>>10&31), uint64(h&1023)
	sign := 1 - 2*float64(h>>15)
	switch exponent {
	case 0:
		return sign * math.Ldexp(float64(fraction), -24)
	case 31:
		return math.Float64frombits(uint64(h>>15)<<63 | 0x7ff<<52 | fraction<<42)
	}
	return sign * math.Ldexp(float64(fraction+1024), exponent-25)
}

func (s *spec) appendFloat(dst []byte, v float64) []byte {
	capital := s.verb >= 'A' && s.verb <= 'Z'
	prefix, finite := s.sign(math.Signbit(v)), true
	v = math.Abs(v)
	var digits []byte
	switch {
	case math.IsInf(v, 0):
		digits, finite = []byte("inf"), false
	case math.IsNaN(v):
		digits, finite = []byte("nan"), false
	default:
		switch s.verb | 0x20 {
		case 'f':
			digits = strconv.AppendFloat(nil, v, 'f', s.digits(), 64)
			digits = s.point(digits)
		case 'e':
			digits = strconv.AppendFloat(nil, v, 'e', s.digits(), 64)
			digits = s.point(digits)
		case 'g':
			digits = s.general(v)
		case 'a':
			prefix = append(prefix, "0x"...)
			digits = s.hexadecimal(v)
		}
	}
	if capital {
		upper(prefix)
		upper(digits)
	}
	return s.pad(dst, prefix, 0, digits, finite)
}

// digits are those behind the point: "If the precision is missing, it is taken as 6."
func (s *spec) digits() int {
	if s.precision < 0 {
		return 6
	}
	return s.precision
}

// point puts a decimal point in front of an exponent or at the end if there is none and the flag # asks for it.
func (s *spec) point(digits []byte) []byte {
	if !s.alt || bytes.IndexByte(digits, '.') >= 0 {
		return digits
	}
	at := len(digits)
	for _, exponent := range []byte("ep") {
		if i := bytes.IndexByte(digits, exponent); i >= 0 {
			at = i
		}
	}
	return append(digits[:at:at], append([]byte("."), digits[at:]...)...)
}

// general is style g: e or f, whichever suits the exponent X that style e would have, without trailing zeros.
func (s *spec) general(v float64) []byte {
	precision := max(s.digits(), 1)
	text := strconv.AppendFloat(nil, v, 'e', precision-1, 64)
	e := bytes.LastIndexByte(text, 'e')
	exponent, _ := strconv.Atoi(string(text[e+1:]))
	var tail []byte
	if exponent < -4 || exponent >= precision {
		text, tail = text[:e:e], bytes.Clone(text[e:])
	} else {
		text = strconv.AppendFloat(nil, v, 'f', precision-1-exponent, 64)
	}
	if s.alt {
		return append(s.point(text), tail...)
	}
	if bytes.IndexByte(text, '.') >= 0 {
		text = bytes.TrimRight(text, "0")
		text = bytes.TrimSuffix(text, []byte("."))
	}
	return append(text, tail...)
}

// hexadecimal is style a, without 0x: "h.hhhhp±d", where the digit before the point is 1 for a normalised number. Without a
// precision the number is exact; with one it is rounded to nearest, ties to even.
func (s *spec) hexadecimal(v float64) []byte {
	const fractionBits = 52
	b := math.Float64bits(v)
	exponent, fraction := int(b>>fractionBits), b&(1<<fractionBits-1)
	switch {
	case exponent > 0:
		exponent -= 1023
		fraction |= 1 << fractionBits
	case fraction != 0:
		exponent = -1022
	}
	places := s.precision
	if places < 0 {
		places = (fractionBits - min(bits.TrailingZeros64(fraction), fractionBits) + 3) / 4
	}
	if drop := fractionBits - 4*places; drop > 0 {
		rest, middle := fraction&(1<<drop-1), uint64(1)<<(drop-1)
		fraction >>= drop
		if rest > middle || rest == middle && fraction&1 != 0 {
			fraction++
		}
		fraction <<= drop
	}
	digits := strconv.AppendUint(nil, fraction>>fractionBits, 10)
	if places > 0 || s.alt {
		digits = append(digits, '.')
	}
	for i := range places {
		digit := byte('0')
		if i < fractionBits/4 {
			digit = "0123456789abcdef"[fraction>>(fractionBits-4-4*i)&15]
		}
		digits = append(digits, digit)
	}
	digits = append(digits, 'p')
	if exponent >= 0 {
		digits = append(digits, '+')
	}
	return strconv.AppendInt(digits, int64(exponent), 10)
}
