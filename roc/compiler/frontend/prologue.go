package frontend

import "slices"

// asyncCopies declares the functions of cl_khr_extended_async_copies (OpenCL C 3.0 section 6.15.11), which clang 19 does not know.
const asyncCopies = `#define f(n, to, from, ...) event_t __attribute__((overloadable, convergent)) ` +
	`async_work_group_copy_##n(to void *, size_t, const from void *, size_t, size_t, size_t, size_t, __VA_ARGS__, event_t);
#define s size_t
f(2D2D, __local, __global, s, s) f(2D2D, __global, __local, s, s)
f(3D3D, __local, __global, s, s, s, s, s) f(3D3D, __global, __local, s, s, s, s, s)
#undef f
#undef s
#line 1
`

// source is what clang reads: in front of the program what its header lacks. Lines are counted from the program's first.
func (u *Unit) source() []byte {
	if u.Builtins || !slices.Contains(u.Extensions, "cl_khr_extended_async_copies") {
		return u.Source
	}
	return append([]byte(asyncCopies), u.Source...)
}
