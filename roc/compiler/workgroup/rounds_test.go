package workgroup

import (
	"fmt"
	"strings"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

const barrierSource = `
kernel void reverse(global uint *out, local uint *l) {
	local uint k[64];
	size_t i = get_local_id(0), n = get_local_size(0);
	k[i] = i * 3; l[i] = i;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = k[n - 1 - i] + l[(i + 1) % n];
}
kernel void reduce(global const uint *in, global uint *out) {
	local uint l[64];
	uint i = get_local_id(0);
	l[i] = in[get_global_id(0)];
	for (uint o = get_local_size(0) / 2; o > 0; o /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (i < o) l[i] += l[i + o];
	}
	if (i == 0) out[get_group_id(0)] = l[0];
}
kernel void early(global uint *out, uint n) {
	local uint l[64];
	uint i = get_local_id(0);
	if (n == 0) return;
	l[i] = i;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (n == 1) { out[i] = l[i ^ 1]; return; }
	for (uint k = 0; k < n; k++) {
		uint s = 0;
		for (uint j = 0; j < i; j++) s += l[j];
		barrier(CLK_LOCAL_MEM_FENCE);
		l[i] = s + k;
		work_group_barrier(CLK_LOCAL_MEM_FENCE);
		if (k == 2) break;
		work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
	}
	out[i] = l[(i + 1) % get_local_size(0)];
}
kernel void illegal(global uint *out) {
	uint i = get_local_id(0);
	if (i % 3 == 0) { out[i] = 1; return; }
	for (uint k = 0; k < i; k++) barrier(CLK_LOCAL_MEM_FENCE);
	if (i % 3 == 1) { out[i] = 2; barrier(CLK_LOCAL_MEM_FENCE); out[i]++; } else { barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE); out[i] = 7; }
}
kernel void irreducible(global uint *out, uint n) {
	local uint l[64];
	uint i = get_local_id(0), k = 0, s = 0;
	l[i] = i;
	if (n & 1) goto inside;
again:
	barrier(CLK_LOCAL_MEM_FENCE);
	s += l[(i + k) % get_local_size(0)];
inside:
	s *= 3;
	work_group_barrier(CLK_LOCAL_MEM_FENCE);
	if (++k < n) goto again;
	out[i] = s;
}
kernel void arrays(global uint *out, uint n) {
	local uint l[64];
	uint p[8], i = get_local_id(0);
	uint *q = p + (n & 3);
	for (uint k = 0; k < 8; k++) p[k] = i * k;
	l[i] = p[n & 7];
	barrier(CLK_LOCAL_MEM_FENCE);
	*q += l[(i + 1) % get_local_size(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	uint s = 0;
	for (uint k = 0; k < 8; k++) s += p[k];
	out[i] = s;
}`

func TestBarriersAreMetByTheWholeGroup(t *testing.T) {
	t.Run("regions", func(t *testing.T) { testBarriers(t, build(t, barrierSource, Options{})) })
	t.Run("rounds", func(t *testing.T) { testBarriers(t, build(t, barrierSource, Options{Fallback: true})) })
}

func testBarriers(t *testing.T, p *built) {
	for _, n := range []uint32{1, 2, 5, 16, 64} {
		size := kerneltest.Launch{Global: [3]int{int(n)}, Local: [3]int{int(n)}}
		out := make([]uint32, n)
		p.run("reverse", size, out, kerneltest.Local(4*n))
		for i := range n {
			require.Equal(t, (n-1-i)*3+(i+1)%n, out[i])
		}
		p.run("arrays", size, out, uint32(3))
		for i := range n {
			require.Equal(t, i*28+(i+1)%n*3, out[i])
		}
		for rounds := range uint32(4) {
			p.run("irreducible", size, out, rounds)
			for i := range n {
				s := uint32(0)
				for k := uint32(0); k == 0 || k < rounds; k++ {
					if k > 0 || rounds&1 == 0 {
						s += (i + k) % n
					}
					s *= 3
				}
				require.Equal(t, s, out[i])
			}
		}
		p.run("illegal", size, out)
		for i := range n {
			require.Equal(t, []uint32{1, 3, 7}[i%3], out[i])
		}
		for rounds := range uint32(5) {
			clear(out)
			p.run("early", size, out, rounds)
			l := make([]uint32, n)
			for i := range l {
				l[i] = uint32(i)
			}
			for k := range min(rounds, 3) {
				if rounds < 2 {
					break
				}
				sum := uint32(0)
				for i, v := range l {
					l[i] = sum + k
					sum += v
				}
			}
			for i := range n {
				switch {
				case rounds == 0:
					require.Zero(t, out[i])
				case rounds == 1 && i^1 < n:
					require.Equal(t, i^1, out[i])
				case rounds > 1:
					require.Equal(t, l[(i+1)%n], out[i], "%d rounds, %d items", rounds, n)
				}
			}
		}
	}
	in, out := make([]uint32, 256), make([]uint32, 4)
	for i := range in {
		in[i] = uint32(i * i)
	}
	p.run("reduce", kerneltest.Launch{Global: [3]int{256}, Local: [3]int{64}}, in, out)
	for g := range out {
		sum := uint32(0)
		for _, v := range in[g*64 : g*64+64] {
			sum += v
		}
		require.Equal(t, sum, out[g])
	}
}

// manyBarriers is a kernel with n conditional barriers in a loop; it adds up 3^k * (what the neighbour has) for the set bits k.
func manyBarriers(n int) string {
	var s strings.Builder
	s.WriteString("kernel void k(global uint *out, ulong bits, uint rounds) {\nlocal uint l[64]; uint i = get_local_id(0), v = i, f = 1; l[i] = i;\nfor (uint r = 0; r < rounds; r++) {\n")
	for k := range n {
		fmt.Fprintf(&s, "if (bits >> %d & 1) { barrier(CLK_LOCAL_MEM_FENCE); v += f * l[(i + %d) %% get_local_size(0)]; barrier(CLK_LOCAL_MEM_FENCE); l[i] = v; f *= 3; }\n", k, k)
	}
	s.WriteString("}\nout[i] = v; }\n")
	return s.String()
}

func TestBarriersAddCodeInProportion(t *testing.T) {
	sizes := map[int]int{}
	for _, n := range []int{16, 32} {
		p := build(t, manyBarriers(n), Options{Fallback: true})
		sizes[n] = strings.Count(p.ir, "\n")
	}
	require.Less(t, sizes[32], 3*sizes[16])

	p := build(t, manyBarriers(32), Options{})
	const items, rounds, bits = 7, 3, uint64(0xb1059e37)
	out := make([]uint32, items)
	p.run("k", kerneltest.Launch{Global: [3]int{items}, Local: [3]int{items}}, out, bits, uint32(rounds))
	l, v, f := [items]uint32{0, 1, 2, 3, 4, 5, 6}, [items]uint32{0, 1, 2, 3, 4, 5, 6}, uint32(1)
	for range rounds {
		for k := range 32 {
			if bits>>k&1 == 0 {
				continue
			}
			for i := range v {
				v[i] += f * l[(i+k)%items]
			}
			l, f = v, f*3
		}
	}
	require.Equal(t, v[:], out)
}
