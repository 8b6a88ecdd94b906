package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/protocol"
	"aqueduct/roc/compiler/wfv"
	"aqueduct/roc/settings"
)

// needsVectors skips a test where kernels are to have none.
func needsVectors(t *testing.T) {
	t.Helper()
	if settings.Lanes.Value() == 1 {
		t.Skip("kernels are in scalar form")
	}
}

// Whatever goes wrong in the vectoriser, the program builds, in scalar form and without a word in its log.
func TestFaultsOfTheVectoriserCostSpeedOnly(t *testing.T) {
	const source = `kernel void a(global int *p) { p[get_global_id(0)] = 1; } kernel void b(global int *p) { p[get_global_id(0)] = 2; }`
	for name, vectorise := range map[string]vectoriser{
		"a panic": func(llvm.Module, llvm.TargetMachine, []wfv.Kernel, wfv.Options) ([]wfv.Result, error) {
			panic("a fault")
		},
		"an error": func(llvm.Module, llvm.TargetMachine, []wfv.Kernel, wfv.Options) ([]wfv.Result, error) {
			return nil, errors.New("a fault")
		},
		"a panic half-way": func(m llvm.Module, tm llvm.TargetMachine, k []wfv.Kernel, o wfv.Options) ([]wfv.Result, error) {
			if _, err := wfv.Lower(m, tm, k, o); err != nil {
				return nil, err
			}
			panic("a fault")
		},
		"code that is none": func(m llvm.Module, tm llvm.TargetMachine, k []wfv.Kernel, o wfv.Options) ([]wfv.Result, error) {
			r, err := wfv.Lower(m, tm, k, o)
			m.Context().AppendBlock(m.Function(r[0].Symbol), "") // without an end
			return r, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			needsVectors(t)
			faulty := &Compiler{Library: compiler.Library, vectorise: vectorise}
			res := faulty.Build(context.Background(), &protocol.Request{Source: []byte(source), Target: protocol.Host(nil)})
			require.NotNil(t, res.Program, res.Log)
			require.Empty(t, res.Log)
			require.Len(t, res.Program.Kernels, 2)
			for _, k := range res.Program.Kernels {
				require.EqualValues(t, 1, k.Width)
			}
		})
	}
}

// statements is a kernel body of n lines.
func statements(n int, line string) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, line+"\n", i)
	}
	return s.String()
}

// What passes and code generation do in quadratic time is not done to these.
func TestLargeKernelsBuild(t *testing.T) {
	for name, body := range map[string]string{
		"blocks":   statements(2000, "if (a & 1 << (%d & 31)) { a = a * 5 + b; b ^= c; } else { c += a; o[c & 1023] = a; }"),
		"accesses": statements(1500, "v[x + %[1]d & 31] = v[a + %[1]d & 31] * b + %[1]d;"),
		"nested":   statements(40, "for (uint i%[1]d = 0; i%[1]d < (a & 3); i%[1]d++) { a += o[i%[1]d];") + strings.Repeat("}", 40),
		"vectors":  statements(800, "w[%[1]d & 7] = w[%[1]d + 3 & 7] * 3 + (w[%[1]d + 5 & 7] ^ %[1]d);"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kernel(t, `kernel void k(global uint *o, uint x) {
				uint g = get_global_id(0), a = o[g], b = x, c = g, v[32] = {g};
				uint8 w[8] = {a, b, c, a, b, c, a, b};`+body+`
				o[g] = a + b + c + v[x & 31] + w[0].x + w[1].y + w[2].z + w[3].w + w[4].s4; }`, "")
		})
	}
}

// TestKernelsOfPipesAreVectorised: a reservation is a loop until nobody was faster, but one of its own.
func TestKernelsOfPipesAreVectorised(t *testing.T) {
	needsVectors(t)
	for _, source := range []string{
		`kernel void k(write_only pipe int p, global int *in) { if (in[get_global_id(0)]) write_pipe(p, &in[get_global_id(0)]); }`,
		`kernel void k(read_only pipe int p, global int *out) { int v; if (!read_pipe(p, &v)) out[get_global_id(0)] = v; }`,
		`kernel void k(write_only pipe int p, global int *in) { reserve_id_t r = work_group_reserve_write_pipe(p, get_local_size(0));
			if (is_valid_reserve_id(r)) { write_pipe(p, r, get_local_id(0), &in[get_global_id(0)]); work_group_commit_write_pipe(p, r); } }`,
	} {
		res := compiler.Build(t.Context(), &protocol.Request{Stage: frontend.Build, Source: []byte(source), Options: "-cl-std=CL3.0",
			Target: protocol.Host([]string{"__opencl_c_pipes", "__opencl_c_generic_address_space", "__opencl_c_work_group_collective_functions"})})
		require.NotNil(t, res.Program, res.Log)
		require.Greater(t, res.Program.Kernels[0].Width, uint32(1), source)
	}
}
