package pipeline

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"aqueduct/roc/compiler/protocol"
)

// Programs that OpenCL C forbids (OpenCL C 3.0 section 6.11 and the sections of the features) do not build, and the log names the
// line. until is the last version that forbids it, "" if all do.
func TestForbiddenProgramsAreRefusedWithTheirLine(t *testing.T) {
	features := protocol.Host([]string{"cl_khr_fp64", "__opencl_c_fp64", "__opencl_c_images", "__opencl_c_pipes", "__opencl_c_generic_address_space",
		"__opencl_c_program_scope_global_variables", "__opencl_c_read_write_images"})
	for _, c := range []struct {
		line         int
		until, about string
		source       string
	}{
		{2, "", "recursion", "int f(int x);\nint g(int x) { return f(x - 1); }\nint f(int x) { return x ? g(x) : 0; }\nkernel void k(global int *o) { *o = f(*o); }"},
		{2, "", "recursion", "kernel void k(global int *o) {\n if (*o) k(o); }"},
		{3, "", "pointers to functions", "int f(int x) { return x; }\nkernel void k(global int *o) {\n int (*p)(int) = f; *o = p(1); }"},
		{1, "", "pointers to functions", "int f(int (*p)(int)) { return 1; }"},
		{3, "", "undefined: nothing", "int nothing(int);\nkernel void k(global int *o) {\n *o = nothing(1); }"},
		{2, "", "address space", "kernel void k(global int *o) {\n local int *p = (local int *)o; *o = *p; }"},
		{2, "", "address space", "kernel void k(global int *o) {\n local int *p = o; *o = *p; }"},
		{2, "", "address space", "kernel void k(global int *o, local int *l) {\n *o = *(*o ? o : l); }"},
		{3, "", "not assignable", "constant int c = 1;\nkernel void k(global int *o) {\n c = 2; }"},
		{1, "", "must have void", "kernel int k(global int *o) { return 1; }"},
		{1, "", "must reside in", "kernel void k(int *o) { }"},
		{1, "", "kernel parameter", "kernel void k(bool b) { }"},
		{1, "", "kernel parameter", "kernel void k(size_t b) { }"},
		{1, "", "kernel parameter", "kernel void k(event_t b) { }"},
		{2, "", "local address space", "void f() {\n local int x; }"},
		{2, "", "initializer", "kernel void k(global int *o) {\n local int x = 1; *o = x; }"},
		{1, "", "variadic", "int f(int n, ...) { return n; }"},
		{1, "", "bit-fields", "struct s { int a : 3; };"},
		{2, "", "variable length", "kernel void k(int n, global int *o) {\n int a[n]; *o = a[0]; }"},
		{1, "", "image2d_t", "struct s { image2d_t i; };"},
		{2, "", "image2d_t", "kernel void k(read_only image2d_t i) {\n image2d_t j = i; }"},
		{2, "", "no matching function", "kernel void k(read_only image2d_t i) {\n write_imagef(i, (int2)(0, 0), (float4)(0)); }"},
		{2, "", "sampler_t", "kernel void k(sampler_t s) {\n sampler_t *p = &s; }"},
		{2, "", "too few elements", "kernel void k(global int *o) {\n int4 a = (int4)(1, 2, 3); *o = a.x; }"},
		{2, "", "exceeds", "kernel void k(global int *o) {\n int2 a = (int2)(1, 2); *o = a.z; }"},
		{2, "", "vector types", "kernel void k(global int *o) {\n int2 a = 1; int4 b = 2; *o = (a + b).x; }"},
		{1, "", "not found", "#include <stdio.h>"},
		{1, "", "static", "static kernel void k() { }"},
		{1, "", "greater than 0", "__attribute__((reqd_work_group_size(0,1,1))) kernel void k() { }"},
		{2, "", "sub-groups of 8", "__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global int *o) {\n *o = 1; }"},
		{1, "CL1.2", "pointer to a pointer", "kernel void k(global int * global *o) { }"},
		{1, "CL1.2", "program scope", "global int x;"},
		{2, "CL1.2", "address space", "kernel void k(global int *o) {\n int *p = o; *p = 1; }"},
		{1, "CL1.2", "atomic_int", "kernel void k(global atomic_int *o) { }"},
		{2, "CL1.2", "static", "kernel void k() {\n static int x; }"},
		{2, "CL1.1", "popcount", "kernel void k(global int *o) {\n *o = popcount(*o); }"},
	} {
		versions := []string{"CL1.2", "CL3.0"}
		if c.until != "" {
			versions = []string{"CL1.0", "CL1.1", "CL1.2", "CL3.0"}
		}
		for _, std := range versions {
			res := compiler.Build(context.Background(), &protocol.Request{Source: []byte(c.source + "\nkernel void other() {}"), Options: "-cl-std=" + std, Target: features})
			if c.until != "" && std > c.until {
				require.NotNil(t, res.Program, "%s\n%s", c.source, res.Log)
				continue
			}
			require.Nil(t, res.Program, "%s: %s", std, c.source)
			require.Contains(t, res.Log, fmt.Sprintf("<source>:%d:", c.line), "%s: %s", std, c.source)
			require.Contains(t, res.Log, c.about, "%s: %s", std, c.source)
		}
	}
	// Pipes there are since OpenCL C 2.0.
	for line, source := range map[int]string{
		1: "kernel void k(read_write pipe int p) { }",
		2: "kernel void k() {\n pipe int p; }",
		3: "kernel void k(read_only pipe int p) {\n int x;\n write_pipe(p, &x); }",
	} {
		res := compiler.Build(context.Background(), &protocol.Request{Source: []byte(source), Options: "-cl-std=CL3.0", Target: features})
		require.Nil(t, res.Program, source)
		require.Contains(t, res.Log, fmt.Sprintf("<source>:%d:", line), source)
	}
}
