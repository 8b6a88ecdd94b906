package wfv

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// TestAtomicsOnOnePlaceSeeEachOther: the old values are those of work-items that come one after the other, whatever their number
// in a vector and whichever of them are off.
func TestAtomicsOnOnePlaceSeeEachOther(t *testing.T) {
	ops := map[string]func(old, x uint64) uint64{
		"add": func(old, x uint64) uint64 { return old + x },
		"sub": func(old, x uint64) uint64 { return old - x },
		"or":  func(old, x uint64) uint64 { return old | x },
		"and": func(old, x uint64) uint64 { return old & x },
		"xor": func(old, x uint64) uint64 { return old ^ x },
		"min": func(old, x uint64) uint64 { return min(old, x) },
		"max": func(old, x uint64) uint64 { return max(old, x) },
		"":    func(_, x uint64) uint64 { return x },
	}
	const items, start = 150, 0x123456789
	source := ""
	for op := range ops {
		call := "fetch_" + op
		if op == "" {
			call = "exchange"
		}
		for _, t := range []string{"uint", "ulong"} {
			source += fmt.Sprintf(`
			kernel void %[1]s_%[2]s_global(global ulong *place, global ulong *was, global const ulong *x, ulong rest) { size_t i = get_global_id(0);
				if (x[i] %% 4 <= rest) was[i] = __opencl_atomic_%[1]s((volatile global atomic_%[2]s *)place, x[i], memory_order_relaxed, memory_scope_device); }
			kernel void %[1]s_%[2]s_local(global ulong *place, global ulong *was, global const ulong *x, ulong rest) { size_t i = get_global_id(0); local ulong l;
				if (get_local_id(0) == 0) l = *place;
				barrier(CLK_LOCAL_MEM_FENCE);
				if (x[i] %% 4 <= rest) was[i] = __opencl_atomic_%[1]s((volatile local atomic_%[2]s *)&l, x[i], memory_order_relaxed, memory_scope_work_group);
				barrier(CLK_LOCAL_MEM_FENCE);
				if (get_local_id(0) == 0) *place = l; }`, call, t)
		}
	}
	source += `
		kernel void all(global ulong *place, global ulong *was, global const ulong *x, ulong rest) { size_t i = get_global_id(0);
			was[i] = __opencl_atomic_exchange((volatile global atomic_ulong *)place, x[i], memory_order_relaxed, memory_scope_device); }`
	for _, w := range widths {
		p := build(t, source, Options{Width: w})
		run := func(t *testing.T, kernel string, bits, rest uint64, local int, do func(old, x uint64) uint64) {
			require.Equal(t, w, p.reports[kernel].Width, p.reports[kernel].Reason)
			mask := uint64(1)<<bits - 1
			place, was, x, want := []uint64{start}, make([]uint64, items), make([]uint64, items), make([]uint64, items)
			now := uint64(start)
			for i := range x {
				x[i] = uint64(i) * 0x9E3779B97F4A7C15 >> 13
				if x[i]%4 <= rest {
					want[i] = now & mask
					now = now&^mask | do(now&mask, x[i]&mask)&mask
				}
			}
			require.NoError(t, p.lib.Run(p.kernels[kernel], kerneltest.Launch{Global: [3]int{items}, Local: [3]int{local}}, place, was, x, rest))
			require.Equal(t, want, was)
			require.Equal(t, now, place[0])
		}
		for op, do := range ops {
			call := "fetch_" + op
			if op == "" {
				call = "exchange"
			}
			for _, bits := range []uint64{32, 64} {
				for _, memory := range []string{"global", "local"} {
					for _, rest := range []uint64{0, 2, 3} { // of some, of most, of all
						for _, local := range []int{10, 75, 150} {
							kernel := fmt.Sprintf("%s_%s_%s", call, map[uint64]string{32: "uint", 64: "ulong"}[bits], memory)
							t.Run(fmt.Sprintf("%s/%d lanes/%d/%d", kernel, w, local, rest), func(t *testing.T) { run(t, kernel, bits, rest, local, do) })
						}
					}
				}
			}
		}
		t.Run(fmt.Sprintf("all/%d lanes", w), func(t *testing.T) { run(t, "all", 64, 3, 64, ops[""]) })
	}
}

// TestComparisonsOnOnePlaceSeeEachOther is the same for compare-and-exchange: whether each succeeds, and what it finds.
func TestComparisonsOnOnePlaceSeeEachOther(t *testing.T) {
	const items = 150
	kernel := func(name, if_ string) string {
		return fmt.Sprintf(`
		kernel void %[1]s_global(global ulong *place, global uint *was, global const uint *x) { size_t i = get_global_id(0); uint old = x[i] & 3;
			%[2]s { bool done = __opencl_atomic_compare_exchange_strong((volatile global atomic_uint *)place, &old, x[i] >> 2 & 3, memory_order_seq_cst, memory_order_acquire, memory_scope_device);
				was[i] = done * 100 + old; } }
		kernel void %[1]s_local(global ulong *place, global uint *was, global const uint *x) { size_t i = get_global_id(0); uint old = x[i] & 3; local uint l;
			if (get_local_id(0) == 0) l = *place;
			barrier(CLK_LOCAL_MEM_FENCE);
			%[2]s { bool done = __opencl_atomic_compare_exchange_weak((volatile local atomic_uint *)&l, &old, x[i] >> 2 & 3, memory_order_seq_cst, memory_order_acquire, memory_scope_work_group);
				was[i] = done * 100 + old; }
			barrier(CLK_LOCAL_MEM_FENCE);
			if (get_local_id(0) == 0) *place = l; }`, name, if_)
	}
	source := kernel("all", "") + kernel("some", "if (x[i] & 16)")
	for _, w := range widths {
		p := build(t, source, Options{Width: w})
		for _, name := range []string{"all_global", "some_global", "all_local", "some_local"} {
			for _, local := range []int{10, 75, 150} {
				t.Run(fmt.Sprintf("%s/%d lanes/%d", name, w, local), func(t *testing.T) {
					require.Equal(t, w, p.reports[name].Width, p.reports[name].Reason)
					place, was, x, want := []uint64{1}, make([]uint32, items), make([]uint32, items), make([]uint32, items)
					now := uint32(1)
					for i := range x {
						x[i] = uint32(i) * 2654435761 >> 9
						if x[i]&16 == 0 && name[0] == 's' {
							continue
						}
						want[i] = now
						if now == x[i]&3 {
							want[i] += 100
							now = x[i] >> 2 & 3
						}
					}
					require.NoError(t, p.lib.Run(p.kernels[name], kerneltest.Launch{Global: [3]int{items}, Local: [3]int{local}}, place, was, x))
					require.Equal(t, want, was)
					require.Equal(t, uint64(now), place[0])
				})
			}
		}
	}
}

// TestThreadsComeBetweenAtomicsOnOnePlace: several threads run vectors that change the same place.
func TestThreadsComeBetweenAtomicsOnOnePlace(t *testing.T) {
	const items, threads, launches = 64, 4, 100
	source := atomicsPrelude + `
		K(sum) uint old, new; do { old = *p; new = as_uint(as_float(old) + v); } while (atomic_cmpxchg(p, old, new) != old); }
		K(exchanged) float u = v; while ((u = as_float(atomic_xchg(p, as_uint(as_float(atomic_xchg(p, 0)) + u)))) != 0) {} }
		K(counted) uint old = *p; for (uint k = 0; k < 50; k++) if (cas(p, &old, old + 1)) q[i]++; }
		K(drawn) for (uint k = 0; k < 50; k++) q[i] += atomic_add(p, 1); }`
	numbers := float64(items * threads * launches * 50)
	for _, w := range []int{4, 16, 64} {
		p := build(t, source, Options{Width: w})
		for name, check := range map[string]func(place uint32, q uint32, each int){
			"sum":       func(place, _ uint32, each int) { require.Equal(t, float32(each), math.Float32frombits(place)) },
			"exchanged": func(place, _ uint32, each int) { require.Equal(t, float32(each), math.Float32frombits(place)) },
			"counted":   func(place, q uint32, _ int) { require.Equal(t, place, q) },
			"drawn":     func(_, q uint32, _ int) { require.Equal(t, uint32(uint64(numbers*(numbers-1)/2)), q) },
		} {
			require.Equal(t, w, p.reports[name].Width, p.reports[name].Reason)
			place, x := make([]uint32, 1), make([]uint32, items)
			sum := 0
			for i := range x {
				x[i] = uint32(i & 3)
				sum += i & 3
			}
			var done sync.WaitGroup
			results := make([][]uint32, threads)
			errs := make([]error, threads)
			for n := range threads {
				results[n] = make([]uint32, items)
				done.Add(1)
				go func() {
					defer done.Done()
					for range launches {
						if err := p.lib.Run(p.kernels[name], kerneltest.Launch{Global: [3]int{items}, Local: [3]int{items}}, place, results[n], x); err != nil {
							errs[n] = err
						}
					}
				}()
			}
			done.Wait()
			q := uint32(0)
			for n := range threads {
				require.NoError(t, errs[n])
				for _, x := range results[n] {
					q += x
				}
			}
			check(place[0], q, sum*threads*launches)
		}
	}
}
