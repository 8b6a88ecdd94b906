package roc

import (
	"encoding/binary"
	"math"
)

const oneFloat = 0x3f800000

// Encode is the pixel that a kernel would store for a colour, of whose components (red, green, blue, alpha) the bits are
// given: those of floats, or of integers, by the class of l. Conversions are those of OpenCL C 3.0 section 8.3.
func (l *PixelLayout) Encode(colour [4]uint32) []byte {
	var pixel []byte
	if l.channel.packed != nil {
		return l.pack(colour)
	}
	for i, component := range l.order.write {
		encode := l.channel.encode
		if i == 3 && l.codec == "srgb8x4" {
			encode = unorm
		}
		v := encode(colour[component], l.channel.bits)
		switch l.channel.bits {
		case 8:
			pixel = append(pixel, byte(v))
		case 16:
			pixel = binary.LittleEndian.AppendUint16(pixel, uint16(v))
		case 32:
			pixel = binary.LittleEndian.AppendUint32(pixel, v)
		}
	}
	return pixel
}

func (l *PixelLayout) pack(colour [4]uint32) []byte {
	var v uint32
	for i, bits := range l.channel.packed {
		v = v<<bits | l.channel.encode(colour[i], bits)
	}
	if l.channel.bits == 16 {
		return binary.LittleEndian.AppendUint16(nil, uint16(v))
	}
	return binary.LittleEndian.AppendUint32(nil, v)
}

// convert is convert_*_sat_rte(x * scale): to an integer from low to high.
func convert(x float32, scale, low, high float32) int32 {
	x *= scale
	switch {
	case x != x:
		return 0
	case x <= low:
		return int32(low)
	case x >= high:
		return int32(high)
	}
	return int32(math.RoundToEven(float64(x)))
}

func most(bits uint) uint32 { return 1<<bits - 1 }

func unorm(v uint32, bits uint) uint32 {
	top := float32(most(bits))
	return uint32(convert(math.Float32frombits(v), top, 0, top))
}

func snorm(v uint32, bits uint) uint32 {
	top := float32(most(bits - 1))
	return uint32(convert(math.Float32frombits(v), top, -top-1, top)) & most(bits)
}

func sint(v uint32, bits uint) uint32 {
	top := int32(most(bits - 1))
	return uint32(min(max(int32(v), -top-1), top)) & most(bits)
}

func uintn(v uint32, bits uint) uint32 { return min(v, most(bits)) }
func word(v uint32, _ uint) uint32     { return v }

// half rounds to the nearest half, of two the even one.
func half(v uint32, _ uint) uint32 {
	sign, x := v>>16&0x8000, v&0x7fffffff
	switch {
	case x > 0x7f800000: // NaN
		return sign | 0x7e00 | x>>13&0x3ff
	case x >= 0x47800000: // 2^16 and above
		return sign | 0x7c00
	case x < 0x38800000: // below 2^-14: a multiple of 2^-24
		return sign | uint32(math.RoundToEven(float64(math.Float32frombits(x))*(1<<24)))
	}
	x += 0xfff + x>>13&1 // may carry into the exponent, up to infinity
	return sign | (x>>13 - 112<<10)
}

// srgb is the conversion of OpenCL C 3.0 section 8.3.1.5.
func srgb(v uint32, _ uint) uint32 {
	x := float64(math.Float32frombits(v))
	switch {
	case !(x > 0):
		return 0
	case x >= 1:
		return 255
	case x < 0.0031308:
		x *= 12.92
	default:
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return uint32(math.RoundToEven(x * 255))
}
