package codeobject

// PrintBuffer is where a native kernel leaves its calls of printf (OpenCL C 3.0 section 6.15.14). Each is a record:
//
//	u64 size     bytes of the record, a multiple of 8, at most PrintRecordLimit
//	u64 format   address of the format string
//	and for each argument
//	u64 bytes    of the argument
//	...          the argument, padded to a multiple of 8
//
// A kernel asks for room, writes the record, then moves Next behind it; whoever lends the buffer prints the records up to
// Next when the call of the kernel has ended, or when Drain is called.
type PrintBuffer struct {
	Next, End uintptr // the room that is left
	// Drain is a C function `void drain(PrintBuffer *, uint64_t size)` that prints the records there are and makes room for one
	// of size bytes.
	Drain uintptr
}

const (
	// PrintBufferSize is how many bytes of records are kept before they are printed (CL_DEVICE_PRINTF_BUFFER_SIZE).
	PrintBufferSize = 1 << 20
	// PrintRecordLimit bounds a record: printf with more arguments does not compile.
	PrintRecordLimit = 1 << 16
)
