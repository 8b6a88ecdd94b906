package frontend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"aqueduct/roc/settings"
)

// Header is an embedded header of clCompileProgram.
type Header struct {
	Name   string // as it is included
	Source []byte
}

// Unit is one translation unit.
type Unit struct {
	Source     []byte
	Headers    []Header
	Options    *Options
	Extensions []string // cl_* and __opencl_c_* names that are on; all others are off
	Dir        string   // where relative include paths start
	Lines      bool     // keep line numbers
	Builtins   bool     // a file of the builtin library: none of its functions is declared yet
	Processor  string   // of AMD's GPUs, as "gfx906", or ""
}

// Output is what clang made of a Unit.
type Output struct {
	Bitcode []byte   // empty if the unit does not compile
	Log     string   // clang's diagnostics; the source is called <source>
	Deps    []string // files that were included
}

// ErrNoClang is returned when clang 19 is not installed.
var ErrNoClang = errors.New("clang 19 is not installed")

// clangs are the places of clang 19, in order of preference.
var clangs = []string{"/usr/lib/llvm-19/bin/clang", "/usr/local/lib/llvm-19/bin/clang", "clang-19"}

// Clang is the path of the clang to run: AQUEDUCT_CLANG, or the first one there is.
var Clang = sync.OnceValues(func() (string, error) {
	candidates := clangs
	if own := settings.Clang.Value(); own != "" {
		candidates = []string{own}
	}
	for _, c := range candidates {
		if path, err := exec.LookPath(c); err == nil {
			return filepath.EvalSymlinks(path)
		}
	}
	if own := settings.Clang.Value(); own != "" {
		return "", fmt.Errorf("%w where AQUEDUCT_CLANG says, at %s", ErrNoClang, own)
	}
	return "", ErrNoClang
})

// resources are the folders of the headers of clangs.
var resources sync.Map

// resourcesOf is the folder of clang's own headers: beside it, or, where it is a script in another place, what it says.
func resourcesOf(clang string) string {
	if dir, known := resources.Load(clang); known {
		return dir.(string)
	}
	dir := filepath.Join(filepath.Dir(clang), "../lib/clang/19")
	if _, err := os.Stat(dir); err != nil {
		if said, err := exec.Command(clang, "-print-resource-dir").Output(); err == nil {
			dir = strings.TrimSpace(string(said))
		}
	}
	resources.Store(clang, dir)
	return dir
}

// abi is the processor that clang believes in, whatever the target is: with it vectors of up to 512 bits travel as values, so
// that the builtin library is compiled once for all processors. The pipeline puts the real one in its place.
const abi = "x86-64-v4"

// headerFeatures are the features of OpenCL C, and extensions to it, that clang leaves to its header, where -cl-ext does not
// reach. Those that need what came with OpenCL C 2.0 are modern.
var headerFeatures = []struct {
	name   string
	modern bool
}{
	{"__opencl_c_work_group_collective_functions", true}, {"__opencl_c_atomic_scope_device", true},
	{"__opencl_c_atomic_scope_all_devices", true}, {"__opencl_c_read_write_images", true},
	{"cl_khr_subgroup_ballot", true}, {"cl_khr_subgroup_clustered_reduce", true}, {"cl_khr_subgroup_extended_types", true},
	{"cl_khr_subgroup_non_uniform_arithmetic", true}, {"cl_khr_subgroup_non_uniform_vote", true}, {"cl_khr_subgroup_rotate", true},
	{"cl_khr_subgroup_shuffle", true}, {"cl_khr_subgroup_shuffle_relative", true},
	{"cl_ext_float_atomics", true},
	{"__opencl_c_ext_fp16_global_atomic_load_store", true}, {"__opencl_c_ext_fp16_local_atomic_load_store", true},
	{"__opencl_c_ext_fp16_global_atomic_add", true}, {"__opencl_c_ext_fp16_local_atomic_add", true},
	{"__opencl_c_ext_fp16_global_atomic_min_max", true}, {"__opencl_c_ext_fp16_local_atomic_min_max", true},
	{"__opencl_c_ext_fp32_global_atomic_add", true}, {"__opencl_c_ext_fp32_local_atomic_add", true},
	{"__opencl_c_ext_fp32_global_atomic_min_max", true}, {"__opencl_c_ext_fp32_local_atomic_min_max", true},
	{"__opencl_c_ext_fp64_global_atomic_add", true}, {"__opencl_c_ext_fp64_local_atomic_add", true},
	{"__opencl_c_ext_fp64_global_atomic_min_max", true}, {"__opencl_c_ext_fp64_local_atomic_min_max", true},
	{"cl_intel_subgroups", false}, {"cl_khr_expect_assume", false}, {"cl_khr_extended_async_copies", false}, {"cl_khr_extended_bit_ops", false},
	{"cl_khr_integer_dot_product", false}, {"__opencl_c_integer_dot_product_input_4x8bit", false},
	{"__opencl_c_integer_dot_product_input_4x8bit_packed", false},
	{"cl_khr_kernel_clock", false}, {"__opencl_c_kernel_clock_scope_device", false},
	{"__opencl_c_kernel_clock_scope_work_group", false}, {"__opencl_c_kernel_clock_scope_sub_group", false},
}

// Args are clang's arguments for u, input and output apart.
func (u *Unit) Args(clang string) []string {
	o := u.Options
	resources := resourcesOf(clang)
	// With markers of lifetimes, a break out of a block with variables sets a flag that is tested behind the block: lanes that
	// leave and lanes that stay would meet there once more in each iteration.
	target := []string{"-triple", "x86_64-unknown-linux-gnu", "-target-cpu", abi, "-ffake-address-space-map", "-disable-lifetime-markers"}
	if u.Processor != "" {
		target = gpuTarget(u.Processor)
	}
	args := append([]string{"-cc1"}, target...)
	args = append(args, "-x", "cl",
		"-resource-dir", resources, "-internal-isystem", resources+"/include",
		"-O2", "-disable-llvm-passes", "-emit-llvm-bc", "-mrelocation-model", "pic", "-pic-level", "2",
		// printf keeps its meaning: LLVM knows C's, and would make puts of it.
		"-fno-builtin-printf", "-fno-spell-checking", "-cl-kernel-arg-info", "-D__OPENCL_VERSION__=300",
		"-cl-ext="+u.extensions())
	if !u.Builtins {
		args = append(args, "-finclude-default-header", "-fdeclare-opencl-builtins", "-fno-gnu-inline-asm")
	}
	if slices.Contains(u.Extensions, "__opencl_c_images") {
		args = append(args, "-D__IMAGE_SUPPORT__=1")
	}
	// "If the -cl-std build option is not specified, the highest OpenCL C 1.x language version supported by each device is used"
	// (OpenCL API 3.0 section 5.8.6.5).
	std := o.Std
	if std == "" {
		std = "CL1.2"
	}
	args = append(args, "-cl-std="+std)
	for _, f := range headerFeatures {
		if (!strings.HasPrefix(std, "CL1.") || !f.modern) && slices.Contains(u.Extensions, f.name) {
			args = append(args, "-D"+f.name+"=1")
		}
	}
	args = append(args, o.math()...)
	if o.DenormsAreZero {
		args = append(args, "-fdenormal-fp-math=preserve-sign,preserve-sign")
	}
	if !o.StrictAliasing {
		args = append(args, "-relaxed-aliasing")
	}
	if o.UniformWorkGroups {
		args = append(args, "-cl-uniform-work-group-size")
	}
	if o.NoWarnings {
		args = append(args, "-w")
	}
	if o.Werror {
		args = append(args, "-Werror")
	} else {
		// Later versions of clang made errors of these by default; programs of yesterday keep building.
		for _, w := range []string{"int-conversion", "incompatible-pointer-types", "implicit-int", "return-mismatch"} {
			args = append(args, "-Wno-error="+w)
		}
	}
	if u.Lines {
		args = append(args, "-debug-info-kind=line-tables-only", "-dwarf-version=5")
	}
	for _, d := range o.Defines {
		args = append(args, "-D", d)
	}
	for _, i := range o.Includes {
		args = append(args, "-I", i)
	}
	return args
}

// math are the options on floating point. Contraction is allowed by default (OpenCL C 3.0 section 6.15.2, FP_CONTRACT);
// denormals may be flushed but never are.
func (o *Options) math() []string {
	var args []string
	for _, f := range []struct {
		on   bool
		name string
	}{
		{o.SinglePrecision, "-cl-single-precision-constant"},
		{o.CorrectDivideSqrt, "-cl-fp32-correctly-rounded-divide-sqrt"},
		{o.MadEnable, "-cl-mad-enable"},
		{o.NoSignedZeros, "-cl-no-signed-zeros"},
		{o.UnsafeMath, "-cl-unsafe-math-optimizations"},
		{o.FiniteMath, "-cl-finite-math-only"},
		{o.FastRelaxedMath, "-cl-fast-relaxed-math"},
	} {
		if f.on {
			args = append(args, f.name)
		}
	}
	contract := "on"
	if o.MadEnable || o.UnsafeMath || o.FastRelaxedMath {
		contract = "fast"
	}
	return append(args, "-ffp-contract="+contract)
}

func (u *Unit) extensions() string {
	if u.Builtins {
		return "+all"
	}
	var s strings.Builder
	s.WriteString("-all")
	for _, e := range u.Extensions {
		s.WriteString(",+" + e)
	}
	return s.String()
}

// Run compiles u. A unit that does not compile is no error: its Output has a log and no bitcode. An error means that clang
// could not be run, crashed, or was stopped by ctx.
func Run(ctx context.Context, u *Unit) (*Output, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	clang, err := Clang()
	if err != nil {
		return nil, err
	}
	args := append(u.Args(clang), "-dependency-file", "/proc/self/fd/3", "-MT", "x", "-o", "-")
	input, prefix := "-", ""
	if len(u.Headers) > 0 {
		dir, err := writeHeaders(u)
		if dir != "" {
			defer os.RemoveAll(dir)
		}
		if err != nil {
			return nil, err
		}
		// The source lies among its headers, so that these come before all others; then, as without them, the current directory.
		input, prefix = filepath.Join(dir, sourceName), dir+"/"
		args = append(args, "-I", dir, "-I", ".")
	}
	if u.Dir != "" {
		args = append(args, "-working-directory="+u.Dir)
	}
	c, err := compileOnce(ctx, clang, append(args, input), u.source())
	if err == errKilled && ctx.Err() == nil { // an idle copy may be killed as well as one that compiles
		c, err = compileOnce(ctx, clang, append(args, input), u.source())
	}
	if c == nil {
		return nil, err
	}
	out := &Output{Log: tidy(c.log.String(), prefix)}
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	switch {
	case err == nil:
		out.Bitcode, out.Deps = c.bitcode.Bytes(), dependencies(c.deps.Bytes(), prefix)
		return out, nil
	case err == errRefused:
		return out, nil
	case err == errKilled:
		return out, fmt.Errorf("error: %w", err)
	}
	return out, fmt.Errorf("%s: %w", crashed(out), err)
}

// compileOnce has a clang compile source. Without one there is no child.
func compileOnce(ctx context.Context, clang string, args []string, source []byte) (*child, error) {
	c, err := spawn(clang)
	if err != nil {
		return nil, err
	}
	return c, c.run(args, source, ctx.Done())
}

// whereabouts is a line of a crashed clang's account of what it was doing.
var whereabouts = regexp.MustCompile(`(?m)^\d+\.\t(\S+:\d+:\d+): current parser token`)

// crashed takes that account, hundreds of lines, out of the log, and says where in the source clang was. What makes clang crash is nearly
// always an expression or a statement nested so deeply that its stack overflows.
func crashed(out *Output) string {
	log, account, _ := strings.Cut(out.Log, "PLEASE submit a bug report")
	out.Log = log
	if at := whereabouts.FindStringSubmatch(account); at != nil {
		return at[1] + ": error: clang crashed here, where the source may be nested too deeply"
	}
	// The account needs some of the stack, too.
	return "error: clang crashed; the source may be nested too deeply"
}

const sourceName = "<source>"

// tidy gives the log the names a user knows: the source has none of its own, and headers lie in a directory of ours.
func tidy(log, prefix string) string {
	log = strings.ReplaceAll(log, "<stdin>", sourceName)
	if prefix != "" {
		log = strings.ReplaceAll(log, prefix, "")
	}
	return log
}

// writeHeaders lays the source and its headers out in a new directory.
func writeHeaders(u *Unit) (string, error) {
	dir, err := os.MkdirTemp("", "aqueduct-headers-")
	if err != nil {
		return "", err
	}
	for _, h := range append(slices.Clone(u.Headers), Header{sourceName, u.source()}) {
		path := filepath.Join(dir, filepath.Clean("/"+h.Name)) // "/" keeps ".." inside
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return dir, fmt.Errorf("header %q: %w", h.Name, err)
		}
		if err := os.WriteFile(path, h.Source, 0o600); err != nil {
			return dir, fmt.Errorf("header %q: %w", h.Name, err)
		}
	}
	return dir, nil
}

// dependencies reads the rule that clang writes for make, apart from files below prefix.
func dependencies(rule []byte, prefix string) []string {
	_, list, _ := strings.Cut(string(rule), ":")
	var files []string
	var name strings.Builder
	flush := func() {
		if f := name.String(); f != "" && (prefix == "" || !strings.HasPrefix(f, prefix)) {
			files = append(files, f)
		}
		name.Reset()
	}
	for i := 0; i < len(list); i++ {
		next := byte(0)
		if i+1 < len(list) {
			next = list[i+1]
		}
		switch c := list[i]; {
		case c == '\\' && next == '\n', c == '$' && next == '$':
			if i++; c == '$' {
				name.WriteByte(c)
			}
		case c == '\\' && (next == ' ' || next == '#' || next == '\\'):
			i++
			name.WriteByte(next)
		case c == ' ' || c == '\n':
			flush()
		default:
			name.WriteByte(c)
		}
	}
	flush()
	return files
}
