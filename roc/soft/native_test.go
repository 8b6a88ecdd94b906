package soft

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"

	"github.com/stretchr/testify/require"
)

// failing returns a queue and where its failure will be told.
func (b *bench) failing() (*Queue, chan error, *uint64) {
	failed := make(chan error, 2)
	index := new(uint64)
	q := b.queue(func(faults []hsa.Fault) {
		*index = faults[0].Index
		for _, f := range faults {
			failed <- f.Err
		}
	})
	return q, failed, index
}

func (b *bench) failure(c chan error, help bool) error {
	b.tb.Helper()
	var err error
	b.wait("failure", help, func() bool {
		select {
		case err = <-c:
			return true
		default:
			return false
		}
	})
	return err
}

func TestTrapFailsThePacketAlone(t *testing.T) {
	both(t, func(t *testing.T, b *bench, help bool) {
		for kernel, text := range map[string]string{
			"trap_null":    "invalid access to memory at 0x0",
			"trap_wild":    "invalid access to memory at 0x123456789000",
			"trap_illegal": "illegal instruction",
			"trap_divide":  "arithmetic exception",
			"trap_stack":   "stack",
			"trap_jump":    "stack",
			"over_stack":   "past the private memory",
			"over_local":   "invalid access",
		} {
			q, failed, index := b.failing()
			counter := b.memory(1)
			count := dispatch{kernel: "count", kernarg: b.kernarg(1, 1, address(counter), 0), groups: 1, size: 1, barrier: true}
			never := b.signal()
			b.dispatch(q, count)
			bad := b.dispatch(q, dispatch{kernel: kernel, kernarg: b.kernarg(1, 1, 0), groups: 1, size: 1, local: 200, barrier: true, signal: never})
			at := b.dispatch(q, count)
			q.Doorbell(at, help)
			require.ErrorContains(t, b.failure(failed, help), text, kernel)
			require.Equal(t, bad, *index)
			require.EqualValues(t, 1, counter[0], "what is behind has run, or what is before has not")
			require.EqualValues(t, 1, never.Load())
			q.Destroy()
			require.Empty(t, failed)

			q = b.queue(nil) // everything works on
			s := b.signal()
			count.signal = s
			q.Doorbell(b.dispatch(q, count), help)
			b.waitSignal(s, help)
			q.Destroy()
		}
	})
}

func TestTrapInOneOfManyGroups(t *testing.T) {
	both(t, func(t *testing.T, b *bench, help bool) {
		q, failed, _ := b.failing()
		const groups = 10_000
		marks := b.memory(groups)
		marks[groups/2] = 1
		d := dispatch{kernel: "trap_late", kernarg: b.kernarg(groups, 64, address(marks)), groups: groups, size: 64}
		q.Doorbell(b.dispatch(q, d), help)
		require.ErrorContains(t, b.failure(failed, help), "invalid access")
		require.Zero(t, q.state.Load()/running)
	})
}

func TestFailureWaitsForWhatRunsBeside(t *testing.T) {
	b := newBench(t, 3)
	q, failed, index := b.failing()
	counter := b.memory(1)
	slow := b.signal()
	d := dispatch{kernel: "count", kernarg: b.kernarg(8, 1, address(counter), 3_000_000), groups: 8, size: 1, signal: slow}
	b.dispatch(q, d)
	bad := b.dispatch(q, dispatch{kernel: "trap_null", kernarg: b.kernarg(1, 1, 0), groups: 1, size: 1, signal: b.signal()})
	q.Doorbell(bad, false)
	require.Error(t, b.failure(failed, false))
	require.Equal(t, bad, *index)
	require.EqualValues(t, 8, counter[0])
	require.Zero(t, slow.Load())
}

func TestKernelHasLocalMemoryFrameAndStack(t *testing.T) {
	both(t, func(t *testing.T, b *bench, help bool) {
		q := b.queue(nil)
		errors := b.memory(1)
		const local, perItem, fixed, items = 48 << 10, 100, 300, 100
		info := &codeobject.KernelInfo{
			Name: "scratch", Symbol: "scratch", HiddenOffset: 24, KernargSize: 280, FramePerItem: perItem, FrameFixed: fixed, Cost: 1000,
		}
		code, err := compiled()
		require.NoError(t, err)
		exe, err := b.agent.Load(code)
		require.NoError(t, err)
		b.kernels["scratch"], err = exe.Kernel(info)
		require.NoError(t, err)
		s, deep := b.signal(), b.signal()
		frame := uint64(fixed + perItem*128) // items rounded up to 64
		b.dispatch(q, dispatch{
			kernel: "scratch", kernarg: b.kernarg(64, items, address(errors), local, frame), groups: 64, size: items, local: local, signal: s,
		})
		at := b.dispatch(q, dispatch{kernel: "deep", kernarg: b.kernarg(1, 1, address(errors[:1]), 7<<20), groups: 1, size: 1, barrier: true, signal: deep})
		q.Doorbell(at, help)
		b.waitSignal(s, help)
		b.waitSignal(deep, help)
		require.EqualValues(t, 1, errors[0], "deep stores 1 over the errors of scratch, which were none")
	})
}

func TestTooLargeFrameFailsThePacket(t *testing.T) {
	b := newBench(t, 1)
	q, failed, _ := b.failing()
	code, err := compiled()
	require.NoError(t, err)
	exe, err := b.agent.Load(code)
	require.NoError(t, err)
	b.kernels["huge"], err = exe.Kernel(&codeobject.KernelInfo{Name: "huge", Symbol: "count", HiddenOffset: 16, FramePerItem: 1 << 31})
	require.NoError(t, err)
	counter := b.memory(1)
	q.Doorbell(b.dispatch(q, dispatch{kernel: "huge", kernarg: b.kernarg(1, 4096, address(counter), 0), groups: 1, size: 65535}), true)
	require.ErrorContains(t, b.failure(failed, true), "memory of a work-group")
}

func TestBlitToMemoryThatIsGoneFailsThePacket(t *testing.T) {
	b := newBench(t, 2)
	for _, help := range []bool{true, false} {
		q, failed, _ := b.failing()
		b.kernels["copy"] = b.agent.Blit(hsa.BlitCopy)
		p := b.kernarg(1, 1, make([]uint64, 9)...)
		gone, err := mapMemory(pageSize)
		require.NoError(t, err)
		// Not unmapped: the next mapping could take its place.
		require.NoError(t, syscall.Mprotect(bytesAt(gone, pageSize), syscall.PROT_NONE))
		*(*hsa.CopyArgs)(p) = hsa.CopyArgs{Dst: uint64(uintptr(gone)), Src: uint64(uintptr(unsafe.Pointer(&b.memory(8)[0]))), Size: [3]uint64{64, 1, 1}}
		q.Doorbell(b.dispatch(q, dispatch{kernel: "copy", kernarg: p, groups: 1, size: 1}), help)
		require.Error(t, b.failure(failed, help))
	}
}

func TestManyExecutablesDoNotMixUp(t *testing.T) {
	b := newBench(t, 1)
	code, err := compiled()
	require.NoError(t, err)
	seen := make(map[uintptr]bool)
	for range 50 {
		exe, err := b.agent.Load(code)
		require.NoError(t, err)
		object, err := exe.Kernel(&codeobject.KernelInfo{Symbol: "add"})
		require.NoError(t, err)
		entry := kernelOf(object).entry
		require.False(t, seen[entry])
		seen[entry] = true
		if len(seen)%2 == 0 {
			exe.Destroy()
			delete(seen, entry)
		}
	}
	_, err = b.agent.Load([]byte("no ELF"))
	require.Error(t, err)
}

func TestMissingSymbolIsAnError(t *testing.T) {
	b := newBench(t, 1)
	code, err := compiled()
	require.NoError(t, err)
	exe, err := b.agent.Load(code)
	require.NoError(t, err)
	_, err = exe.Kernel(&codeobject.KernelInfo{Symbol: "nowhere"})
	require.Error(t, err)
	exe.Destroy()
}

// A trap outside a kernel is none of ours: it reaches Go, which panics, and a nil dereference can be recovered.
func TestOtherTrapsReachGo(t *testing.T) {
	b := newBench(t, 1)
	q, failed, _ := b.failing()
	q.Doorbell(b.dispatch(q, dispatch{kernel: "trap_null", kernarg: b.kernarg(1, 1, 0), groups: 1, size: 1}), true)
	require.Error(t, b.failure(failed, true))
	require.Panics(t, func() {
		var p *int
		*p = 1
	})
}

// With nobody else to handle it, a fault outside kernels still ends the process by its signal.
func TestUnhandledSignalStillKills(t *testing.T) {
	if os.Getenv("SOFT_TEST_KILL") != "" {
		b := newBench(t, 1)
		q, failed, _ := b.failing()
		q.Doorbell(b.dispatch(q, dispatch{kernel: "trap_null", kernarg: b.kernarg(1, 1, 0), groups: 1, size: 1}), true)
		b.failure(failed, true)
		earlier[syscall.SIGILL] = 0 // as in a process that has no handler
		syscall.Kill(os.Getpid(), syscall.SIGILL)
		time.Sleep(deadline)
	}
	cmd := exec.Command(os.Args[0], "-test.run=TestUnhandledSignalStillKills")
	cmd.Env = append(os.Environ(), "SOFT_TEST_KILL=1")
	require.ErrorContains(t, cmd.Run(), "illegal instruction")
}

// Traps on many threads at once, among kernels that work.
func TestTrapsUnderLoad(t *testing.T) {
	b := newBench(t, 4)
	var wg sync.WaitGroup
	for range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 60 {
				q, failed, _ := b.failing()
				counter := b.memory(1)
				b.dispatch(q, dispatch{kernel: "count", kernarg: b.kernarg(500, 64, address(counter), 50), groups: 500, size: 64})
				if i%2 != 0 {
					at := b.barrier(q, hsa.PacketBarrierAnd, true, b.signal())
					p := (*hsa.BarrierPacket)(q.Packet(at))
					s := p.Completion
					q.Doorbell(at, i%3 == 0)
					b.waitSignal(s, true)
					continue
				}
				at := b.dispatch(q, dispatch{kernel: "trap_stack", kernarg: b.kernarg(1, 1, 0), groups: 1, size: 1, barrier: true})
				q.Doorbell(at, i%3 == 0)
				if err := b.failure(failed, true); !strings.Contains(err.Error(), "stack") || counter[0] != 500 {
					t.Errorf("%v after %d groups", err, counter[0])
				}
			}
		}()
	}
	wg.Wait()
}
