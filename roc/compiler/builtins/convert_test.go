package builtins_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// pack lays bit patterns out as an array of the type; unpack reads one.
func (t number) pack(v []uint64) []byte {
	size := int(t.bits / 8)
	b := make([]byte, len(v)*size+64)
	for i, x := range v {
		for k := range size {
			b[i*size+k] = byte(x >> (8 * k))
		}
	}
	return b
}

func (t number) unpack(b []byte, i int) uint64 {
	size, x := int(t.bits/8), uint64(0)
	for k := range size {
		x |= uint64(b[i*size+k]) << (8 * k)
	}
	return x
}

func TestEveryConversionRoundsAndSaturates(t *testing.T) {
	for _, to := range numbers {
		t.Run(to.name, func(t *testing.T) {
			var suffixes []string
			for _, saturation := range []string{"", "_sat"} {
				if saturation != "" && to.floating {
					continue
				}
				for _, rounding := range []string{"", toEven, toZero, up, down} {
					suffixes = append(suffixes, saturation+rounding)
				}
			}
			var s strings.Builder
			s.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n")
			for _, from := range numbers {
				for _, suffix := range suffixes {
					fmt.Fprintf(&s, "void %[1]s%[3]s_1(private const %[1]s *x, private %[2]s *r, private const ulong *n)\n"+
						"{ for (ulong i = 0; i < *n; i++) r[i] = convert_%[2]s%[3]s(x[i]); }\n", from.name, to.name, suffix)
					for _, w := range []int{3, 16} {
						fmt.Fprintf(&s, "void %[1]s%[3]s_%[4]d(private const %[1]s *x, private %[2]s *r, private const ulong *n)\n"+
							"{ for (ulong i = 0; i < *n / %[4]d; i++) vstore%[4]d(convert_%[2]s%[4]d%[3]s(vload%[4]d(i, x)), i, r); }\n", from.name, to.name, suffix, w)
					}
				}
			}
			call := load(t, s.String())
			for _, from := range numbers {
				samples := from.samples(600)
				in, n := from.pack(samples), uint64(len(samples))
				for _, suffix := range suffixes {
					want := make([]uint64, len(samples))
					for i, bits := range samples {
						want[i] = converted(from, to, suffix, bits)
					}
					for _, w := range []int{1, 3, 16} {
						out := make([]byte, len(samples)*int(to.bits/8)+64)
						call(fmt.Sprintf("%s%s_%d", from.name, suffix, w), unsafe.Pointer(&in[0]), unsafe.Pointer(&out[0]), unsafe.Pointer(&n))
						for i, bits := range samples {
							if got := to.unpack(out, i); got != want[i] && want[i] != undefined && !(to.isNaN(got) && to.isNaN(want[i])) {
								require.Failf(t, "wrong", "convert_%s%d%s of %s %#x = %#x, not %#x", to.name, w, suffix, from.name, bits, got, want[i])
							}
						}
					}
				}
			}
		})
	}
}

// undefined stands for results that are the implementation's choice. No 64-bit conversion of a sample gives it.
const undefined = 0x0123456789abcdef

// converted is the result of convert_<to><suffix>.
func converted(from, to number, suffix string, bits uint64) uint64 {
	x := from.value(bits)
	rounding, saturate := strings.CutPrefix(suffix, "_sat")
	if to.floating {
		if rounding == "" {
			rounding = toEven
		}
		return to.encode(to.rounded(x, rounding))
	}
	if rounding == "" {
		rounding = toZero
	}
	if want, defined := to.integer(x, from, rounding, saturate); defined {
		return want
	}
	return undefined
}
