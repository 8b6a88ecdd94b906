package hostqueue_test

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc"
	"aqueduct/roc/compiler/codeobject"

	"github.com/stretchr/testify/require"
)

// These tests run queues on the embedded agent, with VirtualGPU between them, as the driver does.

const kernargBytes = 24

var program = sync.OnceValues(func() (*roc.Program, error) {
	devices, err := roc.Devices()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "hostqueue")
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
	p := &codeobject.Program{Type: codeobject.Executable}
	if p.Code, err = os.ReadFile(so); err != nil {
		return nil, err
	}
	for _, name := range []string{"nothing", "step", "add", "trap"} {
		p.Kernels = append(p.Kernels, codeobject.KernelInfo{Name: name, Symbol: name, Cost: 1,
			HiddenOffset: kernargBytes, KernargSize: kernargBytes + codeobject.HiddenSize})
	}
	return devices[0].Load(p)
})

// machine is the first device with the test kernels.
type machine struct {
	tb     testing.TB
	device *roc.Device
	prog   *roc.Program
	kernel map[string]*roc.Kernel
	queues []*hostqueue.Queue
}

func newMachine(tb testing.TB) *machine {
	prog, err := program()
	require.NoError(tb, err)
	devices, err := roc.Devices()
	require.NoError(tb, err)
	m := &machine{tb: tb, device: devices[0], prog: prog, kernel: map[string]*roc.Kernel{}}
	for _, name := range []string{"nothing", "step", "add", "trap"} {
		m.kernel[name], err = prog.Kernel(name)
		require.NoError(tb, err)
	}
	tb.Cleanup(func() {
		for _, q := range m.queues {
			q.Release()
		}
	})
	return m
}

func (m *machine) queue(inOrder, profiling bool) *hostqueue.Queue {
	gpu, err := m.device.NewVirtualGPU(inOrder, profiling, roc.PriorityNormal, false)
	require.NoError(m.tb, err)
	q := hostqueue.NewQueue(gpu, hostqueue.Config{InOrder: inOrder, Profiling: profiling})
	m.queues = append(m.queues, q)
	return q
}

// launch enqueues groups of one work-item.
func (m *machine) launch(q *hostqueue.Queue, kernel string, args []uint64, groups uint64, wait ...*hostqueue.Command) *hostqueue.Command {
	c := m.command(kernel, args, groups)
	if err := q.Enqueue(c, wait); err != nil {
		m.tb.Error(err)
	}
	return c
}

func (m *machine) command(kernel string, args []uint64, groups uint64) *hostqueue.Command {
	var explicit [kernargBytes]byte
	for i, a := range args {
		binary.LittleEndian.PutUint64(explicit[8*i:], a)
	}
	k := m.kernel[kernel]
	a, err := m.device.NewKernarg(k, explicit[:], nil)
	if err != nil {
		m.tb.Error(err)
	}
	return hostqueue.NewCommand(hostqueue.KindCommand, &roc.Dispatch{Kernel: k, Args: a, Dims: 1,
		Global: [3]uint64{groups, 1, 1}, Local: [3]uint64{1, 1, 1}})
}

// words is memory that kernels count in.
func (m *machine) words(n int) []uint64 {
	mem, err := m.device.Alloc(uint64(8 * n))
	require.NoError(m.tb, err)
	m.tb.Cleanup(mem.Release)
	w := unsafe.Slice((*uint64)(mem.Ptr), n)
	clear(w)
	return w
}

func at(p *uint64) uint64 { return uint64(uintptr(unsafe.Pointer(p))) }

// within fails with the state of the queues when f takes too long.
func (m *machine) within(f func()) {
	m.tb.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(120 * time.Second):
		text := m.device.Dump()
		for _, q := range m.queues {
			text += q.Dump()
		}
		stacks := make([]byte, 1<<16)
		m.tb.Fatalf("hangs:\n%s\n%s", text, stacks[:runtime.Stack(stacks, true)])
	}
}

func TestChainAcrossQueuesOnTheAgent(t *testing.T) {
	for name, c := range map[string]struct {
		inOrder, gated, visible bool
		queues, n               int
	}{
		"one in-order queue":       {inOrder: true, queues: 1, n: 5000},
		"one out-of-order queue":   {queues: 1, n: 5000},
		"two in-order queues":      {inOrder: true, queues: 2, n: 5000, visible: true},
		"seven queues":             {queues: 7, n: 5000, visible: true},
		"gated, two queues":        {inOrder: true, queues: 2, n: 5000, visible: true, gated: true},
		"gated, one in-order":      {inOrder: true, queues: 1, n: 5000, gated: true},
		"gated, nine out-of-order": {queues: 9, n: 5000, gated: true},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			for range c.queues {
				m.queue(c.inOrder, false)
			}
			w := m.words(2)
			var last *hostqueue.Command
			gate := hostqueue.NewUser()
			if c.gated {
				last = gate
			}
			m.within(func() {
				for i := range c.n {
					cmd := m.command("step", []uint64{at(&w[0]), at(&w[1]), uint64(i)}, 1)
					cmd.Visible = c.visible
					var wait []*hostqueue.Command
					if last != nil {
						wait = append(wait, last)
					}
					if err := m.queues[i%c.queues].Enqueue(cmd, wait); err != nil {
						t.Error(err)
					}
					last = cmd
				}
				if c.gated {
					_ = gate.SetUserStatus(hostqueue.Complete, hostqueue.Leaves)
				}
				if s := last.Wait(); s != hostqueue.Complete {
					t.Error("ended with", s)
				}
			})
			require.EqualValues(t, c.n, w[0])
			require.Zero(t, w[1], "ran too early")
		})
	}
}

func TestManyThreadsManyQueuesOnTheAgent(t *testing.T) {
	m := newMachine(t)
	for i := range 20 {
		m.queue(i%2 == 0, i%5 == 0)
	}
	w := m.words(1)
	var called atomic.Int32
	const threads, each = 4, 3000
	m.within(func() {
		var all sync.WaitGroup
		for id := range threads {
			all.Go(func() {
				var last *hostqueue.Command
				for i := range each {
					q := m.queues[(i*7+id)%len(m.queues)]
					c := m.command("add", []uint64{at(&w[0])}, 2)
					var wait []*hostqueue.Command
					if i%3 == 0 && last != nil {
						wait = []*hostqueue.Command{last}
					}
					if err := q.Enqueue(c, wait); err != nil {
						t.Error(err)
					}
					last = c
					switch {
					case i%50 == 0:
						c.OnStatus(hostqueue.Complete, func(hostqueue.Status) { called.Add(1) })
					case i%31 == 0:
						_ = q.Enqueue(hostqueue.NewCommand(hostqueue.KindBarrier, nil), nil)
					case i%97 == 0:
						q.Finish()
					case i%101 == 0:
						c.Wait()
					}
				}
			})
		}
		all.Wait()
		for _, q := range m.queues {
			q.Finish()
		}
		for called.Load() != threads*each/50 {
			time.Sleep(50 * time.Microsecond)
		}
	})
	require.EqualValues(t, threads*each*2, w[0])
}

func TestTrapOnTheAgentEndsDependentsOnly(t *testing.T) {
	for name, inOrder := range map[string]bool{"in order": true, "out of order": false} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			q, q2 := m.queue(inOrder, false), m.queue(inOrder, false)
			w := m.words(7)
			gate := hostqueue.NewUser()
			next := 0
			add := func(q *hostqueue.Queue, wait ...*hostqueue.Command) *hostqueue.Command {
				next++
				return m.launch(q, "add", []uint64{at(&w[next-1])}, 1, wait...)
			}
			first := add(q, gate)
			bad := m.launch(q, "trap", nil, 1, gate)
			same := add(q, bad)
			other := add(q2, bad)
			second := add(q2, other)
			free := add(q)
			free2 := add(q2)
			_ = gate.SetUserStatus(hostqueue.Complete, hostqueue.Leaves)
			m.within(func() { q.Finish(); q2.Finish() })
			var got []hostqueue.Status
			for _, c := range []*hostqueue.Command{first, bad, same, other, second, free, free2} {
				got = append(got, c.Status())
			}
			require.Equal(t, []hostqueue.Status{0, hostqueue.ErrOutOfResources, hostqueue.ErrWaitList, hostqueue.ErrWaitList, hostqueue.ErrWaitList, 0, 0}, got)
			require.Equal(t, []uint64{1, 0, 0, 0, 1, 1}, w[:6], "runs of all but the one that trapped")
		})
	}
}

// Every command runs once, or, where a dependency failed, not at all, whatever else fails in the rings it shares.
func TestRandomTrapsOnTheAgent(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 0))
		m := newMachine(t)
		for range 1 + r.IntN(7) {
			m.queue(r.IntN(2) == 0, r.IntN(3) == 0)
		}
		const n = 300
		w := m.words(n)
		var all []*hostqueue.Command
		want := make([]hostqueue.Status, n)
		m.within(func() {
			for i := range n {
				kernel := "add"
				if r.IntN(40) == 0 {
					kernel, want[i] = "trap", hostqueue.ErrOutOfResources
				}
				c := m.command(kernel, []uint64{at(&w[i])}, 1)
				c.Visible = r.IntN(3) == 0
				var wait []*hostqueue.Command
				for range r.IntN(3) {
					if i > 0 {
						d := max(0, i-1-r.IntN(12))
						wait = append(wait, all[d])
						if want[d] < 0 {
							want[i] = hostqueue.ErrWaitList
						}
					}
				}
				q := m.queues[r.IntN(len(m.queues))]
				if err := q.Enqueue(c, wait); err != nil {
					t.Error(err)
				}
				all = append(all, c)
				if r.IntN(30) == 0 {
					q.Flush()
				}
			}
			for _, q := range m.queues {
				q.Finish()
			}
		})
		for i, c := range all {
			runs := uint64(0)
			if want[i] == hostqueue.Complete {
				runs = 1
			}
			require.Equal(t, want[i], c.Status(), "seed %d, command %d: %s", seed, i, c.Dump())
			require.Equal(t, runs, w[i], "seed %d, command %d: %s", seed, i, c.Dump())
		}
	}
}
