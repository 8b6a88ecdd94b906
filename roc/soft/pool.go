package soft

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"aqueduct/devicequeue"

	"github.com/ebitengine/purego"
)

// workers counts those that were started in the process.
var workers atomic.Uint32

// pool is the workers of an agent. One is woken when there is work and none awake will see to it soon; the ones that take
// long work wake the next, if there is more.
type pool struct {
	agent *Agent
	size  int
	spin  int64 // nanoseconds a worker without work looks on before it parks

	attentive atomic.Int32 // workers awake that will look at the queues within microseconds
	spinning  atomic.Int32 // those of them that find nothing
	spare     atomic.Int32 // workers parked or not started

	// news changes when there may be work for those who spin. They look at it alone, as looking at queues all the time would
	// slow down those who process them.
	_    [64]byte
	news atomic.Uint32
	_    [64]byte

	bell devicequeue.Bell // of the above, for kernels that enqueue

	mu       sync.Mutex // guards what follows
	started  int
	parked   []*worker // of those to be woken the last to park is the first
	watching bool      // watch runs
}

func (p *pool) init(a *Agent, size int, spin int64) {
	p.agent, p.size, p.spin = a, size, spin
	p.spare.Store(int32(size))
	setUpWake.Do(func() {
		wakeCallback = purego.NewCallback(func(b *devicequeue.Bell) uintptr {
			(*pool)(b.Pool).wakeAnother(false)
			return 0
		})
	})
	p.bell = devicequeue.Bell{
		Attentive: &p.attentive, Spare: &p.spare, News: &p.news, Wake: uint64(wakeAddress), Pool: unsafe.Pointer(p),
	}
}

// setUpWake makes wakeWorker know the Go function to call.
var setUpWake sync.Once

// wakeCallback is what wakeWorker calls (native_amd64.s).
//
//lint:ignore U1000 used by assembly
var wakeCallback uintptr

// wake has those who spin look for work, or a worker wake up if no one awake will.
func (p *pool) wake() {
	p.news.Add(1)
	if p.attentive.Load() == 0 {
		p.wakeAnother(false)
	}
}

// wakeAnother wakes a worker, unless that is not needed after all, or forced.
func (p *pool) wakeAnother(forced bool) {
	if p.spare.Load() == 0 {
		return
	}
	p.mu.Lock()
	if p.attentive.Load() > 0 && !forced || p.spare.Load() == 0 {
		p.mu.Unlock()
		return
	}
	p.spare.Add(-1)
	p.attentive.Add(1)
	if !p.watching {
		p.watching = true
		go p.watch()
	}
	if len(p.parked) > 0 {
		w := p.unparkOne()
		p.mu.Unlock()
		w.wake()
		return
	}
	unit := p.started
	p.started++
	p.mu.Unlock()
	if unit == 0 {
		p.makeRoom()
	}
	w := &worker{thread: thread{agent: p.agent, worker: true, number: workers.Add(1)}, unit: unit}
	go w.run(p)
}

// unparkOne takes a worker off the list, the last that slept on another CPU than the caller's if there is one: systems that do not know
// which CPUs share a cache, as in many virtual machines, have a thread wake where it slept, behind its waker. It is called with mu held.
func (p *pool) unparkOne() (w *worker) {
	at := len(p.parked) - 1
	if at > 0 {
		here := cpu()
		for i := at; i >= 0; i-- {
			if p.parked[i].cpu != here {
				at = i
				break
			}
		}
	}
	w = p.parked[at]
	p.parked = slices.Delete(p.parked, at, at+1)
	return w
}

// makeRoom sees to it that a thread that comes in from C finds one of the scheduler's processors free. Workers hold one each,
// spinning, executing or asleep in a system call; a thread that finds none waits until sysmon takes one away, which takes it
// from 20 microseconds to 10 milliseconds.
func (p *pool) makeRoom() {
	room.Lock()
	defer room.Unlock()
	room.workers += p.size
	if procs := room.workers + max(runtime.NumCPU(), 4); runtime.GOMAXPROCS(0) < procs {
		runtime.GOMAXPROCS(procs)
	}
}

// room is how many workers the agents that have started any may have.
var room struct {
	sync.Mutex // guards workers
	workers    int
}

// spinners is how many workers may spin: the cores that no worker uses, less one for the application.
func (p *pool) spinners() int32 {
	return max((int32(p.size)-1)/2, min(int32(p.size)-1, 1))
}

const (
	watchPeriod = time.Millisecond
	watchLinger = 20 // periods without a worker awake after which watch ends
)

// watch runs while workers are awake. A worker that is taken to be attentive may be in a kernel that takes longer than it ever
// did; when a queue has waited for someone since the last time, or for that kernel although it may not have to, watch wakes another.
func (p *pool) watch() {
	tick := time.NewTicker(watchPeriod)
	defer tick.Stop()
	for quiet := 0; quiet < watchLinger; quiet++ {
		<-tick.C
		if p.spare.Load() < int32(p.size) {
			quiet = 0
		}
		for _, q := range *p.agent.queues.Load() {
			read, held := q.read.Load()+1, q.held() // so that zero is no index
			if !q.ready() && (!held || q.freed == read) {
				read = 0
			}
			if q.waited == read && read != 0 {
				if held {
					q.freed = read
					q.kick()
				}
				p.news.Add(1)
				p.wakeAnother(true)
			}
			q.waited = read
		}
	}
	p.mu.Lock()
	p.watching = false
	p.mu.Unlock()
}
