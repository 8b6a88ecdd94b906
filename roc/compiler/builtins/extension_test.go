package builtins_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// ones is a number of n one bits.
func ones(n uint) uint64 { return 1<<n - 1 } // a shift by 64 gives 0

// bitFields are the functions of cl_khr_extended_bit_ops on bit patterns of t.
var bitFields = []struct {
	name, call string
	result     byte // of t's size: 's' signed, 'u' unsigned, else t
	f          func(t number, base, insert uint64, offset, count uint) uint64
}{
	{"insert", "bitfield_insert(%s, %s, f[2 * i], f[2 * i + 1])", ' ', func(_ number, base, insert uint64, offset, count uint) uint64 {
		return base&^(ones(count)<<offset) | insert&ones(count)<<offset
	}},
	{"signed", "bitfield_extract_signed(%s, f[2 * i], f[2 * i + 1])", 's', func(t number, base, _ uint64, offset, count uint) uint64 {
		if count == 0 {
			return 0
		}
		return uint64(int64(base<<(64-offset-count))>>(64-count)) & ones(t.bits)
	}},
	{"unsigned", "bitfield_extract_unsigned(%s, f[2 * i], f[2 * i + 1])", 'u', func(_ number, base, _ uint64, offset, count uint) uint64 {
		return base >> offset & ones(count)
	}},
	{"reverse", "bit_reverse(%s)", ' ', func(t number, base, _ uint64, _, _ uint) uint64 { return bits.Reverse64(base) >> (64 - t.bits) }},
}

// Offset and count hold for all elements of a vector.
func TestBitFields(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range numbers {
		if n.floating {
			continue
		}
		t.Run(n.name, func(t *testing.T) {
			var s strings.Builder
			for _, f := range bitFields {
				result := strings.TrimPrefix(n.name, "u")
				if f.result == 'u' || f.result == ' ' && !n.signed {
					result = "u" + result
				}
				for _, w := range []int{1, 3, 16} {
					x, y, store := "x[i]", "y[i]", "r[i] = %s"
					if w > 1 {
						x, y, store = fmt.Sprintf("vload%d(i, x)", w), fmt.Sprintf("vload%d(i, y)", w), fmt.Sprintf("vstore%d(%%s, i, r)", w)
					}
					args := []any{x, y}[:strings.Count(f.call, "%s")]
					fmt.Fprintf(&s, "void %s_%d(private const %s *x, private const %[3]s *y, private const uint *f, private %[4]s *r, private const ulong *n)\n"+
						"{ for (ulong i = 0; i < *n / %[2]d; i++) %[5]s; }\n", f.name, w, n.name, result, fmt.Sprintf(store, fmt.Sprintf(f.call, args...)))
				}
			}
			call := load(t, s.String())
			count := uint64(48 * 40)
			x, y, fields := make([]uint64, count), make([]uint64, count), make([]uint32, 2*count)
			for i := range x {
				x[i], y[i] = r.Uint64()&ones(n.bits), r.Uint64()&ones(n.bits)
				width := uint32(r.UintN(n.bits + 1))
				fields[2*i], fields[2*i+1] = r.Uint32N(uint32(n.bits)-width+1), width
			}
			px, py := n.pack(x), n.pack(y)
			for _, f := range bitFields {
				for _, w := range []int{1, 3, 16} {
					out := make([]byte, len(px))
					call(fmt.Sprint(f.name, "_", w), unsafe.Pointer(&px[0]), unsafe.Pointer(&py[0]), unsafe.Pointer(&fields[0]), unsafe.Pointer(&out[0]), unsafe.Pointer(&count))
					for i := range x {
						offset, width := uint(fields[2*(i/w)]), uint(fields[2*(i/w)+1])
						require.Equal(t, f.f(n, x[i], y[i], offset, width), n.unpack(out, i), "%s(%#x, %#x, %d, %d) of %s%d", f.name, x[i], y[i], offset, width, n.name, w)
					}
				}
			}
		})
	}
}

const dotSource = `
#define FORM(name, R, A, B) \
	void name(private const uint *a, private const uint *b, private const R *c, private R *r) \
	{ \
		r[0] = dot(as_##A(*a), as_##B(*b)); r[1] = dot_acc_sat(as_##A(*a), as_##B(*b), *c); \
		r[2] = dot_4x8packed_##name(*a, *b); r[3] = dot_acc_sat_4x8packed_##name(*a, *b, *c); \
	}
FORM(uu_uint, uint, uchar4, uchar4) FORM(ss_int, int, char4, char4) FORM(us_int, int, uchar4, char4) FORM(su_int, int, char4, uchar4)`

func TestDotProductsAreExactAndSaturateTheirSum(t *testing.T) {
	call := load(t, dotSource)
	r := rand.New(rand.NewPCG(3, 4))
	special := []uint32{0, 0x80808080, 0x7f7f7f7f, 0xffffffff, 0xff807f01}
	sums := []uint32{0, 1, math.MaxInt32, 1 << 31, math.MaxUint32, math.MaxInt32 - 70000, 1<<31 + 70000}
	for i := range 2000 {
		a, b, c := r.Uint32(), r.Uint32(), r.Uint32()
		if i%2 == 0 {
			a, b, c = special[r.IntN(len(special))], special[r.IntN(len(special))], sums[r.IntN(len(sums))]
		}
		for _, form := range []struct {
			name    string
			as, bs  bool
			low, up int64
		}{{"uu_uint", false, false, 0, math.MaxUint32}, {"ss_int", true, true, math.MinInt32, math.MaxInt32},
			{"us_int", false, true, math.MinInt32, math.MaxInt32}, {"su_int", true, false, math.MinInt32, math.MaxInt32}} {
			element := func(v uint32, k int, signed bool) int64 {
				if signed {
					return int64(int8(v >> (8 * k)))
				}
				return int64(uint8(v >> (8 * k)))
			}
			var dot int64
			for k := range 4 {
				dot += element(a, k, form.as) * element(b, k, form.bs)
			}
			c64 := int64(int32(c))
			if form.low == 0 {
				c64 = int64(c)
			}
			sum := uint32(min(max(dot+c64, form.low), form.up))
			var got [4]uint32
			call(form.name, unsafe.Pointer(&a), unsafe.Pointer(&b), unsafe.Pointer(&c), unsafe.Pointer(&got))
			require.Equal(t, [4]uint32{uint32(dot), sum, uint32(dot), sum}, got, "%s of %#x and %#x, and %#x", form.name, a, b, c)
		}
	}
}
