package wfv_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"aqueduct/roc/compiler/builtins"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kernelgen"
	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/pipeline"
	"aqueduct/roc/compiler/wfv"

	"github.com/stretchr/testify/require"
)

// The builtin library, or the part of it that is about sub-groups and halves.
var (
	libraryDir  string
	libraryOnce sync.Once
	library     *pipeline.Library
)

// TestMain makes room for the library.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "wfv")
	if err != nil {
		panic(err)
	}
	libraryDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// link defines its functions.
func link(t testing.TB) func(llvm.Module) error {
	libraryOnce.Do(func() {
		part := fstest.MapFS{}
		names, err := fs.Glob(builtins.Sources, "*")
		require.NoError(t, err)
		for _, name := range names {
			if strings.HasPrefix(name, "sub_group") || strings.HasSuffix(name, ".h") || name == "vload_half.cl" || name == "convert_half.cl" {
				text, err := fs.ReadFile(builtins.Sources, name)
				require.NoError(t, err)
				part[name] = &fstest.MapFile{Data: text}
			}
		}
		require.NoError(t, pipeline.BuildLibrary(t.Context(), part, libraryDir))
		library, err = pipeline.OpenLibrary(libraryDir)
		require.NoError(t, err)
	})
	require.NotNil(t, library)
	return func(m llvm.Module) error { return library.Link(m, func(string) bool { return false }) }
}

// offered has clang declare the functions.
var offered = strings.Fields("-Dcl_khr_subgroup_ballot=1 -Dcl_khr_subgroup_clustered_reduce=1 -Dcl_khr_subgroup_extended_types=1 " +
	"-Dcl_khr_subgroup_non_uniform_arithmetic=1 -Dcl_khr_subgroup_non_uniform_vote=1 -Dcl_khr_subgroup_rotate=1 " +
	"-Dcl_khr_subgroup_shuffle=1 -Dcl_khr_subgroup_shuffle_relative=1 -Dcl_khr_subgroups=1 -D__opencl_c_subgroups=1")

func compile(t *testing.T, source string, o wfv.Options) *wfv.Program {
	t.Helper()
	return compileAt(t, "", source, o)
}

// compileAt is compile at a level of the processor's instructions.
func compileAt(t *testing.T, level, source string, o wfv.Options) *wfv.Program {
	t.Helper()
	tm, err := kerneltest.TargetAt(level)
	require.NoError(t, err)
	return compileFor(t, tm, source, o)
}

func compileFor(t *testing.T, tm llvm.TargetMachine, source string, o wfv.Options) *wfv.Program {
	t.Helper()
	p, err := wfv.Compile(t.TempDir(), source, tm, o, link(t), offered...)
	require.NoError(t, err)
	return p
}

// form is how a kernel is compiled, and for which level of the processor's instructions.
type form struct {
	wfv.Options
	level string
}

// forms are those that a kernel with sub-groups may have. Of a seed that was asked for, the last two are left out.
var forms = []form{{wfv.Options{Scalar: true}, ""}, {wfv.Options{}, ""}, {wfv.Options{Width: 32}, ""}, {wfv.Options{Width: 64}, ""},
	{wfv.Options{}, "avx2"}, {wfv.Options{}, "sse4.2"}, {wfv.Options{OneForm: true}, ""}, {wfv.Options{Width: 32, Skip: -1}, ""}}

func TestRandomKernelsThatCallTheLibrary(t *testing.T) {
	const few = 3
	first, end := kerneltest.Asked(t)
	dir, linked := t.TempDir(), link(t)
	scalar, wide := map[string]int{}, 0
	random := func(o form, from, to int64) {
		tm, err := kerneltest.TargetAt(o.level)
		require.NoError(t, err)
		hang := time.AfterFunc(5*time.Minute, func() { panic(fmt.Sprintf("seeds %d-%d, %+v: no end", from, to, o)) })
		defer hang.Stop()
		require.NoError(t, kerneltest.Random(from, to, kernelgen.NewCalling, func(source string) (kerneltest.Library, map[string]codeobject.KernelInfo, error) {
			p, err := wfv.Compile(dir, source, tm, o.Options, linked, offered...)
			if err != nil {
				return 0, nil, err
			}
			for _, r := range p.Reports {
				if r.Width > 1 {
					wide++
				} else if !o.Scalar {
					scalar[r.Reason]++
				}
			}
			return p.Library, p.Kernels, nil
		}), "%+v", o)
	}
	for i, o := range forms {
		if end == 0 {
			random(o, int64(i)*few, int64(i+1)*few)
		}
	}
	for s := first; s < end; s++ {
		for _, o := range forms[:len(forms)-2] {
			random(o, s, s+1)
		}
	}
	t.Logf("%d vectorised; in scalar form: %v", wide, scalar)
	if end == 0 { // a few seeds of one's own may all be in scalar form
		require.Greater(t, wide, len(scalar))
	}
}

// numbers are the types that functions of sub-groups take, with their sizes. In those of floating-point numbers, all ones above the
// mantissa are a NaN or infinite.
var numbers = map[string]struct{ bytes, mantissa int }{"char": {1, 0}, "uchar": {1, 0}, "short": {2, 0}, "ushort": {2, 0}, "int": {4, 0},
	"uint": {4, 0}, "long": {8, 0}, "ulong": {8, 0}, "half": {2, 10}, "float": {4, 23}, "double": {8, 52}}

// functions are calls of all functions of sub-groups for a type T, and which work-item's value they give, if they do. Those that
// move values do not care for more than their size.
func functions(floating, moving bool) (calls [][2]string) {
	add := func(from, format string, args ...any) {
		calls = append(calls, [2]string{fmt.Sprintf(format, args...), from})
	}
	ops := []string{"add", "mul", "min", "max"}
	if !floating {
		ops = append(ops, "and", "or", "xor")
	}
	for _, op := range ops {
		for _, f := range []string{"reduce", "scan_inclusive", "scan_exclusive"} {
			add("l", "sub_group_non_uniform_%s_%s(x)", f, op)
			if strings.Contains("add min max", op) {
				add("l", "sub_group_%s_%s(x)", f, op)
			}
		}
		for _, size := range []int{4, 16} {
			add("l", "sub_group_clustered_reduce_%s(x, %d)", op, size)
		}
	}
	if !moving {
		return calls
	}
	for _, op := range []string{"and", "or", "xor"} {
		for _, f := range []string{"reduce", "scan_inclusive", "scan_exclusive"} {
			add("l", "(T)sub_group_non_uniform_%s_logical_%s(b[i] & 1)", f, op)
		}
		add("l", "(T)sub_group_clustered_reduce_logical_%s(b[i] & 1, 8)", op)
	}
	for _, n := range []string{"3", "(b[0] & 15)", "(b[i] & 15)", "(l / 2)", "(l & 12)"} {
		add(n, "sub_group_shuffle(x, %s)", n)
		add("l ^ "+n, "sub_group_shuffle_xor(x, %s)", n)
		add("l - "+n, "sub_group_shuffle_up(x, %s)", n)
		add("l + "+n, "sub_group_shuffle_down(x, %s)", n)
		add("l + "+n+" & 15", "sub_group_rotate(x, %s)", n)
		add("l & 8 | l + "+n+" & 7", "sub_group_clustered_rotate(x, %s, 8)", n)
	}
	add("7", "sub_group_broadcast(x, 7)")
	add("b[1] & 15", "sub_group_broadcast(x, b[1] & 15)")
	add("2", "sub_group_non_uniform_broadcast(x, 2)")
	add("9", "sub_group_broadcast((T##4)(x, 1, x + x, 3), 9).z")
	add("l", "sub_group_broadcast_first(x)")
	add("l", "(T)sub_group_non_uniform_all_equal(x)")
	add("l", "(T)sub_group_non_uniform_all_equal((T)(b[i] >> 3 & 1))")
	for _, f := range []string{"all(", "any(", "non_uniform_all(", "non_uniform_any("} {
		add("l", "(T)sub_group_%sb[i] & 12)", f)
	}
	add("l", "(T)sub_group_elect()")
	for _, f := range []string{"inverse_ballot(v)", "ballot_bit_extract(v, 3)", "ballot_bit_count(v)", "ballot_inclusive_scan(v)", "ballot_exclusive_scan(v)",
		"ballot_find_lsb(v)", "ballot_find_msb(v)"} {
		add("l", "({ uint4 v = sub_group_ballot(b[i] & 6); (T)sub_group_%s; })", f)
	}
	for _, f := range []string{"eq", "ge", "gt", "le", "lt"} {
		add("l", "(T)(get_sub_group_%s_mask().x * 3)", f)
	}
	add("l", "(T)(get_sub_group_id() * 7 + get_sub_group_size() * 3 + get_num_sub_groups() + get_enqueued_num_sub_groups() + get_max_sub_group_size())")
	return calls
}

// someOf is how many calls a kernel has.
const someOf = 6

// sourceOf is kernels k0, k1 and so on with calls of functions of a type: some where paths parted, others where they have not.
func sourceOf(name string, calls [][2]string) string {
	var s strings.Builder
	s.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#define T " + name + "\n")
	for n, c := range calls {
		if n%someOf == 0 {
			fmt.Fprintf(&s, "kernel void k%d(global const T *a, global const uint *b, global T *out) {\n"+
				"\tsize_t i = get_global_linear_id(), items = get_global_size(0) * get_global_size(1) * get_global_size(2);\n"+
				"\tuint l = get_sub_group_local_id(); T x = a[i];\n", n/someOf)
		}
		if n%3 > 0 {
			fmt.Fprintf(&s, "\tif (b[i] >> %d & %d)", n%13, n%3)
		}
		fmt.Fprintf(&s, "\t{ uint on = sub_group_ballot(1).x, from = %s; T y = %s; out[%d * items + i] = from < 16 && on >> from & 1 ? y : x; }\n",
			c[1], strings.ReplaceAll(c[0], "T##4", name+"4"), n%someOf)
		if n%someOf == someOf-1 || n == len(calls)-1 {
			s.WriteString("}\n")
		}
	}
	return s.String()
}

var launches = []kerneltest.Launch{
	{Global: [3]int{64}, Local: [3]int{64}}, {Global: [3]int{16}, Local: [3]int{16}}, {Global: [3]int{100}, Local: [3]int{40}}, {Global: [3]int{7}, Local: [3]int{7}},
	{Global: [3]int{48, 3}, Local: [3]int{48, 3}}, {Global: [3]int{96, 2}, Local: [3]int{32, 1}}, {Global: [3]int{40, 4}, Local: [3]int{16, 2}},
	{Global: [3]int{8, 8}, Local: [3]int{8, 8}}, {Global: [3]int{5, 3, 4}, Local: [3]int{5, 3, 2}}, {Global: [3]int{20, 9}, Local: [3]int{8, 4}},
	{Global: [3]int{1, 40}, Local: [3]int{1, 20}}, {Global: [3]int{4, 4, 8}, Local: [3]int{4, 4, 4}}, {Global: [3]int{24, 5}, Local: [3]int{24, 5}},
}

func TestFormsOfSubGroupFunctionsComputeTheSame(t *testing.T) {
	const most = 256
	r := rand.New(rand.NewSource(1))
	for i, name := range slices.Sorted(maps.Keys(numbers)) {
		number := numbers[name]
		t.Run(name, func(t *testing.T) {
			calls := functions(number.mantissa > 0, slices.Contains([]string{"uchar", "half", "float", "long"}, name))
			source := sourceOf(name, calls)
			a, b := make([]byte, most*number.bytes), make([]uint32, most)
			same := func(x, y []byte) bool {
				u, v := bits(x, number.bytes), bits(y, number.bytes)
				sign := uint64(1) << (8*number.bytes - 1)
				nan := func(u uint64) bool { return number.mantissa > 0 && u&(sign-1) > sign-1<<number.mantissa }
				return u == v || nan(u) && nan(v)
			}
			reference := compile(t, source, wfv.Options{Scalar: true})
			for _, o := range []form{{Options: wfv.Options{Width: 16 << (i % 2)}, level: append(kerneltest.Levels, "")[i%3]}} {
				p := compileAt(t, o.level, source, o.Options)
				for k := 0; k < len(calls); k += someOf {
					kernel := fmt.Sprint("k", k/someOf)
					require.Greater(t, p.Reports[kernel].Width, 1, p.Reports[kernel].Reason)
					for _, n := range launches {
						r.Read(a)
						for i := range b {
							b[i] = r.Uint32()
						}
						want, got := make([]byte, someOf*most*number.bytes), make([]byte, someOf*most*number.bytes)
						require.NoError(t, reference.Run(reference.Kernels[kernel], n, a, b, want))
						require.NoError(t, p.Run(p.Kernels[kernel], n, a, b, got))
						items := n.Global[0] * max(1, n.Global[1]) * max(1, n.Global[2])
						for at := range min(someOf, len(calls)-k) * items {
							x, y := want[at*number.bytes:], got[at*number.bytes:]
							require.True(t, same(x, y), "%s of work-item %d of %+v, %+v: %x, want %x", calls[k+at/items][0], at%items, n, o, y[:number.bytes], x[:number.bytes])
						}
					}
				}
			}
		})
	}
}

// TestFormsOfSubGroupShuffles tries what moves values on processors that do it by other instructions than this one may have.
func TestFormsOfSubGroupShuffles(t *testing.T) {
	require.NoError(t, llvm.Load())
	r := rand.New(rand.NewSource(2))
	for name, bytes := range map[string]int{"uchar": 1, "ushort": 2, "uint": 4, "ulong": 8} {
		source := fmt.Sprintf(`kernel void k(global const %[1]s *a, global const uint *b, global %[1]s *out) {
			size_t i = get_global_id(0); %[1]s x = sub_group_shuffle(a[i], b[i]); if (b[i] & 64) x ^= sub_group_shuffle_xor(a[i], b[0] & 3 | 64); out[i] = x; }`, name)
		const n = 64
		a, b := make([]byte, n*bytes), make([]uint32, n)
		r.Read(a)
		for i := range b {
			b[i] = r.Uint32() | 64
		}
		want := make([]byte, n*bytes)
		for i := range n {
			copy(want[i*bytes:(i+1)*bytes], a[(i&^15+int(b[i]&15))*bytes:])
			for k := range bytes {
				want[i*bytes+k] ^= a[(i^int(b[0]&3))*bytes+k]
			}
		}
		for _, cpu := range []string{"x86-64", "haswell", "x86-64-v4"} {
			tm, err := llvm.NewTargetMachine(kerneltest.Triple, cpu, "", llvm.CodeBest)
			require.NoError(t, err)
			if wfv.TargetOf(tm).AVX512 && !strings.Contains(llvm.HostFeatures(), "+avx512vl") {
				continue
			}
			for _, w := range []int{16, 32} {
				got := make([]byte, n*bytes)
				p := compileFor(t, tm, source, wfv.Options{Width: w})
				require.Equal(t, w, p.Reports["k"].Width, p.Reports["k"].Reason)
				require.NoError(t, p.Run(p.Kernels["k"], kerneltest.Launch{Global: [3]int{n}, Local: [3]int{n}}, a, b, got))
				require.Equal(t, want, got, "%s in %d lanes for %s", name, w, cpu)
			}
		}
	}
}

func bits(x []byte, n int) (v uint64) {
	for i := range n {
		v |= uint64(x[i]) << (8 * i)
	}
	return v
}

// TestKernelsWhoseWorkItemsWaitStayScalar: what they wait for happens in another sub-group, or in the same one.
func TestKernelsWhoseWorkItemsWaitStayScalar(t *testing.T) {
	p := compile(t, `
kernel void relay(global uint *out, volatile local uint *turn) {
	uint g = get_sub_group_id(), last = get_num_sub_groups() - 1;
	if (get_local_id(0) == 0) *turn = last;
	barrier(CLK_LOCAL_MEM_FENCE);
	while (*turn != g) {}
	sub_group_barrier(CLK_LOCAL_MEM_FENCE);
	if (sub_group_elect()) { out[last - g] = g; *turn = g - 1; }
}
kernel void same(global uint *out, local atomic_uint *flag) {
	uint l = get_sub_group_local_id();
	if (l == 0) __opencl_atomic_init(flag, 0);
	sub_group_barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 3) __opencl_atomic_store(flag, 5u, memory_order_release, memory_scope_work_group);
	else while (__opencl_atomic_load(flag, memory_order_acquire, memory_scope_work_group) == 0) {}
	out[l] = sub_group_reduce_add(__opencl_atomic_load(flag, memory_order_relaxed, memory_scope_work_group));
}
kernel void count(global uint *out, local uint *sum) {
	for (uint k = get_local_id(0); k < 4; k += get_local_size(0)) __opencl_atomic_fetch_add((volatile global atomic_uint *)&out[k + sub_group_any(k == 2)], 1, memory_order_relaxed, memory_scope_device);
}`, wfv.Options{})
	for _, name := range []string{"relay", "same"} {
		require.Equal(t, 1, p.Reports[name].Width, name)
	}
	require.Equal(t, 16, p.Reports["count"].Width, "nobody looks at what the atomic operation finds")
	out := make([]uint32, 64)
	within(t, func() {
		require.NoError(t, p.Run(p.Kernels["relay"], kerneltest.Launch{Global: [3]int{64}, Local: [3]int{64}}, out, kerneltest.Local(4)))
	})
	require.Equal(t, []uint32{3, 2, 1, 0}, out[:4])
	within(t, func() {
		require.NoError(t, p.Run(p.Kernels["same"], kerneltest.Launch{Global: [3]int{16}, Local: [3]int{16}}, out, kerneltest.Local(4)))
	})
	require.Equal(t, uint32(80), out[9])
}

// within fails a test that hangs.
func within(t *testing.T, do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		t.Fatal("no end in sight")
	}
}
