package wfv

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"regexp"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// dividends returns numbers and their divisors: the ends of the type, what is next to multiples, and random numbers of all lengths.
func dividends(bits int) (x, d []byte) {
	const items = 1 << 14
	rnd := rand.New(rand.NewSource(1))
	ends := []uint64{0, 1, 2, 3, 1<<(bits-1) - 1, 1 << (bits - 1), 1<<(bits-1) + 1, ^uint64(0), ^uint64(0) - 1, 1<<(bits/2) - 1, 1 << (bits / 2)}
	for i := range items {
		a, b := rnd.Uint64()>>rnd.Intn(64), rnd.Uint64()>>(64-bits)>>rnd.Intn(bits)
		switch {
		case i < len(ends)*len(ends):
			a, b = ends[i/len(ends)], ends[i%len(ends)]
		case i%3 == 0 && b != 0: // next to a multiple
			a = (1<<bits-1)/b*b - uint64(i%2)
			if bits == 64 {
				a = ^uint64(0)/b*b - uint64(i%2)
			}
		case i%5 == 0:
			a, b = -a, -b
		}
		x, d = binary.LittleEndian.AppendUint64(x, a)[:len(x)+bits/8], binary.LittleEndian.AppendUint64(d, b)[:len(d)+bits/8]
	}
	return x, d
}

func TestDivisionsInVectorsAreExact(t *testing.T) {
	source := ""
	for _, T := range []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"} {
		for name, op := range map[string]string{"div": "/", "rem": "%"} {
			source += fmt.Sprintf(`
kernel void %[1]s_%[2]s(global const %[1]s *x, global const %[1]s *d, global %[1]s *out) { size_t i = get_global_id(0); out[i] = x[i] %[3]s d[i]; }
kernel void %[1]s_%[2]s_some(global const %[1]s *x, global const %[1]s *d, global %[1]s *out) {
	size_t i = get_global_id(0);
	if (d[i] & 1) out[i] = x[i] %[3]s d[i];
}
kernel void %[1]s_%[2]s_same(global const %[1]s *x, global const %[1]s *d, global %[1]s *out) {
	size_t i = get_global_id(0);
	%[1]s h = 0;
	for (int j = 0; j < 300; j++) h = h * 5 + x[i] %[3]s d[j];
	out[i] = h;
}
kernel void %[1]s_%[2]s_ten(global const %[1]s *x, global const %[1]s *d, global %[1]s *out) { size_t i = get_global_id(0); out[i] = x[i] %[3]s 10 + x[i] %[3]s 16; }
kernel void %[1]s_%[2]s_pairs(global const %[1]s2 *x, global const %[1]s2 *d, global %[1]s2 *out) {
	size_t i = get_global_id(0) / 2;
	if (get_global_id(0) == 2 * i) out[i] = x[i] %[3]s d[i];
}`, T, name, op)
		}
	}
	reference := build(t, source, Options{Scalar: true})
	for _, o := range []form{{Options{Width: 4}, ""}, {Options{Width: 16}, ""}, {Options{Width: 8}, "avx2"}} {
		p, err := compileAt(o.level, t.TempDir(), source, o.Options)
		require.NoError(t, err)
		for name := range p.kernels {
			bits := map[byte]int{'c': 8, 's': 16, 'i': 32, 'l': 64}[name[0]]
			if name[0] == 'u' {
				bits = map[byte]int{'c': 8, 's': 16, 'i': 32, 'l': 64}[name[1]]
			}
			x, d := dividends(bits)
			run := func(p *program) []byte {
				out := make([]byte, len(x))
				require.NoError(t, p.lib.Run(p.kernels[name], kerneltest.Launch{Global: [3]int{len(x) * 8 / bits}, Local: [3]int{64}}, x, d, out))
				return out
			}
			want, got := run(reference), run(p)
			for i := 0; i < len(want); i += bits / 8 {
				require.Equal(t, want[i:i+bits/8], got[i:i+bits/8], "%s: %x by %x, %+v", name, x[i:i+bits/8], d[i:i+bits/8], o)
			}
		}
		target, err := kerneltest.TargetAt(o.level)
		require.NoError(t, err)
		if TargetOf(target).AVX512 {
			require.Empty(t, regexp.MustCompile(fmt.Sprintf(`= [us](div|rem) (exact )?<%d x i\d+> \S+ %%.*`, o.Width)).FindString(p.ir), "%+v", o)
		}
	}
}
