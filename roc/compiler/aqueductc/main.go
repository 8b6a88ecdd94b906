// Command aqueductc is the compiler process of the driver. The driver starts it and speaks to it over a socket; people can
// use it to see what becomes of a source file.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"

	"aqueduct/roc/compiler/builtins"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/pipeline"
	"aqueduct/roc/compiler/protocol"
	"aqueduct/roc/compiler/spirv"
	"aqueduct/roc/settings"
)

const usage = `usage:
  aqueductc build [-t] [-m PROCESSOR] [-o FILE] FILE [OPTION...]
                                  compile OpenCL C or SPIR-V as clBuildProgram does, for this machine or one of AMD's GPUs (gfx906 ...);
                                  show kernels, log, and with -t what took how long
  aqueductc builtins DIR          compile the builtin library into DIR
  aqueductc serve [PID]           answer the driver on descriptor 3; child PID is a clang that makes copies, with descriptor 4
  aqueductc --version
`

func main() {
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch command, args := os.Args[1], os.Args[2:]; {
	case command == "serve" && len(args) <= 1:
		if len(args) > 0 {
			adopt(args[0])
		}
		err = serve()
	case command == "build" && len(args) > 0:
		err = build(ctx, args)
	case command == "builtins" && len(args) == 1:
		err = pipeline.BuildLibrary(ctx, builtins.Sources, args[0])
	case command == "--version":
		err = version()
	default:
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "aqueductc:", err)
		os.Exit(1)
	}
}

// newCompiler uses the builtin library in AQUEDUCT_BUILTINS, or else beside the executable.
func newCompiler() *pipeline.Compiler {
	return &pipeline.Compiler{Library: sync.OnceValues(func() (*pipeline.Library, error) {
		dir := settings.Builtins.Value()
		if dir == "" {
			self, err := os.Executable()
			if err != nil {
				return nil, err
			}
			dir = filepath.Join(filepath.Dir(self), "builtins")
		}
		return pipeline.OpenLibrary(dir)
	})}
}

func version() error {
	clang, err := frontend.Clang()
	if err != nil {
		return err
	}
	_, err = fmt.Printf("aqueductc, container version %d, with %s\n", codeobject.Version, clang)
	return err
}

// build compiles a file for this machine and shows what came of it.
func build(ctx context.Context, args []string) error {
	times, output := false, ""
	if args[0] == "-t" && len(args) > 1 {
		times, args = true, args[1:]
	}
	target := protocol.Host(hostExtensions)
	if args[0] == "-m" && len(args) > 2 {
		target, args = protocol.AMD(args[1], gpuExtensions, nil), args[2:]
	}
	if args[0] == "-o" && len(args) > 2 {
		output, args = args[1], args[2:]
	}
	source, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	il := spirv.Is(source)
	if il {
		module, err := spirv.Parse(source, nil)
		if err != nil {
			return err
		}
		source = module.Bytes(nil)
	}
	var options []string
	for _, a := range args[1:] {
		options = append(options, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a)+`"`)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	r := &protocol.Request{Stage: frontend.Build, Source: source, IL: il, Dir: dir, Options: strings.Join(options, " "), Target: target}
	compiler := newCompiler()
	prepare(compiler)
	res := compiler.Build(ctx, r)
	fmt.Fprint(os.Stderr, res.Log)
	for _, s := range res.Steps {
		if times {
			fmt.Printf("%8.2f ms, %8.2f ms of them at work  %s\n", s.Took.Seconds()*1000, s.CPU.Seconds()*1000, s.Name)
		}
	}
	if res.Program == nil {
		return fmt.Errorf("%s: build failed", args[0])
	}
	for _, k := range append(res.Program.Kernels, res.Program.Blocks...) {
		show(k)
	}
	fmt.Printf("%d bytes of code, %d bytes of program-scope variables\n", len(res.Program.Code), res.Program.Globals)
	if output != "" {
		return os.WriteFile(output, res.Program.Code, 0o644)
	}
	return nil
}

func show(k codeobject.KernelInfo) {
	fmt.Printf("kernel %s", k.Name)
	if k.Attributes != "" {
		fmt.Printf(" %s", k.Attributes)
	}
	form := fmt.Sprintf("%d lanes", k.Width)
	if k.Width == 1 {
		form = "scalar"
	}
	fmt.Printf("\n  %s, symbol %s, about %d instructions, %d bytes of local memory, %d of private\n", form, k.Symbol, k.Cost, k.GroupSegmentSize, k.PrivateSegmentSize)
	for _, a := range k.Args {
		fmt.Printf("  %4d: %s %s (%d bytes)\n", a.Offset, a.TypeName, a.Name, a.Size)
	}
}

// gpuExtensions are what build lets a source for a GPU use.
var gpuExtensions = []string{
	"__opencl_c_fp64", "__opencl_c_generic_address_space", "__opencl_c_int64", "__opencl_c_program_scope_global_variables",
	"cl_khr_byte_addressable_store", "cl_khr_fp64", "cl_khr_global_int32_base_atomics",
	"cl_khr_global_int32_extended_atomics", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics",
	"cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics",
}

// hostExtensions are what build lets a source use: all that the embedded agent has.
var hostExtensions = []string{
	"__opencl_c_3d_image_writes", "__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_order_seq_cst",
	"__opencl_c_atomic_scope_all_devices", "__opencl_c_atomic_scope_device", "__opencl_c_device_enqueue", "__opencl_c_ext_fp16_global_atomic_add",
	"__opencl_c_ext_fp16_global_atomic_load_store", "__opencl_c_ext_fp16_global_atomic_min_max",
	"__opencl_c_ext_fp16_local_atomic_add", "__opencl_c_ext_fp16_local_atomic_load_store",
	"__opencl_c_ext_fp16_local_atomic_min_max", "__opencl_c_ext_fp32_global_atomic_add",
	"__opencl_c_ext_fp32_global_atomic_min_max", "__opencl_c_ext_fp32_local_atomic_add",
	"__opencl_c_ext_fp32_local_atomic_min_max", "__opencl_c_ext_fp64_global_atomic_add",
	"__opencl_c_ext_fp64_global_atomic_min_max", "__opencl_c_ext_fp64_local_atomic_add",
	"__opencl_c_ext_fp64_local_atomic_min_max", "__opencl_c_fp64", "__opencl_c_generic_address_space", "__opencl_c_images",
	"__opencl_c_int64", "__opencl_c_integer_dot_product_input_4x8bit", "__opencl_c_integer_dot_product_input_4x8bit_packed",
	"__opencl_c_kernel_clock_scope_device", "__opencl_c_kernel_clock_scope_sub_group",
	"__opencl_c_kernel_clock_scope_work_group", "__opencl_c_pipes", "__opencl_c_program_scope_global_variables",
	"__opencl_c_read_write_images", "__opencl_c_subgroups", "__opencl_c_work_group_collective_functions",
	"cl_ext_float_atomics", "cl_intel_required_subgroup_size", "cl_intel_subgroups", "cl_khr_3d_image_writes", "cl_khr_byte_addressable_store", "cl_khr_depth_images",
	"cl_khr_expect_assume", "cl_khr_extended_async_copies", "cl_khr_extended_bit_ops", "cl_khr_fp16", "cl_khr_fp64",
	"cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics", "cl_khr_int64_base_atomics",
	"cl_khr_int64_extended_atomics", "cl_khr_integer_dot_product", "cl_khr_kernel_clock", "cl_khr_local_int32_base_atomics",
	"cl_khr_local_int32_extended_atomics", "cl_khr_srgb_image_writes", "cl_khr_subgroup_ballot",
	"cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_extended_types", "cl_khr_subgroup_non_uniform_arithmetic",
	"cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_rotate", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
	"cl_khr_subgroups",
}
