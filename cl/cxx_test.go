package cl

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestCxxForOpenCL(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_ext_cxx_for_opencl")
	p := f.ctx.CreateProgramWithSource([]string{`
		template <typename T> T twice(T x) { return x + x; }
		template <int N, typename T> struct Row { T at[N]; T sum() const { T s = 0; for (int i = 0; i < N; i++) s += at[i]; return s; } };
		struct Base { int a; int get() const { return a; } };
		struct Derived : Base { Derived(int x) { a = x; } int operator+(const Derived &d) const { return a * d.a; } };
		namespace inner { enum class Kind { one = 1, two }; }
		void increase(int &x) { x++; }
		int pick(int) { return 1; }
		int pick(float) { return 2; }
		kernel void k(global int *out)
		{
			int i = get_global_id(0);
			Derived four(4), d(i);
			global int &first = out[8 * i];
			first = four + d;
			increase(first);
			out[8 * i + 1] = twice(2.75f) * 2;
			Row<3, int> row = {{i, 2, 3}};
			out[8 * i + 2] = row.sum();
			auto triple = [](int x) { return 3 * x; };
			out[8 * i + 3] = triple(i);
			out[8 * i + 4] = static_cast<int>(inner::Kind::two) + pick(1.0f) + d.get();
			out[8 * i + 5] = __OPENCL_CPP_VERSION__;
			constexpr int n = sizeof(Row<5, long>);
			out[8 * i + 6] = n;
			out[8 * i + 7] = four.a + (nullptr == out);
		}`})
	defer p.Release()
	for options, version := range map[string]uint32{"-cl-std=CLC++": 100, "-cl-std=CLC++1.0": 100, "-cl-std=CLC++2021": 202100} {
		require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{Options: &options}), f.log(p))
		out := make([]uint32, 8*20)
		k := f.kernel(p, "k")
		f.run(k, 20, out)
		k.Release()
		for i := range uint32(20) {
			require.Equal(t, []uint32{4*i + 1, 11, i + 5, 3 * i, 4 + i, version, 40, 4}, out[8*i:8*i+8], "%s, work-item %d", options, i)
		}
	}
}

// constructed has variables whose values are computed by code, one of them from another.
const constructed = `
	struct Number { int v; Number(int x) { v = x * (int)get_global_size(0); } int get() const __global { return v; } };
	__global Number first(21);
	__global int plain = 5;
	__global int second = first.get() + plain;
	kernel void k(__global int *p) { p[0] = first.get(); p[1] = second++; }`

func TestVariablesAreConstructedBeforeTheFirstKernel(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_ext_cxx_for_opencl")
	run := func(p *Program) []uint32 {
		out := make([]uint32, 2)
		k := f.kernel(p, "k")
		defer k.Release()
		f.run(k, 1, out)
		return out
	}
	present := func(p *Program) (b uint32) {
		require.Equal(t, CL_SUCCESS, p.Info(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, Out{Value: Addr(uintptr(unsafe.Pointer(&b))), Size: 4}))
		return b
	}
	options := "-cl-std=CLC++"
	p := f.ctx.CreateProgramWithSource([]string{constructed})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{Options: &options}), f.log(p))
	require.Equal(t, []uint32{21, 26}, run(p))
	require.Equal(t, []uint32{21, 27}, run(p), "once")
	require.EqualValues(t, CL_TRUE, present(p))
	require.Len(t, f.built(p).object.Kernels, 1, "the initialisation is no kernel of the program's")

	b, _, st := f.ctx.CreateProgramWithBinary([]*Device{f.device}, [][]byte{f.built(p).binary})
	require.Equal(t, CL_SUCCESS, st)
	defer b.Release()
	require.Equal(t, CL_SUCCESS, b.Build(BuildArgs{}), f.log(b))
	require.Equal(t, []uint32{21, 26}, run(b), "also of a binary")

	other := f.ctx.CreateProgramWithSource([]string{`struct S { int v; S() { v = 7; } }; __global S s; int value() { return s.v; }`})
	defer other.Release()
	user := f.ctx.CreateProgramWithSource([]string{`int value(); __global int mine = value() * 2; kernel void k(__global int *p) { p[0] = value(); p[1] = mine; }`})
	defer user.Release()
	for _, c := range []*Program{other, user} {
		require.Equal(t, CL_SUCCESS, c.Compile(BuildArgs{Options: &options}, nil), f.log(c))
	}
	linked, st := f.ctx.Link(BuildArgs{}, []*Program{other, user}, func(*Program) bool { return true })
	require.Equal(t, CL_SUCCESS, st, f.log(linked))
	defer linked.Release()
	require.Equal(t, []uint32{7, 14}, run(linked), "of all that are linked, in their order")

	c := f.ctx.CreateProgramWithSource([]string{"kernel void k(global int *p) { p[0] = 1; }"})
	defer c.Release()
	require.Equal(t, CL_SUCCESS, c.Build(BuildArgs{}))
	require.EqualValues(t, CL_FALSE, present(c))
}

func TestWhatCannotBeConstructedFailsToBuild(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_ext_cxx_for_opencl")
	options := "-cl-std=CLC++"
	for reason, source := range map[string]string{
		"destructor":     `struct S { int v; S(int x) { v = x * 2; } ~S() { v = 0; } }; __global S s(1); kernel void k() {}`,
		"initialisation": `struct S { int v; S(int x) { v = *(volatile __global int *)(x * 8L); } }; __global S s(1); kernel void k() {}`,
	} {
		p := f.ctx.CreateProgramWithSource([]string{source})
		require.Equal(t, CL_BUILD_PROGRAM_FAILURE, p.Build(BuildArgs{Options: &options}), reason)
		require.Contains(t, f.log(p), reason)
		p.Release()
	}
}
