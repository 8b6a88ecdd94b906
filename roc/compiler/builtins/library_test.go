package builtins_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"aqueduct/roc/compiler/builtins"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/pipeline"
	"aqueduct/roc/compiler/workgroup"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"
)

// built says that there is a library to remove.
var built atomic.Bool

// libraryDir is where the tests of this package find the library, compiled once.
var libraryDir = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "builtins-test-")
	if err != nil {
		return "", err
	}
	built.Store(true)
	return dir, pipeline.BuildLibrary(context.Background(), builtins.Sources, dir)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built.Load() {
		dir, _ := libraryDir()
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

func library(t testing.TB) string {
	dir, err := libraryDir()
	require.NoError(t, err)
	return dir
}

// extensions are all that the library serves.
var extensions = []string{
	"cl_khr_fp64", "__opencl_c_fp64", "cl_khr_fp16", "cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
	"cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics", "cl_khr_int64_base_atomics",
	"cl_khr_int64_extended_atomics", "cl_khr_byte_addressable_store", "__opencl_c_int64",
}

var modern = []string{
	"__opencl_c_generic_address_space", "__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_order_seq_cst",
	"__opencl_c_atomic_scope_device", "__opencl_c_atomic_scope_all_devices", "__opencl_c_program_scope_global_variables",
	"__opencl_c_work_group_collective_functions", "__opencl_c_subgroups", "cl_khr_subgroup_ballot", "cl_khr_subgroup_clustered_reduce",
	"cl_khr_subgroup_extended_types", "cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_non_uniform_vote",
	"cl_khr_subgroup_rotate", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative", "cl_khr_extended_bit_ops",
	"cl_khr_integer_dot_product", "__opencl_c_integer_dot_product_input_4x8bit", "__opencl_c_integer_dot_product_input_4x8bit_packed",
	"cl_khr_kernel_clock", "__opencl_c_kernel_clock_scope_device", "__opencl_c_kernel_clock_scope_work_group",
	"__opencl_c_kernel_clock_scope_sub_group", "cl_ext_float_atomics", "__opencl_c_ext_fp16_global_atomic_load_store",
	"__opencl_c_ext_fp16_local_atomic_load_store", "__opencl_c_ext_fp16_global_atomic_add", "__opencl_c_ext_fp16_local_atomic_add",
	"__opencl_c_ext_fp16_global_atomic_min_max", "__opencl_c_ext_fp16_local_atomic_min_max", "__opencl_c_ext_fp32_global_atomic_add",
	"__opencl_c_ext_fp32_local_atomic_add", "__opencl_c_ext_fp32_global_atomic_min_max", "__opencl_c_ext_fp32_local_atomic_min_max",
	"__opencl_c_ext_fp64_global_atomic_add", "__opencl_c_ext_fp64_local_atomic_add", "__opencl_c_ext_fp64_global_atomic_min_max",
	"__opencl_c_ext_fp64_local_atomic_min_max", "__opencl_c_pipes",
}

// compile makes bitcode of OpenCL C with the builtins only declared.
func compile(t testing.TB, source, std string) []byte {
	ext := extensions
	o := &frontend.Options{Std: std, NoWarnings: true}
	if std == "CL3.0" {
		ext = append(append([]string(nil), ext...), modern...)
		for _, m := range modern {
			o.Defines = append(o.Defines, m+"=1")
		}
	}
	out, err := frontend.Run(t.Context(), &frontend.Unit{Source: []byte(source), Options: o, Extensions: ext})
	require.NoError(t, err)
	require.NotEmpty(t, out.Bitcode, out.Log)
	return out.Bitcode
}

// load links source with the library into this process, and returns how to call its functions, which take pointers only.
func load(t testing.TB, source string) func(name string, args ...unsafe.Pointer) {
	target, err := kerneltest.Target()
	require.NoError(t, err)
	lib, err := pipeline.OpenLibrary(library(t))
	require.NoError(t, err)
	c := llvm.NewContext()
	defer c.Dispose()
	m, err := c.ParseBitcode(compile(t, source, "CL3.0"))
	require.NoError(t, err)
	defer m.Dispose()
	require.NoError(t, lib.Link(m, workgroup.LinkedLate))
	kerneltest.StripProcessor(m)
	for _, f := range m.Functions() {
		if !f.IsDeclaration() {
			f.AddAttribute(llvm.FunctionIndex, c.StringAttribute("target-cpu", target.CPU()))
			f.AddAttribute(llvm.FunctionIndex, c.StringAttribute("target-features", target.Features()))
		}
	}
	require.NoError(t, m.RunPasses("always-inline,globaldce,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>)", target, llvm.PassOptions{}))
	object, err := target.Emit(m, llvm.Object)
	require.NoError(t, err)
	dir := t.TempDir()
	o, so := filepath.Join(dir, "test.o"), filepath.Join(dir, "test.so")
	require.NoError(t, os.WriteFile(o, object, 0o600))
	out, err := exec.Command("ld.lld-19", "-shared", "-z", "defs", "-o", so, o, "-L/lib/x86_64-linux-gnu", "-l:libm.so.6", "-l:libc.so.6").CombinedOutput()
	require.NoError(t, err, strings.TrimSpace(string(out)))
	handle, err := purego.Dlopen(so, purego.RTLD_NOW|purego.RTLD_LOCAL)
	require.NoError(t, err)
	return func(name string, args ...unsafe.Pointer) {
		address, err := purego.Dlsym(handle, name)
		require.NoError(t, err)
		words := make([]uintptr, len(args))
		for i, a := range args {
			words[i] = uintptr(a)
		}
		purego.SyscallN(address, words...)
		runtime.KeepAlive(args)
	}
}
