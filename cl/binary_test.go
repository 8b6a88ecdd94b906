package cl

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// linked has variables that point at one another, and a kernel with attributes that reads through them.
const linked = `
	typedef struct N { global struct N *next; int v; } N;
	extern global N b;
	global N a = {&b, 1};
	global N b = {&a, 2};
	global int x = 7;
	global int *global px = &x;
	constant int table[3] = {4, 5, 6};
	constant int *constant pt = &table[1];
	global float values[4] = {1, 2, 3, 4};
	global float *global middle = &values[2];
	kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(global uint *restrict out, const uint n)
	{
		out[0] = a.next->v;
		out[1] = a.next->next->v;
		out[2] = (*px)++;
		out[3] = *pt;
		out[4] = middle[-1];
		out[5] = px == &x;
		out[6] = n;
	}`

func TestBinariesHaveVariablesArgumentsAndNoAttributes(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_program_scope_global_variables")
	query := func(k *Kernel, get func(Out) Status) string {
		var b [64]byte
		var size uintptr
		require.Equal(t, CL_SUCCESS, get(Out{Value: Addr(uintptr(unsafe.Pointer(&b))), Size: 64, SizeRet: Addr(uintptr(unsafe.Pointer(&size)))}))
		return string(b[:max(size, 1)-1])
	}
	check := func(p *Program, attributes string) {
		k := f.kernel(p, "k")
		defer k.Release()
		out, n := f.buffer(28), binary.LittleEndian.AppendUint32(nil, 9)
		defer out.Release()
		require.Equal(t, CL_SUCCESS, k.SetArg(0, Arg{Mem: out}))
		require.Equal(t, CL_SUCCESS, k.SetArg(1, Arg{Bytes: n}))
		c := k.Clone()
		defer c.Release()
		_, st := f.q.NDRangeKernel(c, &Range{Dims: 1, Global: [3]uint64{1}, HasGlobal: true}, Sync{})
		require.Equal(t, CL_SUCCESS, st)
		f.within("the kernel", func() { f.q.Finish() })
		require.Equal(t, []uint32{2, 1, 7, 5, 2, 1, 9}, unsafe.Slice((*uint32)(unsafe.Pointer(&f.bytes(out)[0])), 7))
		require.Equal(t, attributes, query(k, func(o Out) Status { return k.Info(CL_KERNEL_ATTRIBUTES, o) }))
		require.Equal(t, "out", query(k, func(o Out) Status { return k.ArgInfo(0, CL_KERNEL_ARG_NAME, o) }))
		require.Equal(t, "uint", query(k, func(o Out) Status { return k.ArgInfo(1, CL_KERNEL_ARG_TYPE_NAME, o) }))
	}
	options := "-cl-std=CL3.0 -cl-kernel-arg-info"
	p := f.ctx.CreateProgramWithSource([]string{linked})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{Options: &options}), f.log(p))
	check(p, "reqd_work_group_size(1,1,1)")

	theBuilder = testBuilder // which cannot compile OpenCL C: nothing is compiled again
	b, _, st := f.ctx.CreateProgramWithBinary([]*Device{f.device}, [][]byte{f.built(p).binary})
	require.Equal(t, CL_SUCCESS, st)
	defer b.Release()
	require.Equal(t, CL_SUCCESS, b.Build(BuildArgs{}), f.log(b))
	check(b, "")
}

func TestDamagedBinariesAreRefused(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_program_scope_global_variables")
	options := "-cl-std=CL3.0"
	p := f.ctx.CreateProgramWithSource([]string{linked})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{Options: &options}), f.log(p))
	good := f.built(p).binary
	load := func(bin []byte) Status {
		b, _, st := f.ctx.CreateProgramWithBinary([]*Device{f.device}, [][]byte{bin})
		if st == CL_SUCCESS {
			b.Release()
		}
		return st
	}
	require.Equal(t, CL_SUCCESS, load(good))
	require.True(t, strings.HasSuffix(DriverVersion, fmt.Sprintf(".%d", good[7])), "applications keep binaries by the driver's version: it has the binary's in it")
	r := rand.New(rand.NewSource(1))
	for range 300 {
		require.Equal(t, CL_INVALID_BINARY, load(good[:1+r.Intn(len(good)-1)]), "cut short")
		bad := append([]byte(nil), good...)
		bad[r.Intn(len(bad))] ^= 1 << r.Intn(8)
		require.Equal(t, CL_INVALID_BINARY, load(bad), "a bit flipped")
	}
	require.Equal(t, CL_INVALID_BINARY, load(append(append([]byte(nil), good...), 0)), "too long")
	require.Equal(t, CL_INVALID_BINARY, load([]byte("\x7fELF of another driver")))
}

func TestBinaryTypes(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	kind := func(p *Program) (v uint32) {
		require.Equal(t, CL_SUCCESS, p.BuildInfo(f.device, CL_PROGRAM_BINARY_TYPE, Out{Value: Addr(uintptr(unsafe.Pointer(&v))), Size: 4}))
		return v
	}
	p := f.ctx.CreateProgramWithSource([]string{"int twice(int x) { return 2 * x; }"})
	defer p.Release()
	require.EqualValues(t, CL_PROGRAM_BINARY_TYPE_NONE, kind(p))
	require.Equal(t, CL_SUCCESS, p.Compile(BuildArgs{}, nil))
	require.EqualValues(t, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, kind(p))
	link := func(options string, inputs ...*Program) *Program {
		l, st := f.ctx.Link(BuildArgs{Options: &options}, inputs, func(*Program) bool { return true })
		require.Equal(t, CL_SUCCESS, st, f.log(l))
		t.Cleanup(func() { l.Release() })
		return l
	}
	library := link("-create-library -enable-link-options", p)
	require.EqualValues(t, CL_PROGRAM_BINARY_TYPE_LIBRARY, kind(library))
	again, _, st := f.ctx.CreateProgramWithBinary([]*Device{f.device}, [][]byte{f.built(library).binary})
	require.Equal(t, CL_SUCCESS, st)
	defer again.Release()
	require.EqualValues(t, CL_PROGRAM_BINARY_TYPE_LIBRARY, kind(again))
	user := f.ctx.CreateProgramWithSource([]string{"int twice(int); kernel void k(global uint *out) { out[0] = twice(21); }"})
	defer user.Release()
	require.Equal(t, CL_SUCCESS, user.Compile(BuildArgs{}, nil))
	whole := link("-cl-fast-relaxed-math", user, again)
	require.EqualValues(t, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, kind(whole))
	out := []uint32{0}
	k := f.kernel(whole, "k")
	defer k.Release()
	f.run(k, 1, out)
	require.EqualValues(t, 42, out[0])
}

func TestBuildsGoOnAfterTheCompilerIsUnloaded(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	for i := range 3 {
		p := f.ctx.CreateProgramWithSource([]string{"kernel void k(global uint *out) { out[0] = " + string(rune('1'+i)) + "; }"})
		require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}), f.log(p))
		UnloadCompiler()
		out := []uint32{0}
		k := f.kernel(p, "k")
		f.run(k, 1, out)
		require.EqualValues(t, 1+i, out[0])
		k.Release()
		p.Release()
	}
}
