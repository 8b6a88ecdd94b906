package wfv

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// atomicsPrelude has the atomic functions of OpenCL C 1.x and some of 2.0, which the builtin library defines elsewhere.
const atomicsPrelude = `
#define AT(p) ((volatile global atomic_uint *)(p))
#define FREE memory_order_relaxed, memory_scope_device
#define load(p) __opencl_atomic_load(AT(p), FREE)
#define cas(p, old, new) __opencl_atomic_compare_exchange_strong(AT(p), old, new, memory_order_relaxed, FREE)
#define weak(p, old, new) __opencl_atomic_compare_exchange_weak(AT(p), old, new, memory_order_relaxed, FREE)
#define atomic_xchg(p, v) __opencl_atomic_exchange(AT(p), v, FREE)
#define atomic_add(p, v) __opencl_atomic_fetch_add(AT(p), v, FREE)
#define atomic_sub(p, v) __opencl_atomic_fetch_sub(AT(p), v, FREE)
#define atomic_or(p, v) __opencl_atomic_fetch_or(AT(p), v, FREE)
uint atomic_cmpxchg(volatile global uint *p, uint old, uint new) { cas(p, &old, new); return old; }
#define K(name) kernel void name(volatile global uint *p, global uint *q, global const uint *x) { const uint i = get_global_id(0), n = x[i] & 7; const float v = x[i];
`

// atomicItems work-items run each kernel of these tests; x[i] is below 4096.
const atomicItems = 200

// atomicRun is what a kernel had and left.
type atomicRun struct{ p, q, x []uint32 }

func (r atomicRun) sum(t *testing.T, count func(x uint32) int) {
	want := 0.0
	for _, x := range r.x {
		want += float64(int(x) * count(x))
	}
	require.Equal(t, float32(want), math.Float32frombits(r.p[0]))
}

// list follows the links of a list whose head is p[0], and finds every member of it once.
func (r atomicRun) list(t *testing.T, head uint32, in func(x uint32) bool) {
	var want, got []uint32
	for i, x := range r.x {
		if in(x) {
			want = append(want, uint32(i))
		}
	}
	for e := head; e != 0; e = r.q[e-1] {
		require.LessOrEqual(t, len(got), atomicItems)
		got = append(got, e-1)
	}
	slices.Sort(got)
	require.Equal(t, want, got)
}

func once(uint32) int { return 1 }

// guarded is what all kernels with locks compute.
func guarded(t *testing.T, r atomicRun) {
	sum := uint32(0)
	for _, x := range r.x {
		sum += x
	}
	require.Equal(t, sum, r.q[0])
}

// atomicKernels: which loops are waits, and what they compute.
var atomicKernels = []struct {
	name, source string
	vector       bool
	check        func(t *testing.T, r atomicRun)
}{
	{"sum, looked at first", `uint old, new; do { old = *p; new = as_uint(as_float(old) + v); } while (atomic_cmpxchg(p, old, new) != old); }`,
		true, func(t *testing.T, r atomicRun) { r.sum(t, once) }},
	{"sum, by what was found", `uint was, old = *p; do { was = old; old = atomic_cmpxchg(p, was, as_uint(as_float(was) + v)); } while (old != was); }`,
		true, func(t *testing.T, r atomicRun) { r.sum(t, once) }},
	{"sum, guessed at first", `uint old = 77; while (!weak(p, &old, as_uint(as_float(old) + v))) {} }`,
		true, func(t *testing.T, r atomicRun) { r.sum(t, once) }},
	{"sum, looked at after a failure", `uint old = load(p); while (!cas(p, &(uint){old}, as_uint(as_float(old) + v))) old = load(p); }`,
		true, func(t *testing.T, r atomicRun) { r.sum(t, once) }},
	{"sum, by two exchanges", `float u = v; while ((u = as_float(atomic_xchg(p, as_uint(as_float(atomic_xchg(p, 0)) + u)))) != 0) {} }`,
		true, func(t *testing.T, r atomicRun) { r.sum(t, once) }},
	{"sum, several times", `for (uint k = 0; k < n; k++) { uint old = load(p); while (!cas(p, &old, as_uint(as_float(old) + v))) {} } }`,
		true, func(t *testing.T, r atomicRun) { r.sum(t, func(x uint32) int { return int(x & 7) }) }},
	{"sum, of some", `if (x[i] & 1) { uint old; do old = *p; while (atomic_cmpxchg(p, old, as_uint(as_float(old) + v)) != old); } }`,
		true, func(t *testing.T, r atomicRun) { r.sum(t, func(x uint32) int { return int(x & 1) }) }},
	{"sum, in two ways", `uint old; do old = *p; while (!cas(p, &(uint){old}, as_uint(as_float(old) + v))); old = 0; while (!weak(p, &old, as_uint(as_float(old) + v))) {} }`,
		true, func(t *testing.T, r atomicRun) { r.sum(t, func(uint32) int { return 2 }) }},
	{"maximum, if it is more", `uint old = *p; while (as_float(old) < v) { uint was = atomic_cmpxchg(p, old, as_uint(v)); if (was == old) break; old = was; } }`,
		true, func(t *testing.T, r atomicRun) {
			require.Equal(t, float32(slices.Max(r.x)), math.Float32frombits(r.p[0]))
		}},
	{"histogram", `for (uint k = 0; k < n; k++) { volatile global uint *b = p + (x[i] * (k + 1) & 63); uint old = load(b); while (!weak(b, &old, as_uint(as_float(old) + 1))) {} } }`,
		true, func(t *testing.T, r atomicRun) {
			want := make([]uint32, 64)
			for _, x := range r.x {
				for k := range x & 7 {
					b := &want[x*(k+1)&63]
					*b = math.Float32bits(math.Float32frombits(*b) + 1)
				}
			}
			require.Equal(t, want, r.p[:64])
		}},
	{"list", `for (uint k = 0; k < n; k++) if (k == 2) q[i] = atomic_xchg(p, i + 1); }`,
		true, func(t *testing.T, r atomicRun) { r.list(t, r.p[0], func(x uint32) bool { return x&7 > 2 }) }},
	{"list, by comparison", `uint old = load(p); do q[i] = old; while (!cas(p, &old, i + 1)); }`,
		true, func(t *testing.T, r atomicRun) { r.list(t, r.p[0], func(uint32) bool { return true }) }},
	{"list, in one buffer", `uint old = load(p); do p[2 * i + 1] = old; while (!cas(p, &old, i + 1)); q[i] = p[2 * i + 1]; }`,
		true, func(t *testing.T, r atomicRun) { r.list(t, r.p[0], func(uint32) bool { return true }) }},
	{"pool", `uint old = load(p); for (;;) { if (old >= 100) return; if (cas(p, &old, old + 1)) break; } q[old] = i + 1; }`,
		true, func(t *testing.T, r atomicRun) {
			got := slices.Sorted(slices.Values(r.q[:100]))
			require.Len(t, slices.Compact(got), 100)
			require.Equal(t, uint32(100), r.p[0])
			require.Zero(t, slices.Max(r.q[100:]))
		}},
	{"table", `uint at = x[i] & 511; for (;;) { uint old = atomic_cmpxchg(p + 2 * at, 0, x[i] + 1); if (old == 0 || old == x[i] + 1) break; at = at + 1 & 511; } atomic_add(p + 2 * at + 1, 1); }`,
		true, func(t *testing.T, r atomicRun) {
			want, got := map[uint32]uint32{}, map[uint32]uint32{}
			for _, x := range r.x {
				want[x]++
			}
			for i := 0; i < 1024; i += 2 {
				if r.p[i] > 0 {
					got[r.p[i]-1] += r.p[i+1]
				}
			}
			require.Equal(t, want, got)
		}},
	{"tasks drawn from a counter", `uint j; while ((j = atomic_add(p, 1)) < 500) q[j] += j; }`,
		true, func(t *testing.T, r atomicRun) {
			for j, got := range r.q[:500] {
				require.Equal(t, uint32(j), got)
			}
		}},
	{"first come", `for (uint k = 0; k < n; k++) if (atomic_xchg(p + (x[i] + k & 255), 1) == 0) q[i]++; }`,
		true, func(t *testing.T, r atomicRun) {
			sum := uint32(0)
			want := map[uint32]bool{}
			for i, x := range r.x {
				for k := range x & 7 {
					want[(x+k)&255] = true
				}
				sum += r.q[i]
			}
			require.Equal(t, len(want), int(sum))
		}},

	{"lock, by comparison", `while (atomic_cmpxchg(p, 0, 1) != 0) {} *q += x[i]; *p = 0; }`, false, guarded},
	{"lock, by C11 comparison", `uint old = 0; while (!weak(p, &old, 1)) old = 0; *q += x[i]; atomic_xchg(p, 0); }`, false, guarded},
	{"lock, given back by comparison", `while (atomic_cmpxchg(p, 0, 1) != 0) {} *q += x[i]; atomic_cmpxchg(p, 1, 0); }`, false, guarded},
	{"lock, by exchange", `while (atomic_xchg(p, 1)) {} *q += x[i]; atomic_xchg(p, 0); }`, false, guarded},
	{"lock, by or", `while (atomic_or(p, 1) & 1) {} *q += x[i]; *p = 0; }`, false, guarded},
	{"lock, by sum and difference", `while (atomic_add(p, 1)) atomic_sub(p, 1); *q += x[i]; atomic_sub(p, 1); }`, false, guarded},
	{"lock, looked at first", `do while (load(p)) {} while (atomic_xchg(p, 1)); *q += x[i]; *p = 0; }`, false, guarded},
	{"lock, in the loop", `bool done = false; while (!done) if (atomic_cmpxchg(p, 0, 1) == 0) { *q += x[i]; *p = 0; done = true; } }`, false, guarded},
	{"lock, several times", `for (uint k = 0; k < 3; k++) { while (atomic_cmpxchg(p, 0, 1) != 0) {} if (k == 1) *q += x[i]; *p = 0; } }`, false, guarded},
	{"lock, of the work-item's number", `while (atomic_cmpxchg(p, 0, i + 1) != 0) {} *q += x[i]; *p = 0; }`, false, guarded},
	{"lock, beside what it guards", `while (atomic_cmpxchg(p + 2, 0, 1) != 0) {} p[3] += x[i]; p[2] = 0; *q = p[3]; }`, false, guarded},
	{"lock, given back where two ways meet", `volatile global uint *l = p + 2 * (n & 1), *e = p + 1; while (atomic_cmpxchg(l, 0, 1) != 0) {} if (x[i] < 4096) { *q += x[i]; e = l; } atomic_xchg(e, 0); }`, false, guarded},
	{"lock, given back on one of two ways", `volatile global uint *l = p + 2 * (n & 1), *e = l; while (atomic_cmpxchg(l, 0, 1) != 0) {} *q += x[i]; if (x[i] > 4095) { *q += 1; e = p + 1; } atomic_xchg(e, 0); }`, false, guarded},
	{"lock, by what was seen before the loop", `const uint free = *p; while (atomic_cmpxchg(p, free, 1) != free) {} *q += x[i]; *p = free; }`, false, guarded},
	{"lock, by what is seen elsewhere", `while (atomic_cmpxchg(p, p[9], 1) != 0) {} *q += x[i]; *p = 0; }`, false, guarded},
	{"lock, repeated also if it was not tried", `for (;;) { uint old = load(p); if (old == 0 && cas(p, &old, 1)) break; } *q += x[i]; *p = 0; }`, false, guarded},
	{"ticket", `const uint t = atomic_add(p, 1); while (load(p + 1) != t) {} *q += x[i]; p[1] = t + 1; }`, false, guarded},
	{"ticket, volatile", `const uint t = atomic_add(p, 1); while (p[1] != t) {} *q += x[i]; p[1] = t + 1; }`, false, guarded},
	{"semaphore", `for (;;) { uint old = load(p + 1); if (old < 2 && cas(p + 1, &old, old + 1)) break; } atomic_add(q, x[i]); atomic_sub(p + 1, 1); }`, false, guarded},
}

// TestLoopsOfAtomicsEnd: lock-free ones are vectorised, locks are not, and all compute what they should.
func TestLoopsOfAtomicsEnd(t *testing.T) {
	source := atomicsPrelude
	for i, k := range atomicKernels {
		source += fmt.Sprintf("K(k%d) %s\n", i, k.source)
	}
	for _, w := range []int{1, 8, 16, 32, 64} {
		p := build(t, source, Options{Width: w})
		for i, k := range atomicKernels {
			name := fmt.Sprint("k", i)
			t.Run(fmt.Sprintf("%s/%d", k.name, w), func(t *testing.T) {
				hang := time.AfterFunc(time.Minute, func() { panic(t.Name() + " does not end") })
				defer hang.Stop()
				want := 1
				if k.vector {
					want = w
				}
				require.Equal(t, want, p.reports[name].Width, p.reports[name].Reason)
				for _, local := range []int{1, 7, 16, 50, 64, 200} {
					r := atomicRun{make([]uint32, 1024), make([]uint32, 1024), make([]uint32, atomicItems)}
					for i := range r.x {
						r.x[i] = uint32(i*i*7+i*13) & 4095
					}
					require.NoError(t, p.lib.Run(p.kernels[name], kerneltest.Launch{Global: [3]int{atomicItems}, Local: [3]int{local}}, r.p, r.q, r.x))
					k.check(t, r)
				}
			})
		}
	}
}

// TestLittleButTurnsIsScalar: lanes that only wait for their turns gain nothing.
func TestLittleButTurnsIsScalar(t *testing.T) {
	const add = `p += x[i] & 63; uint old; do old = *p; while (atomic_cmpxchg(p, old, as_uint(as_float(old) + f)) != old); }
`
	p := build(t, atomicsPrelude+`K(one) uint old = *p; while (!weak(p, &old, as_uint(as_float(old) + v))) {} }
		K(few) float f = v;`+add+`K(many) float f = v; for (uint k = 0; k < 9; k++) f = f * v + v / (f + 1) - f * f + 3;`+add, Options{})
	require.Equal(t, 1, p.reports["few"].Width)
	require.Greater(t, p.reports["one"].Width, 1, "on one place lanes need one atomic instruction")
	require.Greater(t, p.reports["many"].Width, 1, p.reports["many"].Reason)
}

// TestOneWorkItemIsScalar: where a work-group has one, lanes would be idle.
func TestOneWorkItemIsScalar(t *testing.T) {
	p := build(t, `kernel __attribute__((reqd_work_group_size(1, 1, 1))) void one(global float *a) { a[get_global_id(0)] *= 2; }
		kernel __attribute__((reqd_work_group_size(16, 1, 1))) void more(global float *a) { a[get_global_id(0)] *= 2; }`, Options{})
	require.Equal(t, 1, p.reports["one"].Width)
	require.Greater(t, p.reports["more"].Width, 1)
	a := []float32{1, 2, 3}
	require.NoError(t, p.lib.Run(p.kernels["one"], kerneltest.Launch{Global: [3]int{3}, Local: [3]int{1}}, a))
	require.Equal(t, []float32{2, 4, 6}, a)
}
