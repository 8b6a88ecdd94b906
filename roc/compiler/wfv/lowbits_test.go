package wfv

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// TestNarrowNumbersThatCountInLongsAreConsecutive, and stay right where they wrap.
func TestNarrowNumbersThatCountInLongsAreConsecutive(t *testing.T) {
	const items = 48
	memory, err := syscall.Mmap(-1, 0, 1<<32+1<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(memory)) })
	for _, from := range []int{0, 1<<31 - 2048, 1<<32 - 2048} {
		for i := range 4096 {
			memory[from+i] = byte(i*7 + i>>8 + from>>31)
		}
	}
	kinds := []struct {
		name string
		base int // of the array, in memory
		from []uint32
	}{{"int", 1 << 31, []uint32{0, 1<<31 - 20, 1<<31 - 60, 1<<32 - 20}}, {"uint", 0, []uint32{0, 1<<31 - 60, 1<<32 - 20, 1<<32 - 60}}}
	loops := map[string]string{
		"stride":  "for (%[1]s i = start + get_global_id(0), k = 0; k < 5; k++, i += get_global_size(0)) s += a[(long)i];",
		"bound":   "for (%[1]s i = start + get_global_id(0); i < (%[1]s)((uint)start + 100); i += get_global_size(0)) s += a[(long)i];",
		"halves":  "%[1]s i = start + get_global_id(0); for (uint k = 0; k < 4; k++) { s += a[(long)i]; i = (i + get_local_size(0)) & 0xffffffffu; s ^= a[(long)i]; i -= (%[1]s)(get_global_size(0) >> 1); }",
		"product": "%[1]s i = get_global_id(0); for (uint k = 0; k < 3; k++) { s += a[(long)(%[1]s)((uint)start + (uint)i)]; i = (uint)i * 3 + get_global_size(0); }",
	}
	var source strings.Builder
	for _, kind := range kinds {
		for name, loop := range loops {
			fmt.Fprintf(&source, "kernel void %s_%s(global const uchar *a, global uint *b, uint from) { %[2]s start = from; uint s = 0; %s b[get_global_id(0)] = s; }\n",
				name, kind.name, fmt.Sprintf(loop, kind.name))
		}
	}
	reference := build(t, source.String(), Options{Scalar: true})
	for _, w := range []int{8, 16} {
		p := build(t, source.String(), Options{Width: w})
		for _, kind := range kinds {
			for loop := range loops {
				name := loop + "_" + kind.name
				if loads := p.reports[name].Notes.Loads; loop != "product" {
					require.Zero(t, loads[gatheredAccess].Count, "%s: %v", name, loads)
					require.NotZero(t, loads[checkedAccess].Count, "%s: %v", name, loads)
				}
				for _, from := range kind.from {
					launch := kerneltest.Launch{Global: [3]int{items}, Local: [3]int{items}}
					want, got := make([]uint32, items), make([]uint32, items)
					require.NoError(t, reference.lib.Run(reference.kernels[name], launch, memory[kind.base:], want, from))
					require.NoError(t, p.lib.Run(p.kernels[name], launch, memory[kind.base:], got, from))
					require.Equal(t, want, got, "%s from %d, %d lanes", name, from, w)
				}
			}
		}
	}
}
