package cl

import (
	"encoding/binary"
	"sync"
	"unsafe"
)

// Table answers the clGet*Info of one type of object: parameter name to getter. T is the object, or a struct of it and what
// else the query names (a program and a device).
type Table[T any] map[uint32]func(T) Value

// Out is where the application wants an answer: Size bytes at Value (which may be 0: nowhere), and how long the answer is at
// SizeRet (which may be 0).
type Out struct {
	Value   Addr
	Size    uintptr
	SizeRet Addr
}

// Get answers one query.
func (t Table[T]) Get(obj T, param uint32, out Out) Status {
	getter := t[param]
	// CL_INVALID_VALUE if param_name is not one of the supported values
	if getter == nil {
		return CL_INVALID_VALUE
	}
	v := getter(obj)
	if v.status != CL_SUCCESS {
		return v.status
	}
	return out.Put(v)
}

// Put writes an answer.
func (out Out) Put(v Value) Status {
	// CL_INVALID_VALUE if the size in bytes specified by param_value_size is < size of the return type and param_value is
	// not a NULL value
	if out.Value != 0 {
		if out.Size < uintptr(len(v.data)) {
			return CL_INVALID_VALUE
		}
		copy(out.Value.Bytes(uintptr(len(v.data))), v.data)
	}
	if out.SizeRet != 0 {
		out.SizeRet.PutSize(uintptr(len(v.data)))
	}
	return CL_SUCCESS
}

// Value is an answer in the application's memory layout, or the error in its place.
type Value struct {
	data   []byte
	status Status
}

// Fail is the answer of a query that cannot be answered for this object.
func Fail(s Status) Value { return Value{status: s} }

// Bytes is an answer already laid out. An empty one has size 0.
func Bytes(b []byte) Value { return Value{data: b} }

// String is a NUL-terminated char[].
func String(s string) Value {
	b := make([]byte, len(s)+1)
	copy(b, s)
	return Value{data: b}
}

// Uint is a cl_uint, a cl_int in two's complement, a cl_bool or any other 32-bit enumeration.
func Uint[N ~uint32 | ~int32 | ~int](v N) Value {
	return Value{data: binary.NativeEndian.AppendUint32(nil, uint32(v))}
}

// Bool is a cl_bool.
func Bool(b bool) Value {
	if b {
		return Uint(uint32(CL_TRUE))
	}
	return Uint(uint32(CL_FALSE))
}

// Ulong is a cl_ulong, a bitfield, a size_t or a pointer: all are 64 bits wide.
func Ulong[N ~uint64 | ~uintptr | ~int](v N) Value {
	return Value{data: binary.NativeEndian.AppendUint64(nil, uint64(v))}
}

// Size is a size_t.
func Size[N ~uint64 | ~uint32 | ~uintptr | ~int](v N) Value { return Ulong(uint64(v)) }

// Ulongs is an array of size_t, of properties, of bitfields or of pointers.
func Ulongs[N ~uint64 | ~uintptr | ~int](vs ...N) Value {
	b := make([]byte, 0, 8*len(vs))
	for _, v := range vs {
		b = binary.NativeEndian.AppendUint64(b, uint64(v))
	}
	return Value{data: b}
}

// Uints is an array of cl_uint.
func Uints(vs ...uint32) Value {
	b := make([]byte, 0, 4*len(vs))
	for _, v := range vs {
		b = binary.NativeEndian.AppendUint32(b, v)
	}
	return Value{data: b}
}

// Strings is an array of pointers to NUL-terminated strings, which stay for good.
func Strings(ss []string) Value {
	at := make([]uintptr, len(ss))
	for i, s := range ss {
		text, _ := lasting.LoadOrStore(s, append([]byte(s), 0))
		at[i] = uintptr(unsafe.Pointer(unsafe.SliceData(text.([]byte))))
	}
	return Ulongs(at...)
}

// lasting keeps what Strings has given out.
var lasting sync.Map

// Identified is any object with a handle.
type Identified interface{ Handle() uintptr }

// HandleOf is one handle.
func HandleOf(o Identified) Value { return Ulong(o.Handle()) }

// NoHandle is the NULL handle.
func NoHandle() Value { return Ulong(uintptr(0)) }

// Handles is an array of handles.
func Handles[O Identified](os []O) Value {
	b := make([]byte, 0, 8*len(os))
	for _, o := range os {
		b = binary.NativeEndian.AppendUint64(b, uint64(o.Handle()))
	}
	return Value{data: b}
}

// Version packs a cl_version.
func Version(major, minor, patch uint32) uint32 { return major<<22 | minor<<12 | patch }

// NameVersion is one cl_name_version.
type NameVersion struct {
	Name    string
	Version uint32
}

// nameSize is CL_NAME_VERSION_MAX_NAME_SIZE.
const nameSize = CL_NAME_VERSION_MAX_NAME_SIZE

// NameVersions is an array of cl_name_version: the version, then the name in 64 bytes, NUL-terminated.
func NameVersions(vs []NameVersion) Value {
	b := make([]byte, 0, (4+nameSize)*len(vs))
	for _, v := range vs {
		b = binary.NativeEndian.AppendUint32(b, v.Version)
		var name [nameSize]byte
		copy(name[:nameSize-1], v.Name)
		b = append(b, name[:]...)
	}
	return Value{data: b}
}

// Addr is an address in the application's memory, possibly a wrong one. It is not a Go pointer, so that the runtime does not
// look at it before the driver means to.
type Addr uintptr

// Pointer is for memory about to be read or written.
func (a Addr) Pointer() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&a)) }

// Bytes is the n bytes at a, in place.
func (a Addr) Bytes(n uintptr) []byte { return unsafe.Slice((*byte)(a.Pointer()), n) }

// PutSize stores a size_t.
func (a Addr) PutSize(v uintptr) { *(*uintptr)(a.Pointer()) = v }

// PutUint stores a cl_uint or cl_int.
func (a Addr) PutUint(v uint32) { *(*uint32)(a.Pointer()) = v }

// PutUlong stores a cl_ulong.
func (a Addr) PutUlong(v uint64) { *(*uint64)(a.Pointer()) = v }
