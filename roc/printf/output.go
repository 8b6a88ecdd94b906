package printf

import (
	"os"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// output is the C library's stream stdout, to which the application's own printf writes too: what either has written by then
// stands in front of what the other writes next.
var output = sync.OnceValue(func() (o struct{ stdout, fwrite, fflush uintptr }) {
	for _, s := range []struct {
		to   *uintptr
		name string
	}{{&o.stdout, "stdout"}, {&o.fwrite, "fwrite"}, {&o.fflush, "fflush"}} {
		address, err := purego.Dlsym(purego.RTLD_DEFAULT, s.name)
		if err != nil {
			o.stdout = 0
			return o
		}
		*s.to = address
	}
	return o
})

// Write writes text in one piece and has it seen at once: "When the event that is associated with a particular kernel
// invocation is completed, the output of all printf() calls executed by this kernel invocation is flushed" (OpenCL C 3.0
// section 6.15.14.1).
func Write(text []byte) {
	if len(text) == 0 {
		return
	}
	o := output()
	if o.stdout == 0 {
		os.Stdout.Write(text)
		return
	}
	stream := **(**uintptr)(unsafe.Pointer(&o.stdout))
	purego.SyscallN(o.fwrite, uintptr(unsafe.Pointer(&text[0])), 1, uintptr(len(text)), stream)
	purego.SyscallN(o.fflush, stream)
}
