package builtins_test

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// integers returns the value of a bit pattern as a number without limits.
func (t number) integerValue(bits uint64) *big.Int {
	if t.signed {
		return big.NewInt(t.extend(bits))
	}
	return new(big.Int).SetUint64(bits)
}

// clamped is the bit pattern of the number of t nearest to i.
func (t number) clamped(i *big.Int) uint64 {
	b, _ := t.integer(exact{v: new(big.Float).SetInt(i)}, t, toZero, true)
	return b
}

// wrapped is the bit pattern of i modulo the size of t.
func (t number) wrapped(i *big.Int) uint64 { return modulo(i, t.bits) }

func sum(v ...*big.Int) *big.Int {
	r := new(big.Int)
	for _, x := range v {
		r.Add(r, x)
	}
	return r
}

// integerFunctions are those of OpenCL C 3.0 section 6.15.3, as mathematics has them: arguments and result are bit patterns.
var integerFunctions = []struct {
	name string
	args int
	f    func(t number, x, y, z *big.Int, bx, by uint64) uint64
}{
	{"abs", 1, func(t number, x, _, _ *big.Int, _, _ uint64) uint64 { return t.wrapped(new(big.Int).Abs(x)) }},
	{"clz", 1, func(t number, _, _, _ *big.Int, b, _ uint64) uint64 { return uint64(t.bits) - uint64(bits.Len64(b)) }},
	{"ctz", 1, func(t number, _, _, _ *big.Int, b, _ uint64) uint64 {
		return min(uint64(bits.TrailingZeros64(b)), uint64(t.bits))
	}},
	{"popcount", 1, func(t number, _, _, _ *big.Int, b, _ uint64) uint64 { return uint64(bits.OnesCount64(b)) }},
	{"abs_diff", 2, func(t number, x, y, _ *big.Int, _, _ uint64) uint64 {
		return t.wrapped(new(big.Int).Abs(new(big.Int).Sub(x, y)))
	}},
	{"add_sat", 2, func(t number, x, y, _ *big.Int, _, _ uint64) uint64 { return t.clamped(sum(x, y)) }},
	{"sub_sat", 2, func(t number, x, y, _ *big.Int, _, _ uint64) uint64 { return t.clamped(new(big.Int).Sub(x, y)) }},
	{"hadd", 2, func(t number, x, y, _ *big.Int, _, _ uint64) uint64 { return t.wrapped(new(big.Int).Rsh(sum(x, y), 1)) }},
	{"rhadd", 2, func(t number, x, y, _ *big.Int, _, _ uint64) uint64 {
		return t.wrapped(new(big.Int).Rsh(sum(x, y, big.NewInt(1)), 1))
	}},
	{"max", 2, func(t number, x, y, _ *big.Int, bx, by uint64) uint64 {
		if x.Cmp(y) >= 0 {
			return bx
		}
		return by
	}},
	{"min", 2, func(t number, x, y, _ *big.Int, bx, by uint64) uint64 {
		if x.Cmp(y) <= 0 {
			return bx
		}
		return by
	}},
	{"mul_hi", 2, func(t number, x, y, _ *big.Int, _, _ uint64) uint64 {
		return t.wrapped(new(big.Int).Rsh(new(big.Int).Mul(x, y), t.bits))
	}},
	{"rotate", 2, func(t number, _, _, _ *big.Int, bx, by uint64) uint64 {
		n := by % uint64(t.bits)
		return (bx<<n | bx>>(uint64(t.bits)-n)) & (^uint64(0) >> (64 - t.bits))
	}},
	{"mad_hi", 3, func(t number, x, y, z *big.Int, _, _ uint64) uint64 {
		return t.wrapped(sum(new(big.Int).Rsh(new(big.Int).Mul(x, y), t.bits), z))
	}},
	{"mad_sat", 3, func(t number, x, y, z *big.Int, _, _ uint64) uint64 { return t.clamped(sum(new(big.Int).Mul(x, y), z)) }},
}

func TestIntegerFunctions(t *testing.T) {
	for _, n := range numbers {
		if n.floating {
			continue
		}
		t.Run(n.name, func(t *testing.T) {
			var s strings.Builder
			for _, f := range integerFunctions {
				result := n.name
				if n.signed && (f.name == "abs" || f.name == "abs_diff") {
					result = "u" + n.name
				}
				for _, w := range []int{1, 3, 16} {
					var args []string
					for _, a := range []string{"x", "y", "z"}[:f.args] {
						if w == 1 {
							args = append(args, a+"[i]")
						} else {
							args = append(args, fmt.Sprintf("vload%d(i, %s)", w, a))
						}
					}
					value := fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
					store := "r[i] = " + value
					if w > 1 {
						store = fmt.Sprintf("vstore%d(%s, i, r)", w, value)
					}
					fmt.Fprintf(&s, "void %[1]s_%[2]d(private const %[3]s *x, private const %[3]s *y, private const %[3]s *z, private %[4]s *r, private const ulong *n)\n"+
						"{ for (ulong i = 0; i < *n / %[2]d; i++) %[5]s; }\n", f.name, w, n.name, result, store)
				}
			}
			call := load(t, s.String())
			samples := n.samples(60)
			var x, y, z []uint64
			some := max(1, len(samples)*len(samples)/40000)
			for i, a := range samples {
				for k, b := range samples {
					if (i*31+k)%some != 0 {
						continue
					}
					x, y, z = append(x, a), append(y, b), append(z, samples[(i*7+k*3)%len(samples)])
				}
			}
			for len(x)%48 != 0 {
				x, y, z = append(x, 0), append(y, 0), append(z, 0)
			}
			px, py, pz, count := n.pack(x), n.pack(y), n.pack(z), uint64(len(x))
			for _, f := range integerFunctions {
				for _, w := range []int{1, 3, 16} {
					out := make([]byte, len(px))
					call(fmt.Sprint(f.name, "_", w), unsafe.Pointer(&px[0]), unsafe.Pointer(&py[0]), unsafe.Pointer(&pz[0]), unsafe.Pointer(&out[0]), unsafe.Pointer(&count))
					for i := range x {
						want := f.f(n, n.integerValue(x[i]), n.integerValue(y[i]), n.integerValue(z[i]), x[i], y[i])
						if got := n.unpack(out, i); got != want {
							require.Failf(t, "wrong", "%s(%#x, %#x, %#x) of %s%d = %#x, not %#x", f.name, x[i], y[i], z[i], n.name, w, got, want)
						}
					}
				}
			}
		})
	}
}
