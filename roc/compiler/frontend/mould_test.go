package frontend

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const small = "#include \"h.h\"\n#warning here\nkernel void k(global int *o) { *o = X; }"

// withMould has clangs be copies of a mould until the test ends.
func withMould(t *testing.T) {
	t.Helper()
	library, err := BuildMould(t.Context())
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "mould.so")
	require.NoError(t, os.WriteFile(file, library, 0o644))
	UseMould(file)
	t.Cleanup(func() {
		Release()
		mould.library = ""
	})
}

// working says whether there is a mould that works, as far as is known.
func working() bool {
	mould.Lock()
	defer mould.Unlock()
	return mould.library != "" && mould.running
}

func TestACopyOfTheMouldDoesWhatAClangOfItsOwnDoes(t *testing.T) {
	u := Unit{Dir: t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(u.Dir, "h.h"), []byte("#define X 1\n"), 0o644))
	alone, failed := compile(t, u, small, ""), compile(t, u, "#error no", "")
	withMould(t)
	for range 20 {
		require.Equal(t, alone, compile(t, u, small, ""))
		require.Equal(t, failed, compile(t, u, "#error no", ""))
		require.True(t, working())
	}
	require.Equal(t, []int{40}, units())
}

// units are how many units the idle copies of the mould have compiled.
func units() (n []int) {
	mould.Lock()
	defer mould.Unlock()
	for _, c := range mould.idle {
		n = append(n, c.units)
	}
	return n
}

// What clang keeps from one unit to the next must not show: options, targets and headers differ, and some units are wrong.
func TestUnitsOfACopyDoNotDependOnEachOther(t *testing.T) {
	sources := []string{
		"kernel void k(global float4 *o) { o[get_global_id(0)] = sqrt(o[0]) / 3; }",
		"kernel void k(global half *o, read_only image2d_t i) { *o = (half)(read_imagef(i, (int2)(1, 2)).x); }",
		"#define A(x) x + x\nstruct s { int a[4]; }; kernel void a(global struct s *o) { o->a[1] = A(o->a[2]); } kernel void b(global int *o) { *o = A(1) ",
		"#pragma OPENCL FP_CONTRACT OFF\nkernel void k(global float *o) { *o = *o * 2.5 + 1; }",
		"void f(int); kernel void k(local int *o) { f(*o); }",
	}
	var all []Unit
	for _, o := range []*Options{{}, {Std: "CL3.0", FastRelaxedMath: true}, {Std: "CLC++", Defines: []string{"sqrt=cos"}}, {Werror: true, DenormsAreZero: true}} {
		for _, p := range []string{"", "gfx906"} {
			for _, s := range sources {
				all = append(all, Unit{Source: []byte(s), Options: o, Processor: p, Extensions: []string{"cl_khr_fp16", "__opencl_c_images"}})
			}
		}
	}
	var alone []*Output
	run := func(u Unit) *Output {
		out, err := Run(t.Context(), &u)
		require.NoError(t, err)
		return out
	}
	for _, u := range all {
		alone = append(alone, run(u))
	}
	withMould(t)
	rand := rand.New(rand.NewPCG(1, 2))
	for range 2 {
		for _, i := range rand.Perm(len(all)) {
			require.Equal(t, alone[i], run(all[i]), "%+v", all[i])
		}
	}
	require.Equal(t, []int{2 * len(all)}, units())
}

func TestACopyThatCrashesCostsOneUnit(t *testing.T) {
	withMould(t)
	deep := "kernel void k(global int *o) { *o = " + strings.Repeat("(", 200000) + "1" + strings.Repeat(")", 200000) + "; }"
	for range 3 {
		require.NotEmpty(t, compile(t, Unit{}, "kernel void k() {}", "").Bitcode)
		_, err := Run(t.Context(), &Unit{Source: []byte("#pragma clang __debug crash\n"), Options: &Options{}})
		require.ErrorContains(t, err, "clang crashed")
		out, err := Run(t.Context(), &Unit{Source: []byte(deep), Options: &Options{}})
		require.True(t, err != nil || out.Bitcode == nil)
	}
	require.True(t, working())
}

func TestAUnitWhoseClangIsKilledIsCompiledByAnother(t *testing.T) {
	withMould(t)
	require.NotEmpty(t, compile(t, Unit{}, "kernel void k() {}", "").Bitcode)
	mould.Lock()
	copied := mould.idle[0].process
	mould.Unlock()
	require.NoError(t, copied.Signal(syscall.SIGSTOP)) // it takes the next unit, and goes no further
	done := make(chan *Output)
	go func() {
		out, _ := Run(t.Context(), &Unit{Source: []byte("kernel void k() {}"), Options: &Options{}})
		done <- out
	}()
	require.Eventually(t, func() bool { return len(units()) == 0 }, time.Minute, time.Millisecond)
	require.NoError(t, copied.Kill())
	out := <-done
	require.NotNil(t, out)
	require.NotEmpty(t, out.Bitcode, out.Log)
}

func TestAClangThatIsKilledHasNotCrashed(t *testing.T) {
	script := filepath.Join(t.TempDir(), "clang")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nkill -9 $$\n"), 0o755))
	_, err := compileOnce(t.Context(), script, nil, nil)
	require.Equal(t, errKilled, err)
}

func TestACopyIsReplacedAfterManyUnits(t *testing.T) {
	withMould(t)
	for range mostUnits + 1 {
		require.NotEmpty(t, compile(t, Unit{}, "kernel void k() {}", "").Bitcode)
	}
	require.Equal(t, []int{1}, units())
}

func TestCopiesOfTheMouldRunSideBySide(t *testing.T) {
	withMould(t)
	var wg sync.WaitGroup
	outs := make([]*Output, 8)
	for i := range outs {
		wg.Go(func() { outs[i] = compile(t, Unit{}, "kernel void k(global int *o) { *o = 1; }", "") })
	}
	wg.Wait()
	for _, out := range outs {
		require.NotEmpty(t, out.Bitcode, out.Log)
		require.Equal(t, outs[0].Bitcode, out.Bitcode)
	}
	require.True(t, working())
}

func TestACopyOfTheMouldEndsWhenItsBuildDoes(t *testing.T) {
	withMould(t)
	clang, err := Clang()
	require.NoError(t, err)
	c, err := spawn(clang)
	require.NoError(t, err)
	require.True(t, working())
	stop := make(chan struct{})
	close(stop)
	require.ErrorContains(t, c.run(nil, nil, stop), "killed")
	require.Empty(t, units())
}

func TestAMouldThatEndedIsReplaced(t *testing.T) {
	withMould(t)
	Prepare()
	Release()
	require.False(t, working())
	require.NotEmpty(t, compile(t, Unit{}, "kernel void k() {}", "").Bitcode)
	require.True(t, working())
}

func TestAClangThatIsNoMouldIsUsedAsItIs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mould.so")
	require.NoError(t, os.WriteFile(file, []byte("no library"), 0o644))
	UseMould(file)
	require.NotEmpty(t, compile(t, Unit{}, "kernel void k() {}", "").Bitcode)
	require.False(t, working())
}

func TestAScriptThatRunsClangMayBeTheMould(t *testing.T) {
	withMould(t)
	clang, err := Clang()
	require.NoError(t, err)
	script := filepath.Join(t.TempDir(), "clang")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexec "+clang+" \"$@\"\n"), 0o755))
	c, err := spawn(script)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	unit := Unit{Options: &Options{}}
	args := append(unit.Args(script), "-o", "-", "-") // with headers, which are not beside the script
	require.NoError(t, c.run(args, []byte("kernel void k(global int *o) { o[get_global_id(0)] = 1; }"), ctx.Done()), c.log.String())
	require.NotEmpty(t, c.bitcode.Bytes())
}
