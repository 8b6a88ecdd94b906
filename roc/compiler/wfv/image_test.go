package wfv

import (
	"fmt"
	"testing"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kerneltest"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"
)

// imageSource reads and writes images whose pixels are made up by the test: in a condition, with more lanes than an access
// takes, with fewer, and beside a barrier.
const imageSource = `
uint4 aqueduct_image_fetch(const global void *image, int x, int y, int z) __attribute__((pure));
void aqueduct_image_store(const global void *image, int x, int y, int z, uint4 v);
kernel void copy(global void *image, global uint4 *out)
{
	int i = get_global_id(0);
	uint4 v = 0;
	if (i % 5 != 2)
		v = aqueduct_image_fetch(image, 3 * i, i + 1000, 7);
	out[i] = v;
	if (i % 3 != 1)
		aqueduct_image_store(image, i, 2, -i, v + (uint4)(1, 2, 3, 4));
}
kernel void reverse(global void *image, global uint4 *out, local uint4 *tmp)
{
	int i = get_local_id(0), n = get_local_size(0);
	tmp[i] = aqueduct_image_fetch(image, get_global_id(0), 0, 0);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = tmp[n - 1 - i] + aqueduct_image_fetch(image, 5, 6, 7);
}`

type rows = [16]uint32

// accesses is an image with functions of the test's own, and what they were called for.
type accesses struct {
	codeobject.ImageDescriptor
	stored map[[3]int32][4]uint32
	twice  bool // some pixel was stored more than once
}

// texel is the channel k of a pixel, as the image's memory has it.
func texel(x, y, z int32, k int) uint32 {
	return uint32(x)<<20 ^ uint32(y)<<8 ^ uint32(z) ^ uint32(k)<<30
}

// fetched is what a kernel gets of it: blue, green, red and one.
func fetched(x, y, z int32) [4]uint32 {
	return [4]uint32{texel(x, y, z, 2), texel(x, y, z, 1), texel(x, y, z, 0), 1}
}

func newAccesses() *accesses {
	a := &accesses{stored: map[[3]int32][4]uint32{}}
	a.Read = [4]uint32{2, 1, 0, codeobject.ImageRowOneInteger}
	a.Fetch = uint64(purego.NewCallback(func(image *codeobject.ImageDescriptor, at *[3][16]int32, out *[codeobject.ImageRows]rows, lanes uintptr) {
		for l := range 16 {
			if lanes>>l&1 != 0 {
				for k := range 3 {
					out[k][l] = texel(at[0][l], at[1][l], at[2][l], k)
				}
				out[codeobject.ImageRowOneInteger][l] = 1
			}
		}
	}))
	a.Store = uint64(purego.NewCallback(func(image *codeobject.ImageDescriptor, at *[3][16]int32, in *[4]rows, lanes uintptr) {
		for l := range 16 {
			if lanes>>l&1 != 0 {
				p := [3]int32{at[0][l], at[1][l], at[2][l]}
				_, again := a.stored[p]
				a.twice = a.twice || again
				a.stored[p] = [4]uint32{in[0][l], in[1][l], in[2][l], in[3][l]}
			}
		}
	}))
	return a
}

func TestImagesAreAccessedForTheLanesThatAreOn(t *testing.T) {
	a := newAccesses()
	for _, w := range append(widths, 64) {
		t.Run(fmt.Sprint(w), func(t *testing.T) {
			p := build(t, imageSource, Options{Width: w})
			clear(a.stored)
			a.twice = false
			const n = 150
			flat := make([]uint32, 4*n)
			out := unsafe.Slice((*[4]uint32)(unsafe.Pointer(&flat[0])), n)
			image := unsafe.Slice((*byte)(unsafe.Pointer(&a.ImageDescriptor)), codeobject.ImageDescriptorSize)
			require.NoError(t, p.lib.Run(p.kernels["copy"], kerneltest.Launch{Global: [3]int{n}, Local: [3]int{50}}, image, flat))
			require.False(t, a.twice)
			for i := range int32(n) {
				want := fetched(3*i, i+1000, 7)
				if i%5 == 2 {
					want = [4]uint32{}
				}
				require.Equal(t, want, out[i], "work-item %d", i)
				at := [3]int32{i, 2, -i}
				if i%3 == 1 {
					require.NotContains(t, a.stored, at)
				} else {
					require.Equal(t, [4]uint32{want[0] + 1, want[1] + 2, want[2] + 3, want[3] + 4}, a.stored[at])
				}
			}
			require.Len(t, a.stored, 100)

			require.NoError(t, p.lib.Run(p.kernels["reverse"], kerneltest.Launch{Global: [3]int{80}, Local: [3]int{40}}, image, flat, kerneltest.Local(16*40)))
			same := fetched(5, 6, 7)
			for i := range int32(80) {
				want := fetched(i/40*40+39-i%40, 0, 0)
				for k := range want {
					want[k] += same[k]
				}
				require.Equal(t, want, out[i], "work-item %d", i)
			}
		})
	}
}
