package roc

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/soft"

	"github.com/stretchr/testify/require"
)

// testKernels are the kernels in soft/testdata/kernels.c: how many explicit arguments of eight bytes each has.
var testKernels = map[string]int{
	"add": 4, "count": 2, "step": 3, "mark": 1, "scratch": 3, "deep": 2, "trap_null": 1, "trap_late": 1, "trap_stack": 1,
}

var compiled = sync.OnceValues(func() (*codeobject.Program, error) {
	dir, err := os.MkdirTemp("", "roc")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	so := filepath.Join(dir, "kernels.so")
	cmd := exec.Command("gcc", "-O1", "-w", "-shared", "-fPIC", "-o", so, "soft/testdata/kernels.c")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	code, err := os.ReadFile(so)
	p := &codeobject.Program{Type: codeobject.Executable, Code: code}
	for name, args := range testKernels {
		hidden := uint32(args * 8)
		p.Kernels = append(p.Kernels, codeobject.KernelInfo{
			Name: name, Symbol: name, HiddenOffset: hidden, KernargSize: hidden + codeobject.HiddenSize, Cost: 10, Width: 1,
		})
	}
	return p, err
})

// bench is a device with the test kernels.
type bench struct {
	tb      testing.TB
	device  *Device
	program *Program
}

// Agents live as long as the process, so tests share them, and the devices on them.
var (
	benches    = make(map[benchKey]*bench)
	benchLimit = limits{queues: 4, size: 1024, batch: 16}
)

type benchKey struct {
	workers int
	limits  limits
}

func newBench(tb testing.TB, workers int, l limits) *bench {
	key := benchKey{workers, l}
	shared := benches[key]
	if shared == nil {
		a, err := soft.New(soft.Config{Workers: workers, SpinMicros: 20})
		require.NoError(tb, err)
		shared = &bench{device: newDevice(a, l)}
		benches[key] = shared
		code, err := compiled()
		require.NoError(tb, err)
		shared.program, err = shared.device.Load(code)
		require.NoError(tb, err)
	}
	return &bench{tb: tb, device: shared.device, program: shared.program}
}

// queue returns a host queue whose errors fail the test, unless onError is given.
func (b *bench) queue(inOrder bool, onError func(*hostqueue.Command, string)) *hostqueue.Queue {
	if onError == nil {
		onError = func(_ *hostqueue.Command, text string) { b.tb.Error(text) }
	}
	v, err := b.device.NewVirtualGPU(inOrder, false, PriorityNormal, false)
	require.NoError(b.tb, err)
	v.OnError = onError
	q := hostqueue.NewQueue(v, hostqueue.Config{InOrder: inOrder})
	b.tb.Cleanup(q.Release)
	return q
}

func (b *bench) kernel(name string) *Kernel {
	k, err := b.program.Kernel(name)
	require.NoError(b.tb, err)
	return k
}

// dispatch is an NDRange of groups work-groups of size work-items.
func (b *bench) dispatch(kernel string, groups, size int, args ...uint64) *Dispatch {
	k := b.kernel(kernel)
	kernarg, err := b.device.NewKernarg(k, b.explicit(args...), nil)
	require.NoError(b.tb, err)
	return &Dispatch{
		Kernel: k, Args: kernarg, Dims: 1, Global: [3]uint64{uint64(groups * size), 1, 1}, Local: [3]uint64{uint64(size), 1, 1},
	}
}

// explicit are the bytes of explicit arguments.
func (b *bench) explicit(args ...uint64) (bytes []byte) {
	for _, a := range args {
		bytes = binary.LittleEndian.AppendUint64(bytes, a)
	}
	return bytes
}

// enqueue puts op into q. seen is whether an event is held for it.
func (b *bench) enqueue(q *hostqueue.Queue, op hostqueue.Op, seen bool, wait ...*hostqueue.Command) *hostqueue.Command {
	c := hostqueue.NewCommand(hostqueue.KindCommand, op)
	c.Visible = seen
	require.NoError(b.tb, q.Enqueue(c, wait))
	return c
}

// memory returns n zeroed uint64 of device memory.
func (b *bench) memory(n int) []uint64 {
	m, err := b.device.Alloc(uint64(n) * 8)
	require.NoError(b.tb, err)
	words := unsafe.Slice((*uint64)(m.Ptr), n)
	clear(words)
	b.tb.Cleanup(m.Release)
	return words
}

func address(m []uint64) uint64 { return uint64(uintptr(unsafe.Pointer(&m[0]))) }

// reportCPU reports the processor time of a benchmark since start, which does not depend on who else uses the machine.
func reportCPU(b *testing.B, start time.Duration) {
	b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "cpu-ns/op")
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

const deadline = 30 * time.Second

// within fails the test with the state of everything if f takes too long.
func (b *bench) within(what string, f func()) {
	b.tb.Helper()
	done := make(chan struct{})
	go func() {
		f()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(deadline):
		b.tb.Fatalf("%s: still waiting\n%s", what, b.device.Dump())
	}
}
