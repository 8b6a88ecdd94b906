package cl

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// What the tests of images compare with: formats, addressing and filtering as the specifications word them, in float64, with
// nothing of the driver's in it.

// pixels is a format, and pixelsAt one to point at.
func pixels(order, channel uint32) ImageFormat    { return ImageFormat{Order: order, Type: channel} }
func pixelsAt(order, channel uint32) *ImageFormat { return &ImageFormat{Order: order, Type: channel} }

// components names what each channel in memory is, by channel order: r, g, b, a; i and l (intensity, luminance); capitals are sRGB.
var components = map[uint32]string{
	CL_R: "r", CL_A: "a", CL_RG: "rg", CL_RA: "ra", CL_RGB: "rgb", CL_RGBA: "rgba", CL_BGRA: "bgra", CL_ARGB: "argb", CL_ABGR: "abgr",
	CL_INTENSITY: "i", CL_LUMINANCE: "l", CL_DEPTH: "r", CL_sRGBA: "RGBa", CL_sBGRA: "BGRa",
}

// channelType describes a channel data type: its bits, and for packed types those of each channel from the highest bit down.
type channelType struct {
	bits   uint
	packed []uint
	kind   byte // 'u' normalised to [0, 1], 's' to [-1, 1], 'f' float, 'h' half, 'i' signed, 'n' unsigned
}

var channelTypes = map[uint32]channelType{
	CL_SNORM_INT8: {8, nil, 's'}, CL_SNORM_INT16: {16, nil, 's'}, CL_UNORM_INT8: {8, nil, 'u'}, CL_UNORM_INT16: {16, nil, 'u'},
	CL_UNORM_SHORT_565: {16, []uint{5, 6, 5}, 'u'}, CL_UNORM_SHORT_555: {16, []uint{5, 5, 5}, 'u'},
	CL_UNORM_INT_101010: {32, []uint{10, 10, 10}, 'u'}, CL_UNORM_INT_101010_2: {32, []uint{10, 10, 10, 2}, 'u'},
	CL_SIGNED_INT8: {8, nil, 'i'}, CL_SIGNED_INT16: {16, nil, 'i'}, CL_SIGNED_INT32: {32, nil, 'i'},
	CL_UNSIGNED_INT8: {8, nil, 'n'}, CL_UNSIGNED_INT16: {16, nil, 'n'}, CL_UNSIGNED_INT32: {32, nil, 'n'},
	CL_HALF_FLOAT: {16, nil, 'h'}, CL_FLOAT: {32, nil, 'f'},
}

// pixelSize is in bytes.
func pixelSize(f ImageFormat) int {
	t := channelTypes[f.Type]
	if t.packed != nil {
		return int(t.bits / 8)
	}
	return int(t.bits/8) * len(components[f.Order])
}

// fields are the channels of a pixel in memory, and their widths in bits.
func fields(f ImageFormat, pixel []byte) (raw []uint32, widths []uint) {
	t := channelTypes[f.Type]
	if t.packed != nil {
		v := uint32(binary.LittleEndian.Uint16(pixel))
		if t.bits == 32 {
			v = binary.LittleEndian.Uint32(pixel)
		}
		for _, w := range slices.Backward(t.packed) {
			raw = append(raw, v&(1<<w-1))
			v >>= w
		}
		slices.Reverse(raw)
		return raw, t.packed
	}
	for len(pixel) > 0 {
		var word [4]byte
		copy(word[:], pixel[:t.bits/8])
		raw, widths = append(raw, binary.LittleEndian.Uint32(word[:])), append(widths, t.bits)
		pixel = pixel[t.bits/8:]
	}
	return raw, widths
}

// decode is what reading a pixel gives.
func decode(f ImageFormat, pixel []byte) [4]float64 {
	v := [4]float64{0, 0, 0, 1}
	raw, widths := fields(f, pixel)
	for i, letter := range components[f.Order] {
		x := decodeChannel(channelTypes[f.Type].kind, raw[i], widths[i])
		switch letter {
		case 'i':
			return [4]float64{x, x, x, x}
		case 'l':
			return [4]float64{x, x, x, 1}
		case 'R', 'G', 'B':
			if x <= 0.04045 {
				x /= 12.92
			} else {
				x = math.Pow((x+0.055)/1.055, 2.4)
			}
		}
		v[strings.IndexRune("rgba", letter|0x20)] = x
		if letter == 'a' && len(components[f.Order]) == 1 {
			v = [4]float64{0, 0, 0, x}
		}
	}
	return v
}

func decodeChannel(kind byte, raw uint32, width uint) float64 {
	signed := float64(int32(raw<<(32-width)) >> (32 - width))
	switch kind {
	case 'u':
		return float64(raw) / float64(uint64(1)<<width-1)
	case 's':
		return max(signed/float64(uint64(1)<<(width-1)-1), -1)
	case 'f':
		return float64(math.Float32frombits(raw))
	case 'h':
		return halfValue(raw)
	case 'i':
		return signed
	}
	return float64(raw)
}

func halfValue(h uint32) float64 {
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&0x3ff)
	if h&0x8000 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// mayStore reports whether a channel may hold raw after x was written to it.
func mayStore(kind byte, letter rune, raw uint32, width uint, x float64) bool {
	top := float64(uint64(1)<<width - 1)
	signed := float64(int32(raw<<(32-width)) >> (32 - width))
	clamp := func(low, high float64) float64 { return min(max(x, low), high) }
	if math.IsNaN(x) {
		switch kind {
		case 'u', 's':
			return raw == 0
		case 'h', 'f':
			return math.IsNaN(decodeChannel(kind, raw, width))
		}
	}
	switch kind {
	case 'u':
		x = clamp(0, 1)
		if letter < 'a' {
			if x < 0.0031308 {
				x *= 12.92
			} else {
				x = 1.055*math.Pow(x, 1/2.4) - 0.055
			}
		}
		return math.Abs(float64(raw)-x*top) <= 0.6 // "infinitely precise result [...] |error| <= 0.6"
	case 's':
		half := float64(uint64(1)<<(width-1) - 1)
		return math.Abs(signed-min(max(x*half, -half-1), half)) <= 0.6
	case 'i':
		half := float64(uint64(1) << (width - 1))
		return signed == clamp(-half, half-1)
	case 'n':
		return float64(raw) == clamp(0, top)
	case 'h':
		return raw == nearestHalf(x)
	}
	return raw == math.Float32bits(float32(x))
}

// nearestHalf rounds to nearest, of two to the one with an even last bit, by trying all halves.
func nearestHalf(x float64) uint32 {
	if math.Abs(x) >= 65520 { // halfway from the largest half to the next there would be
		if x < 0 {
			return 0xfc00
		}
		return 0x7c00
	}
	low, high := uint32(0), uint32(0x7bff)
	for low < high { // the largest not above |x|
		mid := (low + high + 1) / 2
		if halfValue(mid) <= math.Abs(x) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	if below, above := math.Abs(x)-halfValue(low), halfValue(low+1)-math.Abs(x); above < below || above == below && low&1 != 0 {
		low++
	}
	if math.Signbit(x) {
		low |= 0x8000
	}
	return low
}

// border is the border colour (OpenCL C 3.0 section 6.15.15.1, CLK_ADDRESS_CLAMP).
func border(f ImageFormat) [4]float64 {
	switch f.Order {
	case CL_R, CL_RG, CL_RGB, CL_LUMINANCE:
		return [4]float64{0, 0, 0, 1}
	}
	return [4]float64{}
}

// model is an image: pixels without gaps, of a size in coordinates as origins count them.
type model struct {
	format ImageFormat
	kind   uint32
	size   [3]int
	data   []byte
}

func (m *model) pixel(at [3]int) []byte {
	n := pixelSize(m.format)
	i := ((at[2]*m.size[1]+at[1])*m.size[0] + at[0]) * n
	return m.data[i : i+n]
}

// filtered is how many coordinates addressing and filtering apply to; the next, if there is one, is the layer.
func (m *model) filtered() int {
	return map[uint32]int{CL_MEM_OBJECT_IMAGE1D: 1, CL_MEM_OBJECT_IMAGE1D_ARRAY: 1, CL_MEM_OBJECT_IMAGE2D: 2, CL_MEM_OBJECT_IMAGE2D_ARRAY: 2, CL_MEM_OBJECT_IMAGE3D: 3}[m.kind]
}

// sampling is a sampler's settings.
type sampling struct {
	normalised         bool
	addressing, filter uint32
}

// axis are the texels along an axis of n that a coordinate stands for, with their weights (OpenCL C 3.0 section 8.2).
func (s sampling) axis(u float64, n int) map[int]float64 {
	size := float64(n)
	switch s.addressing {
	case CL_ADDRESS_REPEAT:
		u = (u - math.Floor(u)) * size
	case CL_ADDRESS_MIRRORED_REPEAT:
		u = math.Abs(u-2*math.RoundToEven(0.5*u)) * size
	default:
		if s.normalised {
			u *= size
		}
	}
	if s.filter == CL_FILTER_NEAREST {
		i := int(math.Floor(u))
		switch s.addressing {
		case CL_ADDRESS_REPEAT:
			if i > n-1 {
				i -= n
			}
		case CL_ADDRESS_MIRRORED_REPEAT:
			i = min(i, n-1)
		}
		return map[int]float64{s.outside(i, n): 1}
	}
	i0 := int(math.Floor(u - 0.5))
	i1, a := i0+1, u-0.5-math.Floor(u-0.5)
	switch s.addressing {
	case CL_ADDRESS_REPEAT:
		i0, i1 = (i0+n)%n, i1%n
	case CL_ADDRESS_MIRRORED_REPEAT:
		i0, i1 = max(i0, 0), min(i1, n-1)
	}
	w := map[int]float64{s.outside(i0, n): 1 - a}
	w[s.outside(i1, n)] += a
	return w
}

// outside is what an index beyond the edges becomes: -1 stands for the border.
func (s sampling) outside(i, n int) int {
	if i >= 0 && i < n {
		return i
	}
	if s.addressing == CL_ADDRESS_CLAMP {
		return -1
	}
	return min(max(i, 0), n-1)
}

// sample is what read_image* gives at a coordinate.
func (m *model) sample(s sampling, at [3]float64) (v [4]float64) {
	var weights [3]map[int]float64
	n := m.filtered()
	for d := range weights {
		switch {
		case d < n:
			weights[d] = s.axis(at[d], m.size[d])
		case d == n && m.size[d] > 1: // "layer = clamp(rint(w), 0, dt - 1)"
			weights[d] = map[int]float64{min(max(int(math.RoundToEven(at[d])), 0), m.size[d]-1): 1}
		default:
			weights[d] = map[int]float64{0: 1}
		}
	}
	for x, wx := range weights[0] {
		for y, wy := range weights[1] {
			for z, wz := range weights[2] {
				texel := border(m.format)
				if x >= 0 && y >= 0 && z >= 0 {
					texel = decode(m.format, m.pixel([3]int{x, y, z}))
				}
				for i := range v {
					v[i] += texel[i] * wx * wy * wz
				}
			}
		}
	}
	return v
}
