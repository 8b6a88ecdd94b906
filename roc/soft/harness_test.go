package soft

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"

	"github.com/stretchr/testify/require"
)

// kernelArgs are the bytes of explicit arguments of the kernels in testdata/kernels.c.
var kernelArgs = map[string]uint32{
	"add": 32, "count": 16, "step": 24, "mark": 8, "hold": 8, "scratch": 24, "deep": 16, "trap_null": 8, "trap_wild": 8, "trap_illegal": 8,
	"trap_divide": 8, "trap_stack": 8, "trap_jump": 8, "over_stack": 8, "over_local": 8, "trap_late": 8,
}

// straight are those without loops.
var straight = map[string]bool{"step": true, "mark": true, "trap_null": true}

var compiled = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "soft")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	so := filepath.Join(dir, "kernels.so")
	cmd := exec.Command("gcc", "-O1", "-w", "-shared", "-fPIC", "-o", so, "testdata/kernels.c")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(so)
})

// bench is an agent with the test kernels loaded.
type bench struct {
	tb      testing.TB
	agent   *Agent
	kernels map[string]uint64
}

// Agents live as long as the process, so tests share them.
var (
	agents   = make(map[int]*Agent)
	service  atomic.Pointer[func(uint64) error]
	watched  sync.Map // argument -> func()
	lastArg  atomic.Uintptr
	handlers = func(arg uintptr) {
		f, ok := watched.LoadAndDelete(arg)
		if !ok {
			panic("handler called twice, or for nothing")
		}
		f.(func())()
	}
)

func newBench(tb testing.TB, workers int) *bench {
	a := agents[workers]
	if a == nil {
		var err error
		a, err = New(Config{Workers: workers, SpinMicros: 20})
		require.NoError(tb, err)
		a.SetHandler(handlers)
		a.SetService(func(arg uint64) error { return (*service.Load())(arg) })
		agents[workers] = a
	}
	b := &bench{tb: tb, agent: a, kernels: make(map[string]uint64)}
	code, err := compiled()
	require.NoError(tb, err)
	exe, err := a.Load(code)
	require.NoError(tb, err)
	for name, size := range kernelArgs {
		info := &codeobject.KernelInfo{
			Name: name, Symbol: name, HiddenOffset: size, KernargSize: size + codeobject.HiddenSize, Cost: 10, Straight: straight[name],
			Contends: name == "count",
		}
		b.kernels[name], err = exe.Kernel(info)
		require.NoError(tb, err)
	}
	return b
}

// serve has agent dispatch packets call f.
func (b *bench) serve(f func(arg uint64) error) { service.Store(&f) }

func (b *bench) queue(onError func([]hsa.Fault)) *Queue {
	if onError == nil {
		onError = func(faults []hsa.Fault) { b.tb.Errorf("packets failed: %v", faults) }
	}
	q, err := b.agent.NewQueue(256, hsa.PriorityNormal, onError)
	require.NoError(b.tb, err)
	return q.(*Queue)
}

// signal returns a signal with value 1.
func (b *bench) signal() hsa.Signal {
	s, err := b.agent.NewSignal()
	require.NoError(b.tb, err)
	return s
}

// watch has f called when s has come down.
func (b *bench) watch(s hsa.Signal, f func()) {
	arg := lastArg.Add(1)
	watched.Store(arg, f)
	b.agent.Watch(s, arg)
}

// kernarg is a kernarg segment for groups work-groups of size work-items.
func (b *bench) kernarg(groups, size int, args ...uint64) unsafe.Pointer {
	p, err := b.agent.AllocHost(uint64(len(args)*8 + codeobject.HiddenSize))
	require.NoError(b.tb, err)
	for i, a := range args {
		binary.LittleEndian.PutUint64(unsafe.Slice((*byte)(unsafe.Add(p, i*8)), 8), a)
	}
	*(*codeobject.HiddenArgs)(unsafe.Add(p, len(args)*8)) = codeobject.HiddenArgs{
		BlockCount: [3]uint32{uint32(groups), 1, 1}, GroupSize: [3]uint16{uint16(size), 1, 1}, GridDims: 1,
	}
	return p
}

// memory returns n zeroed uint64 outside Go's heap.
func (b *bench) memory(n int) []uint64 {
	p, err := b.agent.Alloc(uint64(n) * 8)
	require.NoError(b.tb, err)
	m := unsafe.Slice((*uint64)(p), n)
	clear(m)
	return m
}

func address(m []uint64) uint64 { return uint64(uintptr(unsafe.Pointer(&m[0]))) }

type dispatch struct {
	kernel  string
	kernarg unsafe.Pointer
	groups  int
	size    int
	local   uint32
	barrier bool
	signal  hsa.Signal
}

// reserve waits for room in q.
func (b *bench) reserve(q *Queue) uint64 {
	for end := time.Now().Add(deadline); ; {
		if at, ok := q.Reserve(1); ok {
			return at
		}
		if !b.help() && time.Now().After(end) {
			b.tb.Fatalf("no room in the queue\n%s", b.agent.Dump())
		}
	}
}

func (b *bench) dispatch(q *Queue, d dispatch) uint64 {
	at := b.reserve(q)
	p := (*hsa.KernelDispatchPacket)(q.Packet(at))
	p.WorkgroupSize = [3]uint16{uint16(d.size), 1, 1}
	p.GridSize = [3]uint32{uint32(d.groups * d.size), 1, 1}
	p.GroupSegmentSize = d.local
	p.KernelObject = b.kernels[d.kernel]
	p.KernargAddress = uint64(uintptr(d.kernarg))
	p.Completion = d.signal
	q.Publish(at, hsa.Header(hsa.PacketKernelDispatch, d.barrier, hsa.ScopeSystem, hsa.ScopeSystem), 1)
	return at
}

func (b *bench) barrier(q *Queue, t hsa.PacketType, bit bool, completion hsa.Signal, deps ...hsa.Signal) uint64 {
	at := b.reserve(q)
	p := (*hsa.BarrierPacket)(q.Packet(at))
	p.Deps = [5]hsa.Signal{}
	copy(p.Deps[:], deps)
	p.Completion = completion
	q.Publish(at, hsa.Header(t, bit, hsa.ScopeSystem, hsa.ScopeSystem), 0)
	return at
}

// all is a waiter that needs everything.
type all struct{}

func (all) Needs(hsa.Queue, any) bool { return true }

// help helps with whatever there is.
func (b *bench) help() bool { return b.agent.Help(all{}, nil) }

const deadline = time.Minute

// wait waits until done, helping if asked to.
func (b *bench) wait(what string, help bool, done func() bool) {
	b.tb.Helper()
	for end := time.Now().Add(deadline); !done(); {
		if help && b.help() {
			continue
		}
		if time.Now().After(end) {
			b.tb.Fatalf("%s: still waiting\n%s", what, b.agent.Dump())
		}
		time.Sleep(10 * time.Microsecond)
	}
}

func (b *bench) waitSignal(s hsa.Signal, help bool) {
	b.tb.Helper()
	b.wait("signal", help, func() bool { return s.Load() <= 0 })
}
