package wfv

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// atPageEnd are floats behind which memory must not be touched.
func atPageEnd(t *testing.T, n int) []float32 {
	page := syscall.Getpagesize()
	size := (4*n + page - 1) / page * page
	b, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(b)) })
	require.NoError(t, syscall.Mprotect(b[size:], syscall.PROT_NONE))
	return unsafe.Slice((*float32)(unsafe.Pointer(&b[size-4*n])), n)
}

func TestMemoryThatNoWorkItemAccessesIsNotTouched(t *testing.T) {
	for name, c := range map[string]struct {
		per, last int    // floats of a work-item, and of the last one
		body      string // of work-item i of n
		kind      accessKind
		loads     int
	}{
		"first of four":       {4, 1, "c[i] = a[4 * i];", stridedAccess, 1},
		"two of three":        {3, 2, "c[i] = a[3 * i] + a[3 * i + 1];", stridedAccess, 2},
		"under a condition":   {2, 1, "if (i % 3 < 2) c[i] = a[2 * i];", stridedAccess, 1},
		"vectors of three":    {4, 3, "if (i % 3 < 2) { global const float *p = a + 4 * i; c[i] = p[0] + p[1] + p[2]; }", stridedAccess, 3},
		"exchange":            {1, 1, "if ((i ^ 5) < n && i > 2) c[i] = a[i ^ 5];", checkedAccess, 1},
		"short vectors":       {4, 4, "if (i % 5 < 4) c[i] = dot_(((global const float4 *)a)[i]);", interleavedAccess, 1},
		"structures, reduced": {2, 2, "c[i] = a[2 * i] + a[2 * i + 1];", stridedAccess, 2},
	} {
		t.Run(name, func(t *testing.T) {
			source := "float dot_(float4 x) { return x.x + x.y * 2 + x.z * 3 + x.w * 4; }\n" +
				"kernel void k(global const float *a, global float *c, ulong n) { ulong i = get_global_id(0); " + c.body + " }"
			reference := build(t, source, Options{Scalar: true})
			for _, o := range []Options{{Width: 8}, {Width: 16}, {Width: 16, OneForm: true}} {
				p := build(t, source, o)
				if !o.OneForm {
					loads := p.reports["k"].Notes.Loads[c.kind]
					require.Equal(t, c.loads, loads.Count, "%s", strings.TrimSpace(fmt.Sprint(p.reports["k"].Notes.Loads)))
				}
				for _, items := range []int{1, 15, 16, 37, 64} {
					a := atPageEnd(t, c.per*(items-1)+c.last)
					for i := range a {
						a[i] = float32(i%61) + 1
					}
					n := kerneltest.Launch{Global: [3]int{items}, Local: [3]int{items}}
					want, got := make([]float32, items), atPageEnd(t, items)
					require.NoError(t, reference.lib.Run(reference.kernels["k"], n, a, want, uint64(items)))
					require.NoError(t, p.lib.Run(p.kernels["k"], n, a, got, uint64(items)))
					require.Equal(t, want, got, "%+v, %d items", o, items)
				}
			}
		})
	}
}
