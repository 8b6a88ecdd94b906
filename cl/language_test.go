package cl

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// spaceSource tells of generic pointers into which memory they point. Some kernels are vectorised, some wait at barriers, and
// variables of work-items live on the stack or in what is kept across barriers.
const spaceSource = `
typedef struct { int a[5]; } S;
int tell(int *p) {
	return (to_global(p) == p && p) | (to_local(p) == p && p) << 1 | (to_private(p) == p && p) << 2 |
		(to_global(p) == 0) << 3 | (to_local(p) == 0) << 4 | (to_private(p) == 0) << 5 | get_fence(p) << 6;
}
global int variable;
kernel void straight(global uint *out, global uint *g, S s) {
	local int l[8];
	int p[4] = {1, 2, 3, 4};
	size_t i = get_global_id(0);
	int *at[] = {(int *)&g[i], &l[i % 8], &p[i % 4], &variable, &s.a[i % 5], (int *)0};
	out[i] = tell(at[i % 6]);
}
kernel void waits(global uint *out, global uint *g, S s) {
	local int l[8];
	int p[40];
	size_t i = get_global_id(0);
	for (int k = 0; k < 40; k++) p[k] = k * i;
	barrier(CLK_LOCAL_MEM_FENCE);
	int *q = i % 6 == 0 ? (int *)g : i % 6 == 1 ? (int *)l : i % 6 == 2 ? (int *)&p[i % 40] : i % 6 == 3 ? (int *)&variable : i % 6 == 4 ? &s.a[0] : (int *)0;
	if (get_group_id(0)) barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = tell(q) + (i % 6 == 2 && *q != (i % 40) * i) * 1000;
}
`

func TestGenericPointersKnowTheirAddressSpace(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_generic_address_space")
	const (
		global  = 1 | 1<<4 | 1<<5 | 2<<6 // CLK_GLOBAL_MEM_FENCE is 2
		local   = 2 | 1<<3 | 1<<5 | 1<<6
		private = 4 | 1<<3 | 1<<4
	)
	for _, options := range []string{"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"} {
		prog := f.program(spaceSource, options)
		for _, name := range []string{"straight", "waits"} {
			k := f.kernel(prog, name)
			require.Equal(t, CL_SUCCESS, k.SetArg(2, Arg{Bytes: make([]byte, 20)}))
			out, g := make([]uint32, 192), make([]uint32, 192)
			f.runGroups(k, len(out), 64, out, g)
			for i, got := range out {
				if i%6 == 5 { // null is in every space
					require.EqualValues(t, 7<<3, got&(7<<3))
					continue
				}
				if got&4 != 0 { // there is no fence for private memory
					got &^= 3 << 6
				}
				require.EqualValues(t, []uint32{global, local, private, global, private}[i%6], got, "work-item %d of %s, %s", i, name, options)
			}
			k.Release()
		}
		prog.Release()
	}
}

const floatAtomicSource = `
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void sums(global float *f, global double *d, global half *h, global uint *out) {
	local atomic_float l;
	size_t i = get_global_id(0);
	if (get_local_id(0) == 0) atomic_init(&l, 0);
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_fetch_add((volatile global atomic_float *)f, 1.0f);
	atomic_fetch_sub_explicit((volatile global atomic_double *)d, 0.5, memory_order_relaxed, memory_scope_device);
	atomic_fetch_max((volatile global atomic_float *)f + 1, (float)(i * 7 % 1000));
	atomic_fetch_min((volatile global atomic_double *)d + 1, -(double)(i * 7 % 1000));
	atomic_fetch_add_explicit((volatile global atomic_half *)h, (half)(i < 2000), memory_order_relaxed);
	atomic_fetch_add(&l, 2.0f);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = atomic_load(&l);
}
kernel void show(global float *f, global double *d, global half *h, global uint *out) {
	out[0] = f[0]; out[1] = -d[0]; out[2] = f[1]; out[3] = -d[1]; out[4] = h[0];
}`

func TestFloatsAreSummedAtomically(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_ext_float_atomics")
	for _, options := range []string{"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"} {
		prog := f.program(floatAtomicSource, options)
		sums, show := f.kernel(prog, "sums"), f.kernel(prog, "show")
		var mems []any
		for range 3 {
			m := f.buffer(16)
			clear(f.bytes(m))
			mems = append(mems, m)
			defer m.Release()
		}
		const n, group = 16384, 64
		out := make([]uint32, n)
		f.runGroups(sums, n, group, append(mems, out)...)
		for _, x := range out {
			require.EqualValues(t, 2*group, x)
		}
		result := make([]uint32, 5)
		f.run(show, 1, append(mems, result)...)
		require.Equal(t, []uint32{n, n / 2, 999, 999, 2000}, result, options)
		sums.Release()
		show.Release()
		prog.Release()
	}
}

const copySource = `
kernel void there(global uint *to, global const uint *from, global uint *sizes, local char *l) {
	size_t e = sizes[0], n = sizes[1], lines = sizes[2], planes = sizes[3], from_line = sizes[4], from_plane = sizes[5], to_line = sizes[6], to_plane = sizes[7];
	size_t i = get_local_id(0);
	for (size_t k = i; k < 4096; k += get_local_size(0)) l[k] = 0xee;
	barrier(CLK_LOCAL_MEM_FENCE);
	event_t ev = planes ? async_work_group_copy_3D3D(l, 3, from, 2, e, n, lines, planes, from_line, from_plane, to_line, to_plane, 0)
		: async_work_group_copy_2D2D(l, 3, from, 2, e, n, lines, from_line, to_line, 0);
	wait_group_events(1, &ev);
	ev = planes ? async_work_group_copy_3D3D(to, 1, (local const void *)l, 3, e, n, lines, planes, to_line, to_plane, from_line, from_plane, 0)
		: async_work_group_copy_2D2D(to, 1, (local const void *)l, 3, e, n, lines, to_line, from_line, 0);
	wait_group_events(1, &ev);
}`

// Lines and planes go to local memory, where they lie differently, and back.
func TestAsyncCopiesOfTwoAndThreeDimensions(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_extended_async_copies")
	prog := f.program(copySource, "-cl-std=CL1.2")
	defer prog.Release()
	k := f.kernel(prog, "there")
	defer k.Release()
	for _, s := range [][]uint32{
		{1, 7, 5, 0, 11, 0, 9, 0}, {2, 8, 4, 0, 8, 0, 8, 0}, {4, 3, 9, 0, 7, 0, 3, 0}, {16, 2, 3, 0, 5, 0, 4, 0}, {12, 5, 6, 0, 6, 0, 8, 0},
		{1, 7, 3, 4, 9, 40, 8, 31}, {8, 2, 2, 3, 3, 9, 2, 5}, {3, 1, 1, 1, 1, 1, 1, 1},
	} {
		to, from := make([]uint32, 1024), make([]uint32, 1024)
		for i := range from {
			from[i] = uint32(i) * 0x9e3779b9
		}
		require.Equal(t, CL_SUCCESS, k.SetArg(3, Arg{Local: 4096}))
		f.runGroups(k, 33, 33, to, from, s)
		want := make([]byte, 4096)
		e, n, lines, planes, line, plane := int(s[0]), int(s[1]), int(s[2]), max(int(s[3]), 1), int(s[4]), int(s[5])
		for z := range planes {
			for y := range lines {
				at := (z*plane + y*line) * e
				copy(want[at+e:at+e+n*e], bytesOfSlice(from)[at+2*e:])
			}
		}
		require.Equal(t, want, bytesOfSlice(to), "%v", s)
	}
}

func TestKernelClocksGoForward(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("cl_khr_kernel_clock")
	prog := f.program(`kernel void k(global uint *out) {
		ulong a = clock_read_device(), b = clock_read_work_group(), c = clock_read_sub_group();
		ulong start = clock_read_device(); volatile int x = 0; for (int i = 0; i < 10000; i++) x = i;
		uint2 hilo = clock_read_hilo_device(); ulong end = as_ulong(hilo);
		out[0] = a <= b && b <= c && c <= start && start < end && as_ulong(clock_read_hilo_work_group()) >= end && as_ulong(clock_read_hilo_sub_group()) >= end;
	}`, "-cl-std=CL3.0")
	defer prog.Release()
	k := f.kernel(prog, "k")
	defer k.Release()
	out := make([]uint32, 1)
	f.run(k, 1, out)
	require.EqualValues(t, 1, out[0])
}

// Clang passes vectors of three small elements as integers, with a fourth element that nobody set.
func TestVectorsOfThreeTravelWhole(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	prog := f.program(`
		int sign(char3 v) { return (v.x < 0) + 2 * (v.y < 0) + 4 * (v.z < 0); }
		uchar3 turn(uchar3 v) { return v.zxy; }
		kernel void k(global const char *in, global uint *out) {
			size_t i = get_global_id(0);
			char3 v = vload3(i, in);
			uchar3 w = turn(as_uchar3(v));
			out[i] = any(v) | all(v) << 1 | sign(v) << 4 | (w.x == (uchar)v.z && w.y == (uchar)v.x && w.z == (uchar)v.y) << 8;
		}`)
	defer prog.Release()
	k := f.kernel(prog, "k")
	defer k.Release()
	in, out := make([]uint32, 48), make([]uint32, 64)
	for i := range in {
		in[i] = uint32(i+1) * 0x9e3779b9
	}
	f.run(k, len(out), in, out)
	bytes := bytesOfSlice(in)
	for i, got := range out {
		x, y, z := uint32(bytes[3*i]>>7), uint32(bytes[3*i+1]>>7), uint32(bytes[3*i+2]>>7)
		require.Equal(t, x|y|z|(x&y&z)<<1|(x+2*y+4*z)<<4|1<<8, got, "work-item %d", i)
	}
}

// Denormals are kept, unless the build allows otherwise (OpenCL API 3.0 section 5.8.6.4), when they are flushed: for speed.
func TestDenormalsAreFlushedOnlyIfTheBuildSaysSo(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	const source = `kernel void k(global uint *in, global uint *out) {
		size_t i = get_global_id(0);
		out[2 * i] = as_uint(as_float(in[i]) * 0.5f);
		out[2 * i + 1] = as_uint(as_float(in[i]) + as_float(in[i]));
	}`
	in := []uint32{0x00800000, 0x80800001, 0x00000003, 0x00400000}
	for options, want := range map[string][]uint32{
		"":                                     {0x00400000, 0x01000000, 0x80400000, 0x81000001, 0x00000002, 0x00000006, 0x00200000, 0x00800000},
		"-cl-denorms-are-zero":                 {0, 0x01000000, 0x80000000, 0x81000001, 0, 0, 0, 0},
		"-cl-denorms-are-zero -cl-opt-disable": {0, 0x01000000, 0x80000000, 0x81000001, 0, 0, 0, 0},
	} {
		prog := f.program(source, options)
		k := f.kernel(prog, "k")
		out := make([]uint32, 8)
		f.run(k, 4, in, out)
		require.Equal(t, want, out, options)
		k.Release()
		prog.Release()
	}
}

// Every version of the language that the device claims compiles a program that needs what the version brought, and not what a
// later one did.
func TestEveryVersionOfTheLanguageCompiles(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	brought := map[uint32]string{
		Version(1, 0, 0): `kernel void k(global int *o) { *o = clamp(__OPENCL_C_VERSION__, 100, 1000); }`,
		Version(1, 1, 0): `kernel void k(global int *o) { *o = __OPENCL_C_VERSION__ + get_global_offset(0) + ((int3)(0)).z; }`,
		Version(1, 2, 0): `kernel void k(global int *o) { *o = __OPENCL_C_VERSION__ + popcount(0); }`,
		Version(2, 0, 0): `global int zero;
			kernel void unused(read_only pipe int p, queue_t q, read_write image2d_t i) {
				int x; read_pipe(p, &x);
				enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ zero++; });
				write_imagef(i, 0, read_imagef(i, 1) + work_group_reduce_add(x));
			}
			kernel void k(global int *o) { int *p = &zero; *o = __OPENCL_C_VERSION__ + *p; }`,
		Version(3, 0, 0): `kernel void k(global int *o) { atomic_store_explicit((global atomic_int *)o, __OPENCL_C_VERSION__, memory_order_relaxed, memory_scope_work_group); }`,
	}
	versions := f.device.languages()
	if !f.device.enqueues() {
		delete(brought, Version(2, 0, 0))
	}
	require.Len(t, versions, len(brought))
	for i, v := range versions {
		major, minor := v.Version>>22, v.Version>>12&0x3ff
		prog := f.program(brought[v.Version], fmt.Sprintf("-cl-std=CL%d.%d", major, minor))
		k, out := f.kernel(prog, "k"), make([]uint32, 1)
		f.run(k, 1, out)
		require.EqualValues(t, 100*major+10*minor, out[0])
		k.Release()
		prog.Release()
		if i > 0 && minor != 1 { // the functions of 1.1 are there in 1.0, too
			before := versions[i-1].Version
			if before == Version(2, 0, 0) { // which has all of 3.0
				before = Version(1, 2, 0)
			}
			source := f.ctx.CreateProgramWithSource([]string{brought[v.Version]})
			options := fmt.Sprintf("-cl-std=CL%d.%d", before>>22, before>>12&0x3ff)
			require.Equal(t, CL_BUILD_PROGRAM_FAILURE, source.Build(BuildArgs{Options: &options}), "%s of %s", options, brought[v.Version])
			source.Release()
		}
	}
}

// "async_work_group_copy and async_work_group_strided_copy for 3-component vector types behave as [...] for 4-component vector types."
func TestAsyncCopiesOfThreeComponentsAreOfFour(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	prog := f.program(`kernel void there(global int *to, global int *from) {
		local int l[4 * 30], m[4 * 30];
		size_t n = get_local_size(0);
		event_t e = async_work_group_copy((local int3 *)l, (global int3 *)from, n, 0);
		e = async_work_group_strided_copy((local int3 *)m, (global int3 *)from, n, 2, e);
		wait_group_events(1, &e);
		e = async_work_group_copy((global int3 *)to, (local int3 *)l, n, 0);
		e = async_work_group_strided_copy((global int3 *)to + n, (local int3 *)m, n, 2, e);
		wait_group_events(1, &e); }`)
	defer prog.Release()
	k := f.kernel(prog, "there")
	defer k.Release()
	const n = 30
	from, to, want := make([]uint32, 8*n), make([]uint32, 12*n), make([]uint32, 12*n)
	for i := range from {
		from[i] = uint32(i)
	}
	copy(want, from[:4*n])
	for i := range n {
		copy(want[4*(n+2*i):][:4], from[8*i:])
	}
	f.runGroups(k, n, n, to, from)
	require.Equal(t, want, to)
}

func TestLocalVariablesBeyondTheDevicesMemoryDoNotRun(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	size := f.device.roc.Info().LocalMemory
	prog := f.ctx.CreateProgramWithSource([]string{fmt.Sprintf(`kernel void k(global char *to) { local char l[%d]; l[to[1]] = 1; barrier(CLK_LOCAL_MEM_FENCE); to[0] = l[to[2]]; }`, size+1)})
	defer prog.Release()
	st := prog.Build(BuildArgs{})
	if f.device.kind == CL_DEVICE_TYPE_GPU { // whose code cannot name such a place
		require.Equal(t, CL_BUILD_PROGRAM_FAILURE, st)
		require.Contains(t, prog.builds[0].log, "local memory")
		return
	}
	require.Equal(t, CL_SUCCESS, st, prog.builds[0].log)
	k := f.kernel(prog, "k")
	defer k.Release()
	m := f.buffer(4)
	defer m.Release()
	require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: m}))
	_, st = f.q.NDRangeKernel(k, line(1, 1), Sync{})
	require.Equal(t, CL_OUT_OF_RESOURCES, st)
}
