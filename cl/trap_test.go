package cl

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A trap of a kernel built with -g names its line, in each form of the kernel.
func TestTrapNamesItsLine(t *testing.T) {
	trapIn(t, `int get(global int *p, long i) {
	return p[i];
}
kernel void k(global int *o, int far) {
	local int l[64];
	l[get_local_id(0)] = o[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	o[get_global_id(0)] = l[63 - get_local_id(0)] + get(o, ((long)far << 44) * (get_global_id(0) + 1));
}`, "invalid access to memory", map[string]string{"-g": "at <source>:2", "-g -cl-opt-disable": "at <source>:2", "": "(instruction 0x"})
}

// manyCalls is a kernel that would never end to be compiled if all its functions were inlined. The last of them ends with leaf.
func manyCalls(leaf string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "int f0(global int *p, long i, int n) {\n\t%s\n}\n", leaf)
	const levels = 40
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&s, "int f%d(global int *p, long i, int n) { volatile int a[100000]; a[n] = n; return n > 50 ? a[99] : f%d(p, i + a[n], n + 1) + f%d(p, i - n, n * 9 + 1); }\n", i, i-1, i-1)
	}
	fmt.Fprintf(&s, "kernel void k(global int *o, int far) { o[get_global_id(0)] = f%d(o, ((long)far << 44) * (get_global_id(0) + 1), get_global_id(0) * 0); }\n", levels)
	return s.String()
}

func TestTrapInAFunctionThatIsCalledNamesItsLine(t *testing.T) {
	trapIn(t, strings.ReplaceAll(manyCalls("return p[i];"), "100000", "100"), "invalid access to memory",
		map[string]string{"-g": "at <source>:2", "": "(instruction 0x"})
}

func TestFunctionsThatAreCalledExhaustTheStackAsAnErrorOfTheCommand(t *testing.T) {
	trapIn(t, manyCalls("return i;"), "the stack of a work-item is exhausted", map[string]string{"": "(instruction 0x"})
}

// trapIn runs a kernel that traps, built with different options, and finds what is said of it.
func trapIn(t *testing.T, source, what string, where map[string]string) {
	withCompiler(t)
	said := make(chan string, 4)
	p := ThePlatform()
	needsCPU(t, p.Devices()[0])
	ctx, st := p.CreateContext(nil, p.Devices()[:1], func(text string) { said <- text })
	require.Equal(t, CL_SUCCESS, st)
	defer ctx.Release()
	f := &fixture{TB: t, device: p.Devices()[0], ctx: ctx}
	f.q = f.queue()
	defer f.q.Release()
	o := f.buffer(256)
	defer o.Release()
	for options, line := range where {
		program := f.program(source, options)
		k := f.kernel(program, "k")
		f.setArgs(k, o, 1)
		e, st := f.q.NDRangeKernel(k, &Range{Dims: 1, Global: [3]uint64{64}, HasGlobal: true, Local: [3]uint64{64}, HasLocal: true}, Sync{Event: true})
		require.Equal(t, CL_SUCCESS, st)
		require.EqualValues(t, CL_OUT_OF_RESOURCES, f.status(e))
		select {
		case text := <-said:
			require.Contains(t, text, "kernel k failed: "+what)
			require.Contains(t, text, line, options)
		case <-time.After(deadline):
			t.Fatal("nothing was said")
		}
		e.Release()
		k.Release()
		program.Release()
	}
}
