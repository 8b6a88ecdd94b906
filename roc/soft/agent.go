// Package soft is the embedded agent: an HSA agent in software, whose compute units are the cores of the host. Packet
// processors and work-groups run on a pool of workers and on threads that wait for the agent.
package soft

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"aqueduct/roc/hsa"
	"aqueduct/roc/trace"
)

// Config is what can be set about an agent.
type Config struct {
	Workers    int    // threads; 0: as many as affinity and control group allow
	SpinMicros int    // how long a worker without work stays awake
	StackSize  uint64 // bytes of stack for a kernel, a power of two; 0: 8 MiB
}

// Agent implements hsa.Agent.
type Agent struct {
	info    hsa.Info
	workers int
	units   map[int]int // by CPU
	cpus    []int       // on which the workers of a partition run, one each; what others run on is the system's choice
	part    bool        // a partition
	stacks  stacks
	signals signals
	memory  *memory
	pool    pool
	helpers helpers
	blits   [hsa.BlitFill + 1]*kernel
	loaded  sync.Map // *executable

	handler func(arg uintptr)      // set before the first Watch
	service func(arg uint64) error // set before the first agent dispatch packet

	mu     sync.Mutex
	queues atomic.Pointer[[]*Queue] // highest priority first; replaced with mu held

	launches     launches
	deviceQueues deviceQueues
}

var _ hsa.Agent = (*Agent)(nil)

// New returns the embedded agent. Its workers start with the first queue's first doorbell.
func New(c Config) (*Agent, error) {
	allowed := affinity()
	if c.Workers <= 0 {
		c.Workers = cores(len(allowed))
	}
	if c.StackSize == 0 {
		c.StackSize = 8 << 20
	}
	a := &Agent{info: describe(c.Workers)}
	for i := range c.Workers {
		a.cpus = append(a.cpus, allowed[i%len(allowed)])
	}
	a.stacks.init(c.StackSize, stacksPerWorker*c.Workers+maxHelpers)
	a.memory = &memory{limit: a.info.GlobalMemory}
	a.start(int64(c.SpinMicros) * 1000)
	return a, nil
}

// stacksPerWorker allows for workers of partitions.
const stacksPerWorker = 16

// start readies what each agent has of its own. spin is in nanoseconds.
func (a *Agent) start(spin int64) {
	a.workers = len(a.cpus)
	a.units = make(map[int]int)
	for unit, cpu := range a.cpus {
		a.units[cpu] = unit
	}
	a.launches.room = max(a.workers, 1)
	a.pool.init(a, a.workers, spin)
	a.blits = [...]*kernel{hsa.BlitCopy: builtin("copy", copyGroups), hsa.BlitFill: builtin("fill", fillGroups)}
	a.queues.Store(new([]*Queue))
	if trace.On() {
		trace.Gauge("busy workers", a.pool.busy)
	}
}

// Info implements hsa.Agent.
func (a *Agent) Info() *hsa.Info { return &a.info }

// SetHandler implements hsa.Agent.
func (a *Agent) SetHandler(h func(arg uintptr)) { a.handler = h }

// SetService implements hsa.Agent.
func (a *Agent) SetService(s func(arg uint64) error) { a.service = s }

// Blit implements hsa.Agent.
func (a *Agent) Blit(b hsa.Blit) uint64 { return a.blits[b].object() }

// Alloc implements hsa.Agent.
func (a *Agent) Alloc(size uint64) (unsafe.Pointer, error) { return a.memory.alloc(size) }

// AllocHost implements hsa.Agent.
func (a *Agent) AllocHost(size uint64) (unsafe.Pointer, error) { return a.memory.alloc(size) }

// Pin implements hsa.Agent.
func (a *Agent) Pin(host unsafe.Pointer, _ uint64) (unsafe.Pointer, func(), error) {
	return host, nil, nil
}

// Engine implements hsa.Agent: its own packets copy as fast as anything.
func (a *Agent) Engine(dst, src unsafe.Pointer) hsa.Engine { return nil }

// Write implements hsa.Agent.
func (a *Agent) Write(dst, src unsafe.Pointer, size uint64) error {
	copy(bytesAt(dst, size), bytesAt(src, size))
	return nil
}

// Free implements hsa.Agent.
func (a *Agent) Free(p unsafe.Pointer) { a.memory.free(p) }
