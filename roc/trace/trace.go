// Package trace records what the driver does: commands, the packets they become, batches, builds, callbacks and waits. Those
// who do something say so with an Event of plain values; a goroutine in the background makes of them a timeline, statistics, a
// report and a log, whichever was asked for. While none was, On is false and that is all it costs.
package trace

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	_ "unsafe" // for go:linkname
)

// Kind is what an Event tells of, and what its fields mean.
type Kind uint8

const (
	_        Kind = iota
	Command       // a command of a host queue has ended: all fields
	Wait          // command ID waits for command Other
	Chunk         // work-groups of command ID ran on Track: Name, Start, End, Groups, Items; Count is 1 for the first ones; Type if no kernel of a program
	Batch         // a batch of Count commands has ended: Track is the ring, Other the batch, Cut, Start, End
	Build         // Name is the stage; Cached, Status, Start, End
	Callback      // the application's function for command ID: Start, End
	Blocked       // a thread of the application waited on queue Track: Name, Start, End
)

// Event is something that has happened. Times are nanoseconds of CLOCK_MONOTONIC, zero where there is none.
type Event struct {
	Kind   Kind
	Chosen bool   // the driver chose Local
	Cached bool   // the program came from the cache
	Status int32  // an error if negative
	Track  uint32 // the number of a queue, ring or thread
	Count  uint32 // explicit dependencies of a command, commands of a batch
	ID     uint64 // of a command; zero is none
	Other  uint64 // the batch of a command; see Wait
	Type   string // of a command, as OpenCL calls it in lower case; see Names
	Name   string // of the kernel, if there is one
	Cut    string // why the batch ended

	Queued, Submitted, Start, End, Completed uint64

	Global, Local [3]uint64 // work-items
	Bytes         uint64    // moved by a transfer
	Groups, Items uint64    // work-groups, and the work-items of one
}

// Inner in the ID of a Chunk says that it is one of several kernels of the command, or with nothing else that a kernel enqueued it.
const Inner = 1 << 63

// Options say what is to be made of the events.
type Options struct {
	Timeline string    // file of the timeline, "" for none
	Limit    int64     // bytes the timeline may have
	Rate     int       // commands a second that are recorded, above which there are gaps; 0: all
	Summary  io.Writer // gets statistics in short at Finish, nil for none
	Page     string    // file of a page with all that was recorded, written at Finish; "" for none
	Log      *Log      // nil for none
}

// recorder is one recording.
type recorder struct {
	ring    ring
	all     bool
	credit  atomic.Int64 // commands that may be recorded before the next refill
	rate    float64
	stop    chan struct{}
	stopped chan struct{}

	mu     sync.Mutex // guards what follows
	saved  float64    // credit not yet given
	last   int64      // nanotime of the last look
	used   int64      // processorTime then
	gap    int64      // since when nothing is recorded, 0: it is
	layout *layout
	file   *file
	tally  *tally
	log    *Log

	summary io.Writer
	page    string
}

// active is the recording under way, nil when there is none.
var active atomic.Pointer[recorder]

// On reports whether anything is recorded.
func On() bool { return active.Load() != nil }

// Sample reports whether a command or a wait that begins now is to be recorded. What belongs to it is, then, too.
func Sample() bool {
	r := active.Load()
	switch {
	case r == nil:
		return false
	case r.all:
		return true
	}
	return r.credit.Load() > 0 && r.credit.Add(-1) >= 0
}

// Record takes note of e. It may be called from any thread, with any lock held.
func Record(e *Event) {
	r := active.Load()
	if r == nil {
		return
	}
	for !r.ring.put(e) { // full: whoever finds it so empties it, so that memory is bounded and nothing is lost
		if r.mu.TryLock() {
			r.drain()
			r.mu.Unlock()
		} else {
			osyield()
		}
	}
}

// Start begins to record. It is called once, before anything is to be recorded; the error is that of the file.
func Start(o Options) error {
	r := &recorder{
		all: o.Rate == 0 || o.Summary != nil || o.Page != "" || o.Log != nil, rate: float64(o.Rate), last: nanotime(), log: o.Log,
		stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	r.used = processorTime()
	r.ring.init()
	r.credit.Store(int64(o.Rate))
	r.summary, r.page = o.Summary, o.Page
	if o.Summary != nil || o.Page != "" {
		r.tally = newTally(r.last)
	}
	if o.Timeline != "" {
		f, err := createFile(o.Timeline, o.Limit)
		if err != nil {
			return err
		}
		r.file = f
	}
	if o.Timeline != "" || o.Page != "" {
		r.layout = newLayout(r.last, r.file)
		if o.Page != "" {
			r.layout.picture = new(picture)
		}
	}
	active.Store(r)
	go r.run()
	return nil
}

// Flush has everything recorded so far written.
func Flush() {
	if r := active.Load(); r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.settle()
		r.sample()
		r.write()
	}
}

// Finish writes all there is, as the process ends.
func Finish() {
	Flush()
	r := active.Load()
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.summary != nil {
		r.tally.summary(r.summary, nanotime())
	}
	if r.page != "" {
		if err := r.writePage(r.page); err != nil {
			fmt.Fprintln(os.Stderr, "aqueduct: AQUEDUCT_REPORT:", err)
		}
	}
}

// Stop ends the recording.
func Stop() {
	r := active.Load()
	if r == nil {
		return
	}
	Flush()
	active.Store(nil)
	close(r.stop)
	<-r.stopped
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settle()
	r.write()
	if r.file != nil {
		r.file.close()
	}
}

const (
	period  = 5 * time.Millisecond // of the process's work between two looks of the background
	longest = 5                    // periods that pass between two looks if the process has little of the processor
)

func (r *recorder) run() {
	defer close(r.stopped)
	timer := time.NewTimer(period)
	defer timer.Stop()
	for {
		select {
		case <-r.stop:
			return
		case <-timer.C:
		}
		r.mu.Lock()
		now, used := nanotime(), processorTime()
		passed := now - r.last
		work := worked(passed, used-r.used)
		r.last, r.used = now, used
		r.drain()
		r.sample()
		r.refill(now, work)
		r.write()
		r.mu.Unlock()
		timer.Reset(time.Duration(float64(period) * float64(passed) / float64(work)))
	}
}

// worked is how much of the time that passed a process that used the processor for so long is taken to have worked, in nanoseconds:
// what recording costs is to be the same part of what the process gets where others crowd the machine. One that hardly uses the
// processor is taken to have worked for a fifth of the time.
func worked(passed, used int64) int64 { return min(max(used, passed/longest, 1), max(passed, 1)) }

// processorTime is how long the threads of the process have run, in nanoseconds.
func processorTime() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// drain passes on what is in the ring. r.mu is held, as in what follows.
func (r *recorder) drain() {
	for e := r.ring.take(); e != nil; e = r.ring.take() {
		if r.tally != nil {
			r.tally.add(e)
		}
		if r.log != nil {
			r.log.event(e)
		}
		if r.layout != nil {
			r.layout.add(e)
		}
		r.ring.done()
		if r.file != nil && len(r.file.buffer) > writeSize {
			r.write()
		}
	}
}

// settle is drain of all that is in the ring by now. A thread in the midst of writing an event keeps back those that others have written
// behind it, so it is waited for; not for ever, as where a process ends it may have been stopped for good.
func (r *recorder) settle() {
	const patience = int64(time.Second)
	last := r.ring.next.Load()
	for end := nanotime() + patience; ; osyield() {
		if r.drain(); r.ring.read >= last || nanotime() > end {
			return
		}
	}
}

// sample reads the gauges.
func (r *recorder) sample() {
	if r.layout != nil {
		gauges.read(func(g *gauge, v int64) { r.layout.count(nanotime(), g, v) })
	}
}

// refill gives new credit for some nanoseconds of work, after a gap only once it suffices for a stretch, as a stretch is worth more
// than single commands.
func (r *recorder) refill(now, work int64) {
	if r.all {
		return
	}
	r.saved = min(r.saved+r.rate*float64(work)/1e9, r.rate)
	if r.credit.Load() <= 0 {
		if r.gap == 0 {
			r.gap = now
		}
		if r.saved < r.rate/8 {
			return
		}
		r.layout.gap(r.gap, now)
		r.gap = 0
		r.credit.Store(0)
	}
	n := min(int64(r.saved), int64(r.rate)-r.credit.Load())
	r.saved -= float64(n)
	r.credit.Add(n)
}

func (r *recorder) write() {
	if r.file != nil {
		r.file.write()
	}
}

// nanotime reads CLOCK_MONOTONIC, in nanoseconds.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

// Now is the time of an event.
func Now() uint64 { return uint64(nanotime()) }

// osyield lets another thread that is ready have this core.
func osyield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
