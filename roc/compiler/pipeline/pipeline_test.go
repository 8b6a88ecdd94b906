package pipeline

import (
	"bytes"
	"context"
	"debug/elf"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aqueduct/roc/compiler/builtins"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/protocol"
)

// compiler uses the real builtin library, which stays in the build folder.
var compiler = &Compiler{Library: sync.OnceValues(func() (*Library, error) {
	const dir = "../../../build/builtins"
	if err := BuildLibrary(context.Background(), builtins.Sources, dir); err != nil {
		return nil, err
	}
	return OpenLibrary(dir)
})}

func buildSource(t *testing.T, source, options string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	return compiler.Build(ctx, &protocol.Request{Stage: frontend.Build, Source: []byte(source), Options: options,
		Target: protocol.Host([]string{"cl_khr_fp64", "__opencl_c_fp64", "__opencl_c_images", "__opencl_c_program_scope_global_variables"})})
}

func kernel(t *testing.T, source, options string) codeobject.KernelInfo {
	t.Helper()
	res := buildSource(t, source, options)
	require.NotNil(t, res.Program, res.Log)
	require.Len(t, res.Program.Kernels, 1)
	return res.Program.Kernels[0]
}

func TestArgumentsAreDescribed(t *testing.T) {
	k := kernel(t, `
		typedef struct { char a; double b; int c[3]; } S;
		kernel void k(char c, global const float4 *restrict p, local volatile double *l, constant uint *u, S s, float3 v, short h,
			local float *m, ulong8 w) { p += s.c[0] + c + h; u += (int)v.x; l[0] = p->x + *u + w.s7; m[0] = 0; }`, "")
	const global, local, constant, private, none = 0x119B, 0x119C, 0x119D, 0x119E, 0x11A3
	require.Equal(t, []codeobject.ArgInfo{
		{Name: "c", TypeName: "char", Size: 1, Offset: 0, AddressSpace: private, Access: none},
		{Name: "p", TypeName: "float4*", Kind: codeobject.ArgGlobal, Size: 8, Offset: 8, AddressSpace: global, Access: none, TypeQualifiers: 1 | 2},
		{Name: "l", TypeName: "double*", Kind: codeobject.ArgLocal, Size: 4, Offset: 16, PointeeAlign: 8, AddressSpace: local, Access: none, TypeQualifiers: 4},
		{Name: "u", TypeName: "uint*", Kind: codeobject.ArgConstant, Size: 8, Offset: 24, AddressSpace: constant, Access: none, TypeQualifiers: 1},
		{Name: "s", TypeName: "S", Size: 32, Offset: 32, AddressSpace: private, Access: none},
		{Name: "v", TypeName: "float3", Size: 16, Offset: 64, AddressSpace: private, Access: none},
		{Name: "h", TypeName: "short", Size: 2, Offset: 80, AddressSpace: private, Access: none},
		{Name: "m", TypeName: "float*", Kind: codeobject.ArgLocal, Size: 4, Offset: 84, PointeeAlign: 4, AddressSpace: local, Access: none},
		{Name: "w", TypeName: "ulong8", Size: 64, Offset: 128, AddressSpace: private, Access: none},
	}, k.Args)
	require.Equal(t, uint32(192), k.HiddenOffset)
	require.Equal(t, uint32(192+codeobject.HiddenSize), k.KernargSize)
	require.True(t, k.HasArgInfo)
}

func TestAttributesAreDescribed(t *testing.T) {
	k := kernel(t, `kernel __attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((vec_type_hint(uint4))) void k() {}`, "")
	require.Equal(t, [3]uint32{8, 4, 2}, k.ReqdWorkGroupSize)
	require.Equal(t, "uint4", k.VecTypeHint)
	require.Equal(t, "reqd_work_group_size(8,4,2) vec_type_hint(uint4)", k.Attributes)
	k = kernel(t, `kernel __attribute__((work_group_size_hint(16, 1, 1))) __attribute__((vec_type_hint(double))) void k() {}`, "")
	require.Equal(t, [3]uint32{16, 1, 1}, k.WorkGroupSizeHint)
	require.Equal(t, "work_group_size_hint(16,1,1) vec_type_hint(double)", k.Attributes)
}

func TestMemoryIsDescribed(t *testing.T) {
	res := buildSource(t, `
		global int counter; constant int table[4] = {1, 2, 3, 4}; global float big[100];
		kernel void k(global int *p) {
			local int l[64]; local double d[2];
			int i = get_local_id(0); l[i] = p[i]; d[i & 1] = i;
			barrier(CLK_LOCAL_MEM_FENCE);
			counter += l[63 - i]; big[i] = table[i & 3] + d[0]; p[i] = counter;
		}
		kernel void none() {}`, "-cl-std=CL3.0")
	require.NotNil(t, res.Program, res.Log)
	k := res.Program.Kernels[0]
	require.Equal(t, uint32(272), k.GroupSegmentSize)
	require.True(t, k.HasBarrier)
	require.Equal(t, uint64(404), res.Program.Globals)
	require.Equal(t, "none", res.Program.Kernels[1].Name)
}

// A kernel may have the name of a C function, which stays what it is for everyone else.
func TestNamesOfTheCLibraryAreFree(t *testing.T) {
	k := kernel(t, `
		double fmod(int x) { return x; }
		kernel void memset(global double *p) { for (int i = 0; i < 1000; i++) p[i] = 0; p[1000] = exp(p[0]) + fmod(3); }`, "")
	require.Equal(t, "memset", k.Name)
	require.NotEqual(t, "memset", k.Symbol)
}

func TestEveryDivisionOfLabourBuilds(t *testing.T) {
	for _, options := range []string{"-cl-opt-disable", "-cl-fast-relaxed-math", "-cl-std=CL3.0", "-g", "-cl-single-precision-constant -cl-mad-enable"} {
		kernel(t, `kernel void k(global float *p) { size_t i = get_global_id(0); p[i] = sqrt(p[i] * 2.0f + p[i + 1]) / 3.0f; }`, options)
	}
}

func TestBuildsRunInParallel(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			res := buildSource(t, `kernel void k(global float *p) { p[get_global_id(0)] = exp(p[0]); }`, "")
			require.NotNil(t, res.Program, res.Log)
		})
	}
	wg.Wait()
}

func TestUnsupportedVersionsAreRefused(t *testing.T) {
	target := protocol.Host(nil)
	target.Versions = []string{"CL1.0", "CL1.1", "CL1.2"}
	res := compiler.Build(context.Background(), &protocol.Request{Source: []byte("kernel void k() {}"), Options: "-cl-std=CL3.0", Target: target})
	require.Nil(t, res.Program)
	require.Contains(t, res.Log, "CL3.0")
}

// Reports the processor time of each step, front end apart, in a process that has built before.
func BenchmarkBuild(b *testing.B) {
	for name, source := range map[string]string{
		"add":      `kernel void k(global const float *a, global const float *b, global float *c) { size_t i = get_global_id(0); c[i] = a[i] + b[i]; }`,
		"exp":      `kernel void k(global const float *a, global float *c, int n) { int i = get_global_id(0); if (i < n) c[i] = exp(a[i]); }`,
		"barriers": `kernel void k(global float *a, local float *l) { int i = get_local_id(0); l[i] = a[get_global_id(0)]; for (int s = 64; s > 0; s /= 2) { barrier(CLK_LOCAL_MEM_FENCE); if (i < s) l[i] += l[i + s]; } if (i == 0) a[get_group_id(0)] = l[0]; }`,
	} {
		b.Run(name, func(b *testing.B) {
			sum := map[string]time.Duration{}
			for b.Loop() {
				res := compiler.Build(context.Background(), &protocol.Request{Source: []byte(source), Target: protocol.Host(nil)})
				if res.Program == nil {
					b.Fatal(res.Log)
				}
				for _, s := range res.Steps[2:] {
					sum[s.Name] += s.CPU
				}
			}
			for name, t := range sum {
				b.ReportMetric(t.Seconds()*1000/float64(b.N), strings.ReplaceAll(name, " ", "-")+"-ms")
			}
		})
	}
}

func TestKernelsTranslatedApartMakeOneProgram(t *testing.T) {
	res := buildSource(t, `
		constant float table[4] = {1, 2, 3, 4};
		float helper(float x) { return x * table[(int)x & 3]; }
		kernel void a(global float *p) { p[get_global_id(0)] = helper(p[0]); }
		kernel void b(global float *p) { a(p); p[1] = helper(exp(p[1])); }
		kernel void c(global int *p) { local int l[10]; l[get_local_id(0)] = *p; barrier(CLK_LOCAL_MEM_FENCE); *p = l[3]; }`, "")
	require.NotNil(t, res.Program, res.Log)
	var names, symbols []string
	for _, k := range res.Program.Kernels {
		names = append(names, k.Name)
		symbols = append(symbols, k.Symbol)
	}
	require.Equal(t, []string{"a", "b", "c"}, names)
	f, err := elf.NewFile(bytes.NewReader(res.Program.Code))
	require.NoError(t, err)
	exported, err := f.DynamicSymbols()
	require.NoError(t, err)
	var defined []string
	for _, s := range exported {
		if s.Section != elf.SHN_UNDEF {
			defined = append(defined, s.Name)
		}
	}
	require.ElementsMatch(t, symbols, defined)
	require.Equal(t, uint32(40), res.Program.Kernels[2].GroupSegmentSize)
}
