package roc

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
	"aqueduct/roc/soft"

	"github.com/stretchr/testify/require"
)

// testKernels are the kernels in soft/testdata/kernels.c: how many explicit arguments of eight bytes each has.
var testKernels = map[string]int{"count": 2, "step": 3, "mark": 1, "follow": 5, "hold": 1, "trap_null": 1}

// compiled are the kernels of the tests for the embedded agent.
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
			Straight: name == "step" || name == "trap_null",
		})
	}
	return p, err
})

// compileGPU makes a program for a GPU, as a code object of clang's.
func compileGPU(isa, source string) (*codeobject.Program, error) {
	clang := exec.Command("clang-19", "-x", "cl", "-cl-std=CL3.0", "-O1", "-target", "amdgcn-amd-amdhsa", "-mcpu="+isa,
		"-mcode-object-version=5", "--rocm-device-lib-path=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "-o", "/dev/stdout", "-")
	clang.Stdin, clang.Stderr = strings.NewReader(source), os.Stderr
	code, err := clang.Output()
	if err != nil {
		return nil, err
	}
	return codeobject.Read(code)
}

// onGPU is whether the tests run on a GPU (AQUEDUCT_DEVICES=gpu), and not on the embedded agent.
func onGPU() bool { return offered()[0] == deviceGPU }

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
	if onGPU() {
		workers = 0 // it has none
	}
	key := benchKey{workers, l}
	shared := benches[key]
	if shared == nil {
		shared = makeBench(tb, workers, l)
		benches[key] = shared
	}
	return &bench{tb: tb, device: shared.device, program: shared.program}
}

// makeBench is newBench with an agent that no other test has used.
func makeBench(tb testing.TB, workers int, l limits) *bench {
	var d *Device
	if onGPU() {
		d = newDevice(wholeGPU(tb), l)
		d.OnCompile(func(source string) (*codeobject.Program, error) { return compileGPU(d.Info().ISA, source) })
	} else {
		a, err := soft.New(soft.Config{Workers: workers, SpinMicros: 20})
		require.NoError(tb, err)
		d = newDevice(a, l)
	}
	return &bench{tb: tb, device: d, program: loadKernels(tb, d)}
}

// loadKernels loads the test kernels once more.
func loadKernels(tb testing.TB, d *Device) *Program {
	code, err := compiled()
	if onGPU() {
		text, readErr := os.ReadFile("testdata/kernels.cl")
		require.NoError(tb, readErr)
		code, err = compileGPU(d.Info().ISA, string(text))
	}
	require.NoError(tb, err)
	p, err := d.Load(code)
	require.NoError(tb, err)
	return p
}

// wholeGPU is an agent of its own, as each device needs one, of all compute units of the first GPU.
func wholeGPU(tb testing.TB) hsa.Agent {
	agents, err := providers[deviceGPU]()
	require.NoError(tb, err)
	var units []int
	for u := range agents[0].Info().ComputeUnits {
		units = append(units, int(u))
	}
	a, err := agents[0].Partition(units)
	require.NoError(tb, err)
	return a
}

// needsCPU skips a test of what only agents are tested for that are CPUs.
func needsCPU(tb testing.TB, why string) {
	tb.Helper()
	if onGPU() {
		tb.Skip(why)
	}
}

// few is n, or on a GPU, which may be a simulated one, a fraction of it.
func few(n int) int {
	if onGPU() {
		return (n + 39) / 40
	}
	return n
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

// alloc returns memory that the device and the host reach.
func (b *bench) alloc(size uint64) *Memory {
	m, err := b.device.AllocHost(size)
	require.NoError(b.tb, err)
	return m
}

// memory returns n zeroed uint64 of such memory.
func (b *bench) memory(n int) []uint64 {
	m := b.alloc(uint64(n) * 8)
	words := unsafe.Slice((*uint64)(m.Ptr), n)
	clear(words)
	b.tb.Cleanup(m.Release)
	return words
}

// trap is a launch that fails, and what is said of it.
func (b *bench) trap() (op *Dispatch, told string) {
	if onGPU() {
		return b.dispatch("trap", 1, 1, 0), "kernel trap failed: HSA_STATUS_ERROR_EXCEPTION"
	}
	return b.dispatch("trap_null", 1, 1, 0), "kernel trap_null failed: invalid access"
}

// hold is a launch that runs until open is called.
func (b *bench) hold() (op *Dispatch, open func()) {
	gate := b.memory(1)
	return b.dispatch("hold", 1, 1, address(gate)), func() { atomic.StoreUint64(&gate[0], 1) }
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

const deadline = time.Minute

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
