package cl

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Options change what a program computes, what it sees defined, or how it is checked (OpenCL API 3.0 section 5.8.6).
func TestBuildOptionsHaveTheirMeaning(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	for _, c := range []struct {
		options, expression string
		want                uint32
	}{
		{"", "sizeof(1.0)", 8},
		{"-cl-single-precision-constant", "sizeof(1.0)", 4},
		{"-D N=7", "N", 7},
		{"-DF(x)=x+1", "F(2)", 3},
		{"", "sizeof(int[__OPENCL_VERSION__]) / 4", 300},
		{"-cl-std=CL1.1", "__OPENCL_C_VERSION__", 110},
		{"-cl-std=CL3.0", "__OPENCL_C_VERSION__", 300},
	} {
		prog := f.program("kernel void k(global uint *o) { *o = "+c.expression+"; }", c.options)
		k, out := f.kernel(prog, "k"), make([]uint32, 1)
		f.run(k, 1, out)
		require.Equal(t, c.want, out[0], "%s: %s", c.options, c.expression)
		k.Release()
		prog.Release()
	}
	for _, c := range []struct {
		options string
		macro   string
		defined bool
	}{
		{"", "__FAST_RELAXED_MATH__", false}, {"-cl-fast-relaxed-math", "__FAST_RELAXED_MATH__", true},
		{"-cl-std=CL1.2", "__opencl_c_pipes", false}, {"-cl-std=CL3.0", "__opencl_c_pipes", true},
		{"-cl-std=CL1.2", "__opencl_c_fp64", false}, {"-cl-std=CL3.0", "__opencl_c_fp64", true}, {"-cl-std=CL1.2", "cl_khr_fp64", true},
		{"-cl-std=CL1.2", "cl_khr_fp16", true}, {"-cl-std=CL1.2", "cl_khr_kernel_clock", true},
		{"-cl-std=CL1.2", "cl_ext_float_atomics", false}, {"-cl-std=CL3.0", "cl_ext_float_atomics", true},
	} {
		source := "#ifndef " + c.macro + "\n#error none\n#endif\nkernel void k() {}"
		p := f.ctx.CreateProgramWithSource([]string{source})
		want := CL_SUCCESS
		if !c.defined || c.macro != "__FAST_RELAXED_MATH__" && !f.has(c.macro) {
			want = CL_BUILD_PROGRAM_FAILURE
		}
		require.Equal(t, want, p.Build(BuildArgs{Options: &c.options}), "%s with %q", c.macro, c.options)
		p.Release()
	}
}

func TestWarningsAreToldOrErrorsOrSilent(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	const source = "kernel void k(global int *o) {\n int unset;\n *o = (o, 1) + 0 * unset;\n}\n#warning here"
	for options, c := range map[string]struct {
		status Status
		log    string
	}{"": {CL_SUCCESS, "warning: here"}, "-w": {CL_SUCCESS, ""}, "-Werror": {CL_BUILD_PROGRAM_FAILURE, "error: here"}} {
		p := f.ctx.CreateProgramWithSource([]string{source})
		require.Equal(t, c.status, p.Build(BuildArgs{Options: &options}), options)
		log := p.builds[0].log
		if c.log == "" {
			require.Empty(t, strings.TrimSpace(log))
		} else {
			require.Contains(t, log, c.log)
			require.Contains(t, log, "<source>:5:2:")
		}
		p.Release()
	}
}

// "This requires that the global work-size be a multiple of the work-group size specified to clEnqueueNDRangeKernel."
func TestUniformWorkGroupsAreAPromise(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	for options, want := range map[string]Status{
		"-cl-std=CL3.0": CL_SUCCESS, "-cl-std=CL3.0 -cl-uniform-work-group-size": CL_INVALID_WORK_GROUP_SIZE, "-cl-std=CL1.2": CL_INVALID_WORK_GROUP_SIZE,
	} {
		prog := f.program("kernel void k(void) {}", options)
		k := f.kernel(prog, "k")
		_, st := f.q.NDRangeKernel(k, &Range{Dims: 1, Global: [3]uint64{100}, HasGlobal: true, Local: [3]uint64{64}, HasLocal: true}, Sync{})
		require.Equal(t, want, st, options)
		f.within("the kernel's end", func() { f.q.Finish() })
		k.Release()
		prog.Release()
	}
}
