// Package device is a simulated AMD GPU: its memory, events, rings and the order in which work of several rings proceeds. It is what
// the kernel driver and the hardware are together, as seen through the interface of libhsakmt; package gcn executes the instructions.
package device

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"aqueduct/conformance/simgpu/gcn"
)

// Nodes of the topology.
const (
	HostNode = 0
	GPUNode  = 1
)

// VRAM is how much memory the GPU has.
const VRAM = 8 << 30

// The upper halves of the flat addresses that mean local and private memory of a work-item.
const (
	LocalAperture   = 0x0001_0000_0000_0000
	PrivateAperture = 0x0002_0000_0000_0000
)

// Status is what the interface answers, as HSAKMT_STATUS numbers it.
type Status int

// Statuses.
const (
	Success          Status = 0
	InvalidParameter Status = 3
	InvalidHandle    Status = 4
	InvalidNode      Status = 5
	NoMemory         Status = 6
	NotImplemented   Status = 10
	NotSupported     Status = 11
	WaitTimeout      Status = 31
)

// Config is what may be set.
type Config struct {
	Chip   string // gfx906 or gfx90a
	Seed   uint64 // of the order in which waves and rings take turns
	Strict bool   // mistakes that hardware would not notice are errors
	Log    bool   // every packet, on standard error
}

// GPU is one simulated GPU.
type GPU struct {
	Config
	// OnFault is called before the event of a page fault is raised.
	OnFault func(event uint32, address uint64)

	mu       sync.Mutex // guards all but events; whoever holds it keeps the GPU from working
	memory   memory
	ordering ordering
	queues   []*queue
	program  *gcn.Program
	random   *rand.Rand
	waves    []*gcn.Wave // not in use

	events    events
	mailboxes uint64 // a word for each event
	doorbells uint64 // a word for each queue
	started   sync.Once
}

// New makes a GPU. It works once it has a queue.
func New(c Config) (*GPU, error) {
	program, err := gcn.NewProgram(c.Chip, LocalAperture, PrivateAperture)
	if err != nil {
		return nil, err
	}
	g := &GPU{Config: c, ordering: newOrdering(), program: program, random: rand.New(rand.NewPCG(c.Seed, 0))}
	g.events = events{all: map[uint32]*event{}, changed: make(chan struct{})}
	var errno syscall.Errno
	if g.mailboxes, errno = mmap(0, 8*maxEvents, syscall.PROT_READ|syscall.PROT_WRITE); errno != 0 {
		return nil, errno
	}
	// Copy engines write the mailbox themselves.
	g.memory.insert(Range{Address: g.mailboxes, Size: 8 * maxEvents, Mapped: true, alias: uintptr(g.mailboxes)})
	if g.doorbells, errno = mmap(0, 8*maxQueues, syscall.PROT_READ|syscall.PROT_WRITE); errno != 0 {
		return nil, errno
	}
	return g, nil
}

// Clock is the GPU's counter, of 100 MHz.
func Clock() uint64 { return Now() / 10 }

// clockBoottime is a clock of Linux that package time does not read.
const clockBoottime = 7

// Now is the host's counter, in nanoseconds, of the clock that ROCr reads.
func Now() uint64 {
	var t syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockBoottime, uintptr(unsafe.Pointer(&t)), 0)
	return uint64(t.Nano())
}

func (g *GPU) logf(format string, args ...any) {
	if g.Log {
		g.report(format, args...)
	}
}

func (g *GPU) report(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "simgpu: "+format+"\n", args...)
}

// work lets the rings take turns for as long as the process lives. Which one is next, and how far it gets, is random.
func (g *GPU) work() {
	debug.SetPanicOnFault(true) // memory that an application unmapped is a page fault of the GPU, not the end of the process
	idle := 0
	for {
		if g.turn() {
			idle = 0
			continue
		}
		idle++
		switch {
		case idle < 100:
			time.Sleep(0)
		case idle < 2000:
			pause(20 * time.Microsecond)
		default:
			pause(300 * time.Microsecond)
		}
	}
}

// pause blocks the thread: the timers of Go are not as fine.
func pause(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	syscall.Nanosleep(&t, nil)
}

// turn lets each queue do a little and reports whether one of them did.
func (g *GPU) turn() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	progress := false
	for _, i := range g.random.Perm(len(g.queues)) {
		if q := g.queues[i]; !q.halted && q.engine.advance() {
			progress = true
		}
	}
	return progress
}
