package cl

import (
	"encoding/binary"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"aqueduct/roc/compiler/spirv"

	"github.com/stretchr/testify/require"
)

// assemble makes a module of testdata/spirv/name.spvasm.
func assemble(t testing.TB, name string) []byte { return assembleFor(t, "spv1.1", name) }

func assembleFor(t testing.TB, env, name string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), name+".spv")
	text, err := exec.Command("spirv-as", "--target-env", env, "-o", out, filepath.Join("testdata/spirv", name+".spvasm")).CombinedOutput()
	require.NoError(t, err, "%s", text)
	module, err := os.ReadFile(out)
	require.NoError(t, err)
	return module
}

// il is a program of a module.
func (f *fixture) il(module []byte) *Program {
	f.Helper()
	p, st := f.ctx.CreateProgramWithIL(module)
	require.Equal(f, CL_SUCCESS, st)
	f.Cleanup(func() { p.Release() })
	return p
}

// log is what the last build of p said.
func (f *fixture) log(p *Program) string { return f.built(p).log }

func TestModulesComputeWhatTheirSourceDoes(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	source, err := os.ReadFile("testdata/spirv/values.cl")
	require.NoError(t, err)
	results := func(p *Program, options string) ([]float32, []int32) {
		require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{Options: &options}), f.log(p))
		const items = 64
		floats, ints, constants := f.buffer(64*items), f.buffer(64*items), f.buffer(16)
		defer floats.Release()
		defer ints.Release()
		defer constants.Release()
		copy(f.bytes(constants), []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0})
		var s [32]byte
		binary.LittleEndian.PutUint32(s[:], 7)
		binary.LittleEndian.PutUint32(s[24:], math.Float32bits(0.5))
		k := f.kernel(p, "values")
		defer k.Release()
		for i, arg := range []Arg{{Mem: floats}, {Mem: ints}, {Local: 64}, {Bytes: []byte{0, 0, 128, 63, 0, 0, 0, 64}}, {Bytes: s[:]}, {Mem: constants}} {
			require.Equal(t, CL_SUCCESS, k.SetArg(uint32(i), arg), "argument %d", i)
		}
		_, st := f.q.NDRangeKernel(k, &Range{Dims: 1, HasGlobal: true, Global: [3]uint64{items}, HasLocal: true, Local: [3]uint64{16}}, Sync{})
		require.Equal(t, CL_SUCCESS, st)
		f.within("the kernel", func() { f.q.Finish() })
		return append([]float32(nil), unsafe.Slice((*float32)(unsafe.Pointer(&f.bytes(floats)[0])), 16*items)...),
			append([]int32(nil), unsafe.Slice((*int32)(unsafe.Pointer(&f.bytes(ints)[0])), 16*items)...)
	}
	p := f.ctx.CreateProgramWithSource([]string{string(source)})
	defer p.Release()
	wantFloats, wantInts := results(p, "-cl-std=CL3.0")
	module := f.il(assemble(t, "values"))
	for _, options := range []string{"", "-cl-opt-disable"} {
		floats, ints := results(module, options)
		require.Equal(t, wantFloats, floats, options)
		require.Equal(t, wantInts, ints, options)
	}
}

func TestArgumentsOfModulesAreDescribed(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	p := f.il(assemble(t, "values"))
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
	k := f.kernel(p, "values")
	defer k.Release()
	text := func(index, param uint32) string {
		var b [64]byte
		require.Equal(t, CL_SUCCESS, k.ArgInfo(index, param, Out{Value: Addr(uintptr(unsafe.Pointer(&b))), Size: 64}))
		s, _, _ := strings.Cut(string(b[:]), "\x00")
		return s
	}
	for i, name := range []string{"f", "n", "l", "v", "s", "c"} {
		require.Equal(t, name, text(uint32(i), CL_KERNEL_ARG_NAME))
	}
	require.Equal(t, "float*", text(0, CL_KERNEL_ARG_TYPE_NAME))
	require.Equal(t, "float2", text(3, CL_KERNEL_ARG_TYPE_NAME))
}

func TestSpecializationConstants(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	p := f.il(assemble(t, "constants"))
	run := func() (out [8]int64) {
		require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
		b := f.buffer(64)
		defer b.Release()
		k := f.kernel(p, "constants")
		defer k.Release()
		f.run(k, 1, b)
		copy(out[:], unsafe.Slice((*int64)(unsafe.Pointer(&f.bytes(b)[0])), 8))
		return out
	}
	require.Equal(t, [8]int64{1, 11, 12, 13, 14, 1, 2, 113}, run(), "defaults")
	set := func(id uint32, value ...byte) { require.Equal(t, CL_SUCCESS, p.SetSpecializationConstant(id, value)) }
	set(1, 0)
	set(2, 200)
	set(3, 1, 2)
	set(4, 255, 255, 255, 127)
	set(4, 5, 0, 0, 0) // the last one counts
	set(5, 1, 2, 3, 4, 5, 6, 7, 8)
	set(6, binary.LittleEndian.AppendUint32(nil, math.Float32bits(-9.75))...)
	set(7, binary.LittleEndian.AppendUint64(nil, math.Float64bits(1e15))...)
	require.Equal(t, [8]int64{0, 200, 0x201, 5, 0x0807060504030201, -9, 1e15, 105}, run(), "set")
	set(1, 7)
	require.EqualValues(t, 1, run()[0], "any value but zero is true")

	for name, c := range map[string]struct {
		id    uint32
		value []byte
		want  Status
	}{
		"no such constant": {9, []byte{1}, CL_INVALID_SPEC_ID},
		"no value":         {4, nil, CL_INVALID_VALUE},
		"too short":        {4, []byte{1}, CL_INVALID_VALUE},
		"too long":         {1, []byte{1, 0, 0, 0}, CL_INVALID_VALUE},
	} {
		require.Equal(t, c.want, p.SetSpecializationConstant(c.id, c.value), name)
	}
	source := f.ctx.CreateProgramWithSource([]string{""})
	defer source.Release()
	require.Equal(t, CL_INVALID_PROGRAM, source.SetSpecializationConstant(1, []byte{1}))
}

// A float2 travels as a double between functions of OpenCL C, and as it is between those of modules.
func TestModulesLinkWithSource(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	module := f.il(assemble(t, "linkage"))
	require.Equal(t, CL_BUILD_PROGRAM_FAILURE, module.Build(BuildArgs{}))
	require.Contains(t, f.log(module), "half_of")
	require.Equal(t, CL_SUCCESS, module.Compile(BuildArgs{}, []Header{{"ignored", module}}), f.log(module))
	source := f.ctx.CreateProgramWithSource([]string{`
		float2 swapped(float2 v);
		float2 half_of(float2 v) { return v / 2; }
		kernel void swaps(global float2 *p) { p[0] = swapped(p[0]); }`})
	defer source.Release()
	require.Equal(t, CL_SUCCESS, source.Compile(BuildArgs{}, nil), f.log(source))
	for _, inputs := range [][]*Program{{module, source}, {source, module}} {
		linked, st := f.ctx.Link(BuildArgs{}, inputs, func(*Program) bool { return true })
		require.Equal(t, CL_SUCCESS, st, f.log(linked))
		b := f.buffer(8)
		floats := unsafe.Slice((*float32)(unsafe.Pointer(&f.bytes(b)[0])), 2)
		copy(floats, []float32{3, 8})
		for _, name := range []string{"swaps", "halves"} {
			k := f.kernel(linked, name)
			f.run(k, 1, b)
			k.Release()
		}
		require.Equal(t, []float32{4, 1.5}, floats)
		b.Release()
		linked.Release()
	}
}

func TestProgramsWithILSayWhatTheyAre(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	module := assemble(t, "constants")
	p := f.il(module)
	var size uintptr
	require.Equal(t, CL_SUCCESS, p.Info(CL_PROGRAM_IL, Out{SizeRet: Addr(uintptr(unsafe.Pointer(&size)))}))
	require.EqualValues(t, len(module), size)
	got := make([]byte, size)
	require.Equal(t, CL_SUCCESS, p.Info(CL_PROGRAM_IL, Out{Value: Addr(uintptr(unsafe.Pointer(&got[0]))), Size: size}))
	require.Equal(t, module, got)
	source := f.ctx.CreateProgramWithSource([]string{"kernel void k() {}"})
	defer source.Release()
	require.Equal(t, CL_SUCCESS, source.Info(CL_PROGRAM_IL, Out{SizeRet: Addr(uintptr(unsafe.Pointer(&size)))}))
	require.Zero(t, size)
}

func TestWhatIsNoModuleIsRefused(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	module := assemble(t, "constants")
	for n := range len(module) {
		p, st := f.ctx.CreateProgramWithIL(module[:n])
		if st == CL_SUCCESS { // it ends between instructions
			p.Release()
			continue
		}
		require.Equal(t, CL_INVALID_VALUE, st)
	}
	_, st := f.ctx.CreateProgramWithIL([]byte("kernel void k() {}  "))
	require.Equal(t, CL_INVALID_VALUE, st)
}

// TestDamagedModulesEndInALog has the compiler build modules with flipped bits, swapped words and missing instructions: none may
// take the application with it, and what is not built says why.
func TestDamagedModulesEndInALog(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	for _, name := range []string{"values", "constants", "linkage"} {
		good := assemble(t, name)
		for seed := range int64(12) {
			module := damage(good, rand.New(rand.NewSource(seed)))
			p, st := f.ctx.CreateProgramWithIL(module)
			if st != CL_SUCCESS {
				require.Equal(t, CL_INVALID_VALUE, st)
				continue
			}
			f.within("the build", func() { st = p.Build(BuildArgs{}) })
			if st != CL_SUCCESS {
				require.Equal(t, CL_BUILD_PROGRAM_FAILURE, st, "%s, seed %d", name, seed)
				require.NotEmpty(t, f.log(p), "%s, seed %d", name, seed)
			}
			p.Release()
		}
	}
}

// damage changes a module in a few places behind its header.
func damage(module []byte, r *rand.Rand) []byte {
	words := make([]uint32, len(module)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(module[4*i:])
	}
	for range 1 + r.Intn(3) {
		at := 5 + r.Intn(len(words)-5)
		switch r.Intn(4) {
		case 0:
			words[at] ^= 1 << r.Intn(32)
		case 1:
			words[at] = uint32(r.Intn(int(words[3]) + 2)) // another id
		case 2:
			other := 5 + r.Intn(len(words)-5)
			words[at], words[other] = words[other], words[at]
		case 3: // without one instruction
			for i := 5; i < len(words); i += max(int(words[i]>>16), 1) {
				if n := int(words[i] >> 16); i >= at && n > 0 && i+n <= len(words) {
					words = append(words[:i], words[i+n:]...)
					break
				}
			}
		}
	}
	out := make([]byte, 0, 4*len(words))
	for _, w := range words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

func TestCapabilitiesFollowWhatTheDeviceHas(t *testing.T) {
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	s := f.device.spirvSupport()
	have := f.device.CompilerExtensions()
	for _, c := range capabilities {
		wanted := c.needs == ""
		for _, e := range have {
			wanted = wanted || e == c.needs
		}
		found := false
		for _, n := range s.Capabilities {
			found = found || n == c.number
		}
		require.Equal(t, wanted, found, "capability %d", c.number)
	}
	require.Contains(t, s.Extensions, spirv.ExtensionLinkOnceODR)
}

func TestInstructionsOfExtensions(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	p := f.il(assemble(t, "extensions"))
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
	out, half := f.buffer(64), f.buffer(4)
	defer out.Release()
	defer half.Release()
	copy(f.bytes(half), []byte{0, 0x4d, 0, 0}) // 20
	k := f.kernel(p, "extensions")
	defer k.Release()
	const n = 0x01020304
	for i, arg := range []Arg{{Mem: out}, {Mem: half}, {Bytes: []byte{4, 3, 2, 1}}, {Bytes: []byte{1, 2, 253, 200}}} {
		require.Equal(t, CL_SUCCESS, k.SetArg(uint32(i), arg), "argument %d", i)
	}
	_, st := f.q.NDRangeKernel(k, &Range{Dims: 1, HasGlobal: true, Global: [3]uint64{16}, HasLocal: true, Local: [3]uint64{16}}, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	f.within("the kernel", func() { f.q.Finish() })
	words := unsafe.Slice((*uint32)(unsafe.Pointer(&f.bytes(out)[0])), 12)
	signed := uint32(1 + 4 + 9 + 56*56)
	mixed := int32(1 + 4 - 3*253 - 56*200)
	require.Equal(t, []uint32{n, n | 6, 0xfffffffe, 2, 0x20c04080, signed, 1 + 4 + 9 + 16, uint32(mixed), signed + n, n}, words[:10])
	require.Less(t, words[10], uint32(1<<30), "time passes, and not much of it")
	require.Equal(t, []byte{0x80, 0x50}, f.bytes(half)[:2], "20 + 16, which is more than 8")
}

func TestPipesOfModules(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	p := f.il(assemble(t, "pipes"))
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
	pipe := f.pipe(4, 6)
	for _, c := range []struct {
		kernel    string
		out, want []byte
	}{{"put", []byte{7, 9}, []byte{7, 9, 2, 6, 0}}, {"take", []byte{0, 0}, []byte{7, 9, 1, 6, 0}}} {
		o := f.buffer(20)
		defer o.Release()
		copy(f.bytes(o), []byte{c.out[0], 0, 0, 0, c.out[1]})
		k := f.kernel(p, c.kernel)
		defer k.Release()
		require.Equal(t, CL_SUCCESS, k.SetArg(0, Arg{Mem: pipe}))
		require.Equal(t, CL_SUCCESS, k.SetArg(1, Arg{Mem: o}))
		_, st := f.q.NDRangeKernel(k, &Range{Dims: 1, HasGlobal: true, Global: [3]uint64{1}}, Sync{})
		require.Equal(t, CL_SUCCESS, st)
		f.within("the kernel", func() { f.q.Finish() })
		var got []byte
		for i := range 5 {
			got = append(got, f.bytes(o)[4*i])
		}
		require.Equal(t, c.want, got, c.kernel)
	}
}

func TestModulesEnqueueFunctions(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	module := assemble(t, "enqueue")
	q := f.deviceQueue(0, 1<<20)
	defer q.Release()
	for _, options := range []string{"", "-cl-opt-disable"} {
		p := f.il(module)
		require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{Options: &options}), f.log(p))
		o := f.buffer(32)
		defer o.Release()
		k := f.kernel(p, "parent")
		defer k.Release()
		require.EqualValues(t, CL_COMPLETE, f.family(k, 1, o, q))
		require.Equal(t, []int32{5, 6, 7, 8, 5, 0, int32(f.device.roc.Info().MaxWorkGroup) / 16, 48}, f.words(o), options)
	}
}

func TestInstructionsOfNewerVersions(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_il_program")
	p := f.il(assembleFor(t, "spv1.6", "newer"))
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
	o, in := f.buffer(72), f.buffer(8)
	defer o.Release()
	defer in.Release()
	const a, b, crossWorkgroup = uint32(0x80000001), uint32(0xfffe0203), 0x200 // the last one of memory semantics
	k := f.kernel(p, "newer")
	defer k.Release()
	copy(f.bytes(in), binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, a), b))
	v := make([]byte, 16)
	v[3], v[15] = 0x80, 0x7f // twice the first element is more than 32 bits
	for i, arg := range []Arg{{Mem: o}, {Mem: in}, {Bytes: v}} {
		require.Equal(t, CL_SUCCESS, k.SetArg(uint32(i), arg), "argument %d", i)
	}
	_, st := f.q.NDRangeKernel(k, &Range{Dims: 1, HasGlobal: true, Global: [3]uint64{1}}, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	f.within("the kernel", func() { f.q.Finish() })
	high := func(x int64) uint32 { return uint32(x >> 32) }
	x, y := a, b
	require.Equal(t, []uint32{x + y, 1, x - y, 1, x * y, high(int64(uint64(x) * uint64(y))), high(int64(int32(x)) * int64(int32(y))), 2,
		0, 1, 1, b, b, a, 255*255 + 254*254 + 2*2 + 3*3, b, 16, 2 * crossWorkgroup},
		unsafe.Slice((*uint32)(unsafe.Pointer(&f.bytes(o)[0])), 18))
}
