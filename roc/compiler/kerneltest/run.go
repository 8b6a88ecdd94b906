package kerneltest

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/printf"

	"github.com/ebitengine/purego"
)

// Local is the size in bytes of a local-memory argument.
type Local int

// Launch is an NDRange. Sizes of zero mean one.
type Launch struct {
	Global, Local, Offset [3]int
	// Calls is in how many calls of the native kernel the groups are cut, 1 if zero.
	Calls int
	// Text, unless it is nil, is where what the kernel prints is appended to.
	Text *[]byte
}

// Run runs a native kernel on this thread. Arguments are []T buffers of fixed-size T, which the kernel gets the address of
// and changes; Local; or values of fixed-size types, passed as encoding/binary lays them out.
func (l Library) Run(info codeobject.KernelInfo, n Launch, args ...any) error {
	sym, err := purego.Dlsym(uintptr(l), info.Symbol)
	if err != nil {
		return err
	}
	if len(args) != len(info.Args) {
		return fmt.Errorf("%d arguments for %d parameters", len(args), len(info.Args))
	}
	kernarg := aligned(int(info.HiddenOffset) + codeobject.HiddenSize)
	group := int(info.GroupSegmentSize)
	var pins runtime.Pinner
	defer pins.Unpin()
	for i, a := range args {
		info, at := info.Args[i], kernarg[info.Args[i].Offset:]
		switch {
		case info.Kind == codeobject.ArgLocal:
			group = (group + 127) &^ 127
			binary.LittleEndian.PutUint32(at, uint32(group))
			group += int(a.(Local))
		case info.Kind == codeobject.ArgGlobal:
			p := address(a)
			pins.Pin(p)
			binary.LittleEndian.PutUint64(at, uint64(uintptr(p)))
		default:
			if _, err := binary.Encode(at[:info.Size], binary.LittleEndian, a); err != nil {
				return fmt.Errorf("argument %d: %w", i, err)
			}
		}
	}
	hidden := (*codeobject.HiddenArgs)(unsafe.Pointer(&kernarg[info.HiddenOffset]))
	groups, items := 1, 1
	for d := range 3 {
		global, local := max(1, n.Global[d]), max(1, n.Local[d])
		hidden.BlockCount[d], hidden.Remainder[d] = uint32(global/local), uint16(global%local)
		hidden.GroupSize[d], hidden.GlobalOffset[d] = uint16(local), uint64(n.Offset[d])
		if n.Global[d] > 0 {
			hidden.GridDims = uint16(d + 1)
		}
		groups *= (global + local - 1) / local
		items *= local
	}
	frame := aligned(int(info.FrameFixed) + int(info.FramePerItem)*((items+63)&^63))
	segment := aligned(group)
	for i := range segment { // undefined at the start: make that show
		segment[i] = 0xA5
	}
	for i := range frame {
		frame[i] = 0x5A
	}
	ctx := &codeobject.Context{Local: unsafe.Pointer(unsafe.SliceData(segment)), Frame: unsafe.Pointer(unsafe.SliceData(frame))}
	for _, p := range []any{ctx, unsafe.SliceData(segment), unsafe.SliceData(frame), unsafe.SliceData(kernarg)} {
		pins.Pin(p)
	}
	var records []byte
	if n.Text != nil {
		records = aligned(printed)
		pins.Pin(unsafe.SliceData(records))
		next := uintptr(unsafe.Pointer(unsafe.SliceData(records)))
		ctx.Print = &codeobject.PrintBuffer{Next: next, End: next + printed}
		pins.Pin(ctx.Print)
	}
	calls := max(1, n.Calls)
	for i := range calls {
		purego.SyscallN(sym, uintptr(unsafe.Pointer(unsafe.SliceData(kernarg))), uintptr(unsafe.Pointer(ctx)), uintptr(groups*i/calls), uintptr(groups*(i+1)/calls))
	}
	if n.Text != nil {
		records = records[:ctx.Print.Next-uintptr(unsafe.Pointer(unsafe.SliceData(records)))]
		*n.Text = printf.Append(*n.Text, records, readString)
	}
	return check(segment, frame, kernarg)
}

// printed is how many bytes of records a kernel may leave. There is nobody to make room for more.
const printed = 4 << 20

// readString reads a string of the kernel's.
func readString(address uint64, limit int) (s []byte, ok bool) {
	for p := *(*unsafe.Pointer)(unsafe.Pointer(&address)); len(s) < limit && *(*byte)(p) != 0; p = unsafe.Add(p, 1) {
		s = append(s, *(*byte)(p))
	}
	return s, true
}

// guard is what follows a block of memory lent to a kernel.
const guard = 64

// aligned allocates n bytes aligned to 256, followed by a guard that check looks at.
func aligned(n int) []byte {
	b := make([]byte, n+256+guard)
	skip := int(-uintptr(unsafe.Pointer(&b[0])) & 255)
	b = b[skip : skip+n : skip+n+guard]
	for i := range guard {
		b[:n+guard][n+i] = 0xC3
	}
	return b
}

func check(blocks ...[]byte) error {
	for k, b := range blocks {
		for i, v := range b[len(b) : len(b)+guard] {
			if v != 0xC3 {
				return fmt.Errorf("the kernel wrote %d bytes past the end of %s", i, []string{"local memory", "its frame", "its arguments"}[k])
			}
		}
	}
	return nil
}

// address of a slice's elements.
func address(slice any) unsafe.Pointer {
	switch s := slice.(type) {
	case []byte:
		return unsafe.Pointer(unsafe.SliceData(s))
	case []int32:
		return unsafe.Pointer(unsafe.SliceData(s))
	case []uint16:
		return unsafe.Pointer(unsafe.SliceData(s))
	case []uint32:
		return unsafe.Pointer(unsafe.SliceData(s))
	case []uint64:
		return unsafe.Pointer(unsafe.SliceData(s))
	case []int64:
		return unsafe.Pointer(unsafe.SliceData(s))
	case []float32:
		return unsafe.Pointer(unsafe.SliceData(s))
	case []float64:
		return unsafe.Pointer(unsafe.SliceData(s))
	}
	panic(fmt.Sprintf("kerneltest: no buffer of type %T", slice))
}
