package cl

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSamplersAddressAndFilter compares every addressing and filter mode, normalised or not, on every kind of image with the
// formulas of OpenCL C 3.0 section 8.2: coordinates within, on and beyond the edges of texels and of the image.
func TestSamplersAddressAndFilter(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_images")
	rng := rand.New(rand.NewSource(4))
	for _, it := range imageTypeOf {
		t.Run(it.name, func(t *testing.T) {
			p := f.program(imageProgram([]uint32{it.kind}, "f"), "-cl-std=CL3.0")
			defer p.Release()
			k := f.kernel(p, "sample_f_"+it.name)
			defer k.Release()
			for _, format := range []ImageFormat{{Order: CL_RGBA, Type: CL_UNORM_INT8}, {Order: CL_R, Type: CL_FLOAT}, {Order: CL_A, Type: CL_SNORM_INT16}} {
				for _, size := range [][3]int{sizeOf(it.kind), powersOfTwo(it.kind), {1, 1, 1}} {
					m := newModel(rng, format, it.kind, size)
					im := f.imageOf(m)
					for _, s := range samplings() {
						t.Run(fmt.Sprintf("%x/%v/%+v", format.Order, size, s), func(t *testing.T) {
							testSampling(t, f, k, im, m, s, rng)
						})
					}
				}
			}
		})
	}
}

func powersOfTwo(kind uint32) [3]int {
	n := sizeOf(kind)
	for i := range n {
		if n[i] > 1 {
			n[i] = 8 >> i
		}
	}
	return n
}

// samplings are all samplers; repeating ones are for normalised coordinates.
func samplings() (all []sampling) {
	for _, filter := range []uint32{CL_FILTER_NEAREST, CL_FILTER_LINEAR} {
		for _, addressing := range []uint32{CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT} {
			all = append(all, sampling{true, addressing, filter})
			if addressing < CL_ADDRESS_REPEAT {
				all = append(all, sampling{false, addressing, filter})
			}
		}
	}
	return all
}

func testSampling(t *testing.T, f *fixture, k *Kernel, im *Mem, m *model, s sampling, rng *rand.Rand) {
	normalised := uint64(CL_FALSE)
	if s.normalised {
		normalised = CL_TRUE
	}
	sampler, st := f.ctx.CreateSampler([]uint64{
		CL_SAMPLER_NORMALIZED_COORDS, normalised, CL_SAMPLER_ADDRESSING_MODE, uint64(s.addressing), CL_SAMPLER_FILTER_MODE, uint64(s.filter), 0,
	})
	require.Equal(t, CL_SUCCESS, st)
	defer sampler.Release()
	n := m.filtered()
	var c [][4]float32
	for range 120 {
		var at [4]float32
		for d := range n {
			at[d] = coordinate(rng, m.size[d], s)
		}
		if n < 3 {
			at[n] = float32(rng.Intn(4*m.size[n]+8))/4 - 1 // a layer, halfway between two or beyond the last
		}
		c = append(c, at)
	}
	// What is no number, or far away, gives some texel or other, and harms nothing.
	numbers := len(c)
	for i := range 40 {
		inf := float32(math.Inf(1))
		odd := []float32{inf, -inf, float32(math.NaN()), 3e38, -3e38}
		c = append(c, [4]float32{odd[i%5], odd[i/2%5], odd[i/3%5]})
	}
	got := make([][4]uint32, len(c))
	f.run(k, len(c), im, sampler, c, got)
	rounding := 0.0
	if s.filter == CL_FILTER_LINEAR { // of coordinates in texels and so of weights, and of products; texels differ by 4 at most
		rounding = 4 * 0x1p-23 * float64(2+m.size[0])
	}
	for i, at := range c[:numbers] {
		want := m.sample(s, [3]float64{float64(at[0]), float64(at[1]), float64(at[2])})
		for j := range want {
			require.True(t, closeTo(component("f", got[i][j]), want[j], 1.5, rounding), "at %v component %d: %g, want %g", at, j, component("f", got[i][j]), want[j])
		}
	}
}

// coordinate is one along an axis of n texels: with a fraction of eighths of a texel, and so exact, if n is a power of two;
// else well inside a texel, or anywhere where that does not matter.
func coordinate(rng *rand.Rand, n int, s sampling) float32 {
	beyond := 3
	if s.addressing == CL_ADDRESS_NONE { // undefined outside
		beyond = 0
	}
	texels := float64(rng.Intn((n+2*beyond)*8))/8 - float64(beyond)
	if s.addressing == CL_ADDRESS_NONE && s.filter == CL_FILTER_LINEAR {
		texels = 0.5 + float64(rng.Intn(max(n-1, 1)*8))/8
		if n == 1 {
			texels = 0.5
		}
	}
	if n&(n-1) != 0 && s.filter == CL_FILTER_NEAREST {
		texels = math.Floor(texels) + 0.25 + rng.Float64()/2
	}
	if s.normalised {
		return float32(texels / float64(n))
	}
	return float32(texels)
}
