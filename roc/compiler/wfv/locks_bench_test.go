package wfv

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// lockFreeKernels: each work-item adds a float, puts itself on a list, or appends to an array, eight times. mask is how many places there are, less one.
var lockFreeKernels = []struct{ name, source string }{
	{"global sum", `for (uint k = 0; k < 8; k++) { volatile global uint *b = p + ((x[i] >> k) & mask); float f = x[i] >> k; WORK
			uint old; do old = *b; while (atomic_cmpxchg(b, old, as_uint(as_float(old) + f)) != old); }`},
	{"sum of all", `if (mask) return; for (uint k = 0; k < 8; k++) { volatile global uint *b = p; float f = x[i] >> k; WORK
			uint old; do old = *b; while (atomic_cmpxchg(b, old, as_uint(as_float(old) + f)) != old); }`},
	{"local sum", `local uint l[256];
		for (uint k = get_local_id(0); k < 256; k += get_local_size(0)) l[k] = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint k = 0; k < 8; k++) { volatile local uint *b = l + ((x[i] >> k) & mask); float f = x[i] >> k; WORK
			uint old = *b, was;
			do { was = old; __opencl_atomic_compare_exchange_strong((volatile local atomic_uint *)b, &old, as_uint(as_float(was) + f), memory_order_relaxed, FREE); } while (old != was); }
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint k = get_local_id(0); k <= mask; k += get_local_size(0)) p[k] += l[k];`},
	{"list by comparison", `for (uint k = 0; k < 8; k++) { float f = x[i] >> k; WORK
			volatile global uint *b = p + ((x[i] >> k) & mask); uint old = load(b); do q[i * 8 + k] = old; while (!cas(b, &old, i * 8 + k + 1)); q[i * 8 + k] ^= as_uint(f); }`},
	{"list by exchange", `for (uint k = 0; k < 8; k++) { float f = x[i] >> k; WORK q[i * 8 + k] = as_uint(f) ^ atomic_xchg(p + ((x[i] >> k) & mask), i * 8 + k + 1); }`},
	{"appending", `if (mask) return; *p = 0; for (uint k = 0; k < 8; k++) { float f = x[i] >> k; WORK if (x[i] >> k & 1) q[atomic_add(p, 1) & 4095] = as_uint(f); }`},
}

// threadTime is the processor time that this thread has had, in nanoseconds.
func threadTime() int64 {
	const clockThread = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockThread, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

// BenchmarkLockFree compares the forms of kernels with compare-and-exchange loops. An exchange that succeeds is an operation.
func BenchmarkLockFree(b *testing.B) {
	const items, calls = 1 << 12, 8
	x := make([]uint32, items)
	for i := range x {
		x[i] = uint32(i) * 2654435761 >> 8
	}
	for _, k := range lockFreeKernels {
		for _, work := range []struct {
			name  string
			times int
		}{{"alone", 0}, {"after 16 operations", 4}} {
			source := strings.ReplaceAll(k.source, "WORK", strings.Repeat("f = f * 1.25f + 3; f = f * f - 1; ", work.times))
			for _, places := range []struct {
				name string
				mask uint32
			}{{"one place", 0}, {"256 places", 255}} {
				for _, form := range []struct {
					name string
					Options
				}{{"scalar", Options{Scalar: true}}, {"lanes", Options{Width: 32}}} {
					b.Run(strings.Join([]string{k.name, work.name, places.name, form.name}, "/"), func(b *testing.B) {
						p, err := compile(b.TempDir(), atomicsPrelude+`kernel void k(global uint *p, global uint *q, global const uint *x, uint mask) { uint i = get_global_id(0); `+source+` }`, form.Options)
						require.NoError(b, err)
						require.Equal(b, form.Scalar, p.reports["k"].Width == 1, p.reports["k"].Reason)
						n := kerneltest.Launch{Global: [3]int{items}, Local: [3]int{256}}
						head, next := make([]uint32, 256), make([]uint32, items*calls)
						runtime.LockOSThread()
						defer runtime.UnlockOSThread()
						b.ResetTimer()
						start := threadTime()
						for done := 0; done < b.N; done += items * calls {
							require.NoError(b, p.lib.Run(p.kernels["k"], n, head, next, x, places.mask))
						}
						b.ReportMetric(float64(threadTime()-start)/float64(b.N), "cpu-ns/op")
					})
				}
			}
		}
	}
}
