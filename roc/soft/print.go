package soft

import (
	"sync"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/printf"

	"github.com/ebitengine/purego"
)

// printer takes what the kernels that a thread runs print.
type printer struct {
	buffer codeobject.PrintBuffer // first: kernels hand its address back
	memory unsafe.Pointer         // of codeobject.PrintBufferSize bytes, nil before the first kernel that prints
	text   []byte
}

// lend makes the buffer ready for a kernel.
func (p *printer) lend() (*codeobject.PrintBuffer, error) {
	if p.memory == nil {
		m, err := mapMemory(codeobject.PrintBufferSize)
		if err != nil {
			return nil, err
		}
		p.memory = m
		p.buffer.Drain = drainAddress
		setUpDrain()
		p.reset()
	}
	return &p.buffer, nil
}

func (p *printer) reset() {
	p.buffer.Next = uintptr(p.memory)
	p.buffer.End = p.buffer.Next + codeobject.PrintBufferSize
}

// drain prints the records there are. Those of a work-item come in the order of its calls, each in one piece.
func (p *printer) drain() {
	n := min(p.buffer.Next-uintptr(p.memory), codeobject.PrintBufferSize) // a kernel may have written over it
	if n == 0 {
		return
	}
	const keep = 64 << 10
	p.text = printf.Append(p.text[:0], unsafe.Slice((*byte)(p.memory), n), kernelString)
	p.reset()
	printf.Write(p.text)
	if cap(p.text) > keep {
		p.text = nil
	}
}

// kernelString reads a string at an address that a kernel named, which may be any.
func kernelString(address uint64, limit int) (s []byte, ok bool) {
	err := guarded(func() error {
		for len(s) < limit {
			c := *(*byte)(pointer(address + uint64(len(s))))
			if c == 0 {
				break
			}
			s = append(s, c)
		}
		return nil
	})
	return s, err == nil
}

// setUpDrain makes drainRecords know the Go function to call, once.
var setUpDrain = sync.OnceFunc(func() {
	drainCallback = purego.NewCallback(func(p *printer, size uintptr) uintptr {
		p.drain()
		return 0
	})
})

// drainCallback is what drainRecords calls (native_amd64.s).
//
//lint:ignore U1000 used by assembly
var drainCallback uintptr
