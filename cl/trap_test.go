package cl

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A trap of a kernel built with -g names its line, in each form of the kernel.
func TestTrapNamesItsLine(t *testing.T) {
	withCompiler(t)
	const source = `int get(global int *p, long i) {
	return p[i];
}
kernel void k(global int *o, int far) {
	local int l[64];
	l[get_local_id(0)] = o[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	o[get_global_id(0)] = l[63 - get_local_id(0)] + get(o, ((long)far << 44) * (get_global_id(0) + 1));
}`
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
	for options, line := range map[string]string{"-g": "at <source>:2", "-g -cl-opt-disable": "at <source>:2", "": "(instruction 0x"} {
		program := f.program(source, options)
		k := f.kernel(program, "k")
		f.setArgs(k, o, 1)
		e, st := f.q.NDRangeKernel(k, &Range{Dims: 1, Global: [3]uint64{64}, HasGlobal: true, Local: [3]uint64{64}, HasLocal: true}, Sync{Event: true})
		require.Equal(t, CL_SUCCESS, st)
		require.EqualValues(t, CL_OUT_OF_RESOURCES, f.status(e))
		select {
		case text := <-said:
			require.Contains(t, text, "kernel k failed: invalid access to memory")
			require.Contains(t, text, line, options)
		case <-time.After(deadline):
			t.Fatal("nothing was said")
		}
		e.Release()
		k.Release()
		program.Release()
	}
}
