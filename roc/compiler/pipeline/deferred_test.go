package pipeline

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/protocol"

	"github.com/stretchr/testify/require"
)

// manyKernels is a source of n kernels that share a function and a constant.
func manyKernels(n int) string {
	var s strings.Builder
	s.WriteString("constant int table[4] = {3, 1, 4, 1};\nint twice(int x) { return 2 * x + table[x & 3]; }\n")
	for i := range n {
		fmt.Fprintf(&s, "kernel void k%d(global int *p, local float *l) { int i = get_global_id(0); l[i] = p[i]; barrier(CLK_LOCAL_MEM_FENCE); p[i] = twice(l[0] * %d); }\n", i, i)
	}
	return s.String()
}

// buildDeferred builds source for a driver that can make kernels later.
func buildDeferred(source string) Result {
	return compiler.Build(context.Background(), &protocol.Request{Source: []byte(source), Options: "-cl-std=CL3.0", Dir: "/",
		Target: protocol.Host([]string{"__opencl_c_program_scope_global_variables"}), Defer: true})
}

func TestOnlyProgramsOfManyIndependentKernelsAreDeferred(t *testing.T) {
	many := manyKernels(deferAbove + 1)
	for name, c := range map[string]struct {
		source   string
		deferred bool
	}{
		"many":               {many, true},
		"few":                {manyKernels(deferAbove), false},
		"a shared variable":  {many + "global int counter; kernel void last(global int *p) { *p = counter++; }", false},
		"local memory":       {many + "kernel void last(global int *p) { local int l[4]; l[get_local_id(0)] = *p; barrier(1); *p = l[0]; }", true},
		"a kernel calls one": {many + "kernel void last(global int *p, local float *l) { k0(p, l); }", true},
		"printf":             {many + `kernel void last(global int *p) { printf("%d\n", *p); }`, false},
	} {
		t.Run(name, func(t *testing.T) {
			res := buildDeferred(c.source)
			require.NotNil(t, res.Program, res.Log)
			require.Equal(t, c.deferred, res.Program.Deferred)
			for _, k := range res.Program.Kernels {
				require.Equal(t, c.deferred, k.Symbol == "")
			}
		})
	}
}

func TestErrorsAreTheBuildsHoweverManyKernelsThereAre(t *testing.T) {
	for name, source := range map[string]string{
		"undefined": "void elsewhere(global int *p);\nkernel void last(global int *p) { elsewhere(p); }",
		"recursion": "int f(int x) { return x ? f(x - 1) : 0; }\nkernel void last(global int *p) { *p = f(*p); }",
	} {
		res := buildDeferred(manyKernels(deferAbove+1) + source)
		require.Nil(t, res.Program, name)
		require.Contains(t, res.Log, "error: ", name)
	}
}

func TestKernelsMadeLaterAreTheSame(t *testing.T) {
	source := manyKernels(deferAbove+1) + "kernel void last(global int *p, local float *l) { k0(p, l); }"
	later := buildDeferred(source).Program
	require.True(t, later.Deferred)
	input, err := later.Marshal()
	require.NoError(t, err)
	at := &protocol.Request{Source: []byte(source), Options: "-cl-std=CL3.0", Dir: "/", Target: protocol.Host([]string{"__opencl_c_program_scope_global_variables"})}
	once := compiler.Build(context.Background(), at).Program
	require.False(t, once.Deferred)
	want := func(names string) Result {
		return compiler.Build(context.Background(), &protocol.Request{Stage: frontend.Kernels, Source: []byte(names), Inputs: [][]byte{input}, Target: at.Target})
	}
	for _, names := range []string{"k3", "last", "k16 k0 k1"} {
		res := want(names)
		require.NotNil(t, res.Program, res.Log)
		require.Equal(t, codeobject.Executable, res.Program.Type)
		var got []string
		for _, k := range res.Program.Kernels {
			got = append(got, k.Name)
			for _, other := range once.Kernels {
				if other.Name == k.Name {
					require.Equal(t, other, k)
				}
			}
		}
		require.Equal(t, names, strings.Join(got, " "))
	}
	for _, names := range []string{"", "k99", "k1 k99"} {
		res := want(names)
		require.Nil(t, res.Program)
		require.NotEmpty(t, res.Log)
	}
}
