package cl

import (
	"fmt"
	"math"
	"math/rand"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"aqueduct/roc/compiler"
	"aqueduct/roc/settings"

	"github.com/stretchr/testify/require"
)

// theCompiler is the real one, for tests that need OpenCL C: the one that is set, or else one that is built.
var theCompiler = sync.OnceValues(func() (*compiler.Client, error) {
	config := &compiler.Config{CacheDir: filepath.Join(testBuilder.dir, "cache"), CacheLimit: 1 << 30, Timeout: 5 * time.Minute}
	if config.Compiler = settings.Compiler.Value(); config.Compiler != "" {
		return &compiler.Client{Config: config}, nil
	}
	library, err := filepath.Abs("../build/builtins") // kept: most of it need not be built again
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(testBuilder.dir, "aqueductc")
	for _, command := range [][]string{
		{"go", "build", "-o", bin, "aqueduct/roc/compiler/aqueductc"},
		{bin, "builtins", library},
		{"ln", "-s", library, filepath.Join(testBuilder.dir, "builtins")},
	} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
		}
	}
	config.Compiler = bin
	return &compiler.Client{Config: config}, nil
})

// withCompiler has programs be compiled by the real compiler for the rest of the test.
func withCompiler(t testing.TB) {
	t.Helper()
	c, err := theCompiler()
	require.NoError(t, err)
	theBuilder = c
	t.Cleanup(func() { theBuilder = testBuilder })
}

// imageTypeOf are the kinds of images with the suffix of their coordinates' types and what of a float4 c a coordinate is.
var imageTypeOf = []struct {
	kind          uint32
	name          string
	suffix, coord string
}{
	{CL_MEM_OBJECT_IMAGE1D, "image1d_t", "", ".x"},
	{CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "2", ".xy"},
	{CL_MEM_OBJECT_IMAGE2D, "image2d_t", "2", ".xy"},
	{CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "4", ""},
	{CL_MEM_OBJECT_IMAGE3D, "image3d_t", "4", ""},
}

// imageProgram has, for each kind of image in kinds and each class f, i, ui in classes, kernels that sample at float and integer
// coordinates, read without a sampler, and write.
func imageProgram(kinds []uint32, classes ...string) string {
	var s strings.Builder
	for _, t := range imageTypeOf {
		if !containsKind(kinds, t.kind) {
			continue
		}
		for _, class := range classes {
			v := map[string]string{"f": "float4", "i": "int4", "ui": "uint4"}[class]
			fmt.Fprintf(&s, `
kernel void sample_%[1]s_%[2]s(read_only %[2]s im, sampler_t s, global const float4 *c, global %[3]s *out)
{ size_t i = get_global_id(0); out[i] = read_image%[1]s(im, s, c[i]%[5]s); }
kernel void index_%[1]s_%[2]s(read_only %[2]s im, sampler_t s, global const float4 *c, global %[3]s *out)
{ size_t i = get_global_id(0); out[i] = read_image%[1]s(im, s, convert_int4(c[i])%[5]s); }
kernel void read_%[1]s_%[2]s(read_only %[2]s im, sampler_t s, global const float4 *c, global %[3]s *out)
{ size_t i = get_global_id(0); out[i] = read_image%[1]s(im, convert_int4(c[i])%[5]s); }
kernel void write_%[1]s_%[2]s(write_only %[2]s im, global const float4 *c, global const %[3]s *in)
{ size_t i = get_global_id(0); write_image%[1]s(im, convert_int4(c[i])%[5]s, in[i]); }
kernel void update_%[1]s_%[2]s(read_write %[2]s im, global const float4 *c, global const %[3]s *in)
{
	size_t i = get_global_id(0);
	%[3]s old = read_image%[1]s(im, convert_int4(c[i])%[5]s);
	write_image%[1]s(im, convert_int4(c[i])%[5]s, old + in[i]);
}
`, class, t.name, v, t.suffix, t.coord)
		}
	}
	return s.String()
}

func containsKind(kinds []uint32, k uint32) bool {
	for _, x := range kinds {
		if x == k {
			return true
		}
	}
	return false
}

// imageOf makes an image with the pixels of m.
func (f *fixture) imageOf(m *model) *Mem {
	f.Helper()
	desc := &ImageDesc{Type: m.kind, Width: uint64(m.size[0])}
	switch m.kind {
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		desc.Array = uint64(m.size[1])
	case CL_MEM_OBJECT_IMAGE2D:
		desc.Height = uint64(m.size[1])
	case CL_MEM_OBJECT_IMAGE2D_ARRAY:
		desc.Height, desc.Array = uint64(m.size[1]), uint64(m.size[2])
	case CL_MEM_OBJECT_IMAGE3D:
		desc.Height, desc.Depth = uint64(m.size[1]), uint64(m.size[2])
	}
	im, st := f.ctx.CreateImage(nil, CL_MEM_READ_WRITE|CL_MEM_COPY_HOST_PTR, &m.format, desc, unsafe.Pointer(&m.data[0]))
	require.Equal(f, CL_SUCCESS, st)
	f.Cleanup(func() { im.Release() })
	return im
}

// pixels are those of an image without gaps.
func (f *fixture) pixels(im *Mem) []byte {
	f.Helper()
	size := im.image.extent()
	data := make([]byte, size[0]*size[1]*size[2]*im.image.layout.Size)
	_, st := f.q.ReadImage(im, true, ImageBox{&[3]uint64{}, &size}, HostPixels{Ptr: unsafe.Pointer(&data[0])}, Sync{})
	require.Equal(f, CL_SUCCESS, st)
	return data
}

// newModel is an image of random bits, but for floats, which are numbers in [-2, 2].
func newModel(rng *rand.Rand, f ImageFormat, kind uint32, size [3]int) *model {
	m := &model{format: f, kind: kind, size: size, data: make([]byte, size[0]*size[1]*size[2]*pixelSize(f))}
	rng.Read(m.data)
	switch f.Type {
	case CL_FLOAT:
		for i := 0; i < len(m.data); i += 4 {
			*(*float32)(unsafe.Pointer(&m.data[i])) = rng.Float32()*4 - 2
		}
	case CL_HALF_FLOAT:
		for i := 0; i < len(m.data); i += 2 {
			*(*uint16)(unsafe.Pointer(&m.data[i])) = uint16(nearestHalf(rng.Float64()*4 - 2))
		}
	}
	return m
}

// run launches a kernel over n work-items with arguments *Mem, *Sampler or slices, which become buffers and are read back.
func (f *fixture) run(k *Kernel, n int, args ...any) {
	f.Helper()
	f.runGroups(k, n, 0, args...)
}

// runGroups is run with work-groups of a size, any if it is 0.
func (f *fixture) runGroups(k *Kernel, n, group int, args ...any) {
	f.Helper()
	type back struct {
		m    *Mem
		data []byte
	}
	var backs []back
	for i, a := range args {
		var arg Arg
		switch a := a.(type) {
		case *Mem:
			arg.Mem = a
		case *Sampler:
			arg.Sampler = a
		default:
			data := bytesOfSlice(a)
			m, st := f.ctx.CreateBuffer(nil, CL_MEM_COPY_HOST_PTR, uint64(len(data)), unsafe.Pointer(&data[0]))
			require.Equal(f, CL_SUCCESS, st)
			defer m.Release()
			arg.Mem = m
			backs = append(backs, back{m, data})
		}
		require.Equal(f, CL_SUCCESS, k.SetArg(uint32(i), arg), "argument %d", i)
	}
	_, st := f.q.NDRangeKernel(k, &Range{Dims: 1, Global: [3]uint64{uint64(n)}, HasGlobal: true, Local: [3]uint64{uint64(group)}, HasLocal: group > 0}, Sync{})
	require.Equal(f, CL_SUCCESS, st)
	f.within("the kernel's end", func() { f.q.Finish() })
	for _, b := range backs {
		copy(b.data, f.read(b.m))
	}
}

func bytesOfSlice(a any) []byte {
	switch a := a.(type) {
	case [][4]float32:
		return unsafe.Slice((*byte)(unsafe.Pointer(&a[0])), 16*len(a))
	case []uint32:
		return unsafe.Slice((*byte)(unsafe.Pointer(&a[0])), 4*len(a))
	case []float32:
		return unsafe.Slice((*byte)(unsafe.Pointer(&a[0])), 4*len(a))
	case [][4]uint32:
		return unsafe.Slice((*byte)(unsafe.Pointer(&a[0])), 16*len(a))
	}
	panic(fmt.Sprintf("%T", a))
}

// classOf is the suffix of the functions that read and write a format.
func classOf(f ImageFormat) string {
	switch channelTypes[f.Type].kind {
	case 'i':
		return "i"
	case 'n':
		return "ui"
	}
	return "f"
}

// component is a component of a colour that a kernel was given or gave, by class.
func component(class string, bits uint32) float64 {
	switch class {
	case "i":
		return float64(int32(bits))
	case "ui":
		return float64(bits)
	}
	return float64(math.Float32frombits(bits))
}

// eachFormat runs a test for every format that 2D images support. Depth is left out: it has types of its own.
func eachFormat(t *testing.T, f *fixture, test func(t *testing.T, format ImageFormat)) {
	formats, st := f.ctx.SupportedImageFormats(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D)
	require.Equal(t, CL_SUCCESS, st)
	require.Greater(t, len(formats), 80)
	for _, format := range formats {
		if format.Order != CL_DEPTH {
			t.Run(fmt.Sprintf("%x_%x", format.Order, format.Type), func(t *testing.T) { test(t, format) })
		}
	}
}

// closeTo reports whether a float is as close to what it should be as ulps, and a little for what filtering rounds, allow.
func closeTo(got, want, ulps, rounding float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return got == want || math.IsNaN(got) && math.IsNaN(want)
	}
	_, exponent := math.Frexp(want)
	return math.Abs(got-want) <= ulps*math.Ldexp(1, max(exponent-24, -149))+rounding
}

func nearestSampler(f *fixture) *Sampler {
	s, st := f.ctx.CreateSampler([]uint64{CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0})
	require.Equal(f, CL_SUCCESS, st)
	f.Cleanup(func() { s.Release() })
	return s
}

// coordinates are those of all pixels of a size, in the order of memory; shuffled, neighbours are far apart.
func coordinates(rng *rand.Rand, size [3]int, shuffled bool) (c [][4]float32) {
	for z := range size[2] {
		for y := range size[1] {
			for x := range size[0] {
				c = append(c, [4]float32{float32(x), float32(y), float32(z)})
			}
		}
	}
	if shuffled {
		rng.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
	}
	return c
}

// TestKernelsReadEveryFormat: what a texel is to a kernel, of neighbours and of texels far apart, vectorised and not.
func TestKernelsReadEveryFormat(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_images")
	source := imageProgram([]uint32{CL_MEM_OBJECT_IMAGE2D}, "f", "i", "ui")
	for name, options := range map[string]string{"vectorised": "-cl-std=CL3.0", "scalar": "-cl-std=CL3.0 -cl-opt-disable"} {
		t.Run(name, func(t *testing.T) {
			p := f.program(source, options)
			defer p.Release()
			sampler := nearestSampler(f)
			rng := rand.New(rand.NewSource(1))
			eachFormat(t, f, func(t *testing.T, format ImageFormat) {
				f := *f
				f.TB = t
				m := newModel(rng, format, CL_MEM_OBJECT_IMAGE2D, [3]int{61, 7, 1})
				im, class := f.imageOf(m), classOf(format)
				for _, kernel := range []string{"read_", "index_"} {
					k := f.kernel(p, kernel+class+"_image2d_t")
					defer k.Release()
					for _, shuffled := range []bool{false, true} {
						c := coordinates(rng, m.size, shuffled)
						got := make([][4]uint32, len(c))
						f.run(k, len(c), im, sampler, c, got)
						for i, at := range c {
							want := decode(format, m.pixel([3]int{int(at[0]), int(at[1])}))
							for j := range want {
								require.True(t, closeTo(component(class, got[i][j]), want[j], 1.5, 0),
									"%s%v component %d: %g, want %g", kernel, at, j, component(class, got[i][j]), want[j])
							}
						}
					}
				}
			})
		})
	}
}

// TestKernelsWriteEveryFormat: what a colour becomes in memory, and that writes outside the image do nothing.
func TestKernelsWriteEveryFormat(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_images")
	source := imageProgram([]uint32{CL_MEM_OBJECT_IMAGE2D}, "f", "i", "ui")
	for name, options := range map[string]string{"vectorised": "-cl-std=CL3.0", "scalar": "-cl-std=CL3.0 -cl-opt-disable"} {
		t.Run(name, func(t *testing.T) {
			p := f.program(source, options)
			defer p.Release()
			rng := rand.New(rand.NewSource(2))
			eachFormat(t, f, func(t *testing.T, format ImageFormat) {
				f := *f
				f.TB = t
				class := classOf(format)
				k := f.kernel(p, "write_"+class+"_image2d_t")
				defer k.Release()
				for _, shuffled := range []bool{false, true} {
					m := newModel(rng, format, CL_MEM_OBJECT_IMAGE2D, [3]int{61, 7, 1})
					im := f.imageOf(m)
					// A frame of one pixel outside.
					c := coordinates(rng, [3]int{63, 9, 1}, shuffled)
					in := make([][4]uint32, len(c))
					for i := range c {
						c[i][0]--
						c[i][1]--
						for j := range in[i] {
							in[i][j] = writable(rng, class)
						}
					}
					f.run(k, len(c), im, c, in)
					m.data = f.pixels(im)
					for i, at := range c {
						if at[0] < 0 || at[0] >= 61 || at[1] < 0 || at[1] >= 7 {
							continue
						}
						requireStored(t, format, class, m.pixel([3]int{int(at[0]), int(at[1])}), in[i])
					}
				}
			})
		})
	}
}

// TestFillsConvertColoursAsKernelsDo, for every format.
func TestFillsConvertColoursAsKernelsDo(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_images")
	rng := rand.New(rand.NewSource(6))
	eachFormat(t, f, func(t *testing.T, format ImageFormat) {
		f := *f
		f.TB = t
		m := newModel(rng, format, CL_MEM_OBJECT_IMAGE2D, [3]int{5, 3, 1})
		im := f.imageOf(m)
		for range 200 {
			var colour [4]uint32
			for i := range colour {
				colour[i] = writable(rng, classOf(format))
			}
			_, st := f.q.FillImage(im, &colour, ImageBox{&[3]uint64{1, 1, 0}, &[3]uint64{3, 1, 1}}, Sync{})
			require.Equal(t, CL_SUCCESS, st)
			after := f.pixels(im)
			filled := (&model{format: format, kind: m.kind, size: m.size, data: after}).pixel([3]int{2, 1, 0})
			requireStored(t, format, classOf(format), filled, colour)
			for x := 1; x < 4; x++ {
				copy(m.pixel([3]int{x, 1, 0}), filled)
			}
			require.Equal(t, m.data, after)
		}
	})
}

// requireStored checks a pixel that was written.
func requireStored(t *testing.T, format ImageFormat, class string, pixel []byte, colour [4]uint32) {
	raw, widths := fields(format, pixel)
	for i, letter := range components[format.Order] {
		from := strings.IndexRune("rgba", letter|0x20)
		if letter == 'i' || letter == 'l' {
			from = 0
		}
		x := component(class, colour[from])
		require.True(t, mayStore(channelTypes[format.Type].kind, letter, raw[i], widths[i], x), "channel %d of %d bits: %#x, written %g", i, widths[i], raw[i], x)
	}
}

// writable is a component to write: mostly something to round, sometimes a limit.
func writable(rng *rand.Rand, class string) uint32 {
	if class != "f" {
		switch rng.Intn(3) {
		case 0:
			return rng.Uint32()
		case 1:
			return uint32(int32(rng.Intn(512) - 256))
		}
		return []uint32{0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 1<<31 - 1, 1 << 31, ^uint32(0), ^uint32(127), ^uint32(32768)}[rng.Intn(15)]
	}
	x := rng.Float32()*2.5 - 1.25
	if rng.Intn(8) == 0 {
		inf := float32(math.Inf(1))
		x = []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5 / 255, 1.5 / 255, 2.5 / 255, 1e-7, 1e-40, 65504, 65519, 65520, 1e30, -1e30,
			inf, -inf, float32(math.NaN()), 0.0031308, 0.04045}[rng.Intn(19)]
	}
	return math.Float32bits(x)
}

// TestKernelsUpdateImagesInPlace: each work-item of a kernel reads and writes one pixel of every kind of image.
func TestKernelsUpdateImagesInPlace(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_images")
	rng := rand.New(rand.NewSource(3))
	for _, it := range imageTypeOf {
		t.Run(it.name, func(t *testing.T) {
			p := f.program(imageProgram([]uint32{it.kind}, "ui"), "-cl-std=CL3.0")
			defer p.Release()
			k := f.kernel(p, "update_ui_"+it.name)
			defer k.Release()
			m := newModel(rng, ImageFormat{Order: CL_RGBA, Type: CL_UNSIGNED_INT32}, it.kind, sizeOf(it.kind))
			im := f.imageOf(m)
			c := coordinates(rng, m.size, true)
			in := make([][4]uint32, len(c))
			for i := range in {
				in[i] = [4]uint32{rng.Uint32(), rng.Uint32(), rng.Uint32(), rng.Uint32()}
			}
			f.run(k, len(c), im, c, in)
			after := &model{format: m.format, kind: m.kind, size: m.size, data: f.pixels(im)}
			for i, at := range c {
				here := [3]int{int(at[0]), int(at[1]), int(at[2])}
				old, _ := fields(m.format, m.pixel(here))
				now, _ := fields(m.format, after.pixel(here))
				for j := range now {
					require.Equal(t, old[j]+in[i][j], now[j], "%v", at)
				}
			}
		})
	}
}

// sizeOf is a size for an image of a kind, odd in each coordinate.
func sizeOf(kind uint32) [3]int {
	switch kind {
	case CL_MEM_OBJECT_IMAGE1D:
		return [3]int{67, 1, 1}
	case CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D:
		return [3]int{23, 5, 1}
	}
	return [3]int{13, 5, 7}
}
