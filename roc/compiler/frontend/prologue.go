package frontend

import (
	"bytes"
	"slices"
)

// asyncCopies declares the functions of cl_khr_extended_async_copies (OpenCL C 3.0 section 6.15.11), which clang 19 does not know.
const asyncCopies = `#define f(n, to, from, ...) event_t __attribute__((overloadable, convergent)) ` +
	`async_work_group_copy_##n(to void *, size_t, const from void *, size_t, size_t, size_t, size_t, __VA_ARGS__, event_t);
#define s size_t
f(2D2D, __local, __global, s, s) f(2D2D, __global, __local, s, s)
f(3D3D, __local, __global, s, s, s, s, s) f(3D3D, __global, __local, s, s, s, s, s)
#undef f
#undef s
`

// intelSubGroups declares the functions of cl_intel_subgroups that cl_khr_subgroups does not have, which clang 19 declares only in
// the header that takes long to read.
const intelSubGroups = `#define f(T) F(T, shuffle, (T, uint)) F(T, shuffle_xor, (T, uint)) F(T, shuffle_down, (T, T, uint)) F(T, shuffle_up, (T, T, uint))
#define F(T, n, a) T __attribute__((overloadable, convergent)) intel_sub_group_##n a;
#define v(T) f(T) f(T##2) f(T##3) f(T##4) f(T##8) f(T##16)
v(float) v(int) v(uint) f(long) f(ulong)
#ifdef cl_khr_fp64
f(double)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
f(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#undef v
#define v(T, n) F(T, block_read##n, (const __global uint *)) F(void, block_write##n, (__global uint *, T))
v(uint,) v(uint2, 2) v(uint4, 4) v(uint8, 8)
#undef v
#ifdef __IMAGE_SUPPORT__
#define v(T, n) F(T, block_read##n, (read_only image2d_t, int2)) F(void, block_write##n, (write_only image2d_t, int2, T))
v(uint,) v(uint2, 2) v(uint4, 4) v(uint8, 8)
#undef v
#endif
#if defined(__opencl_c_read_write_images) && __OPENCL_C_VERSION__ >= 200
#define v(T, n) F(T, block_read##n, (read_write image2d_t, int2)) F(void, block_write##n, (read_write image2d_t, int2, T))
v(uint,) v(uint2, 2) v(uint4, 4) v(uint8, 8)
#undef v
#endif
#undef F
#undef f
`

// source is what clang reads: in front of the program what its header lacks. Lines are counted from the program's first.
func (u *Unit) source() []byte {
	if u.Builtins {
		return u.Source
	}
	var s []byte
	if slices.Contains(u.Extensions, "cl_khr_extended_async_copies") {
		s = append(s, asyncCopies...)
	}
	if slices.Contains(u.Extensions, "cl_intel_subgroups") && u.mentions("intel_sub_group_") {
		s = append(s, intelSubGroups...)
	}
	if s == nil {
		return u.Source
	}
	return append(append(s, "#line 1\n"...), u.Source...)
}

// mentions reports whether text stands in the program, its headers or its macros; files that it includes are taken to.
func (u *Unit) mentions(text string) bool {
	has := func(b []byte) bool { return bytes.Contains(b, []byte(text)) }
	return has(u.Source) || bytes.Contains(u.Source, []byte("#include")) ||
		slices.ContainsFunc(u.Headers, func(h Header) bool { return has(h.Source) }) ||
		slices.ContainsFunc(u.Options.Defines, func(d string) bool { return has([]byte(d)) })
}
