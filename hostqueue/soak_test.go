package hostqueue

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// soakCommand is a command of a random graph with what the test knows of it.
type soakCommand struct {
	*Command
	planned    Status // what it ends with if it runs
	deps       []*soakCommand
	start, end atomic.Int64 // points of a common clock; zero if it did not run
	ran        atomic.Int32
	done       atomic.Int32
	calls      atomic.Int32
	asked      int // callbacks
}

// soak enqueues random graphs from several threads into several queues, agents and domains, with failures, user events that
// are set late, callbacks that enqueue, waits, flushes and finishes, then checks what must be true of every command.
type soak struct {
	t      *testing.T
	clock  atomic.Int64
	agents []*fakeAgent
	queues []*Queue

	mu    sync.Mutex // guards what follows
	all   []*soakCommand
	gates []*soakCommand // user events not yet set
}

func TestRandomGraphs(t *testing.T) {
	seed := uint64(1)
	rounds := 12
	if s := os.Getenv("SOAK_SECONDS"); s != "" { // open-ended, with seeds of its own
		n, err := strconv.Atoi(s)
		require.NoError(t, err)
		seed = uint64(time.Now().UnixNano())
		for end := time.Now().Add(time.Duration(n) * time.Second); time.Now().Before(end); seed++ {
			t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { runSoak(t, seed) })
		}
		return
	}
	for ; rounds > 0; rounds-- {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { runSoak(t, seed) })
		seed++
	}
}

func runSoak(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	s := &soak{t: t}
	for range 1 + r.IntN(3) {
		s.agents = append(s.agents, newAgent(t, 1+r.IntN(2), r.IntN(2) == 0))
	}
	for range 1 + r.IntN(8) {
		cfg := Config{InOrder: r.IntN(2) == 0, Profiling: r.IntN(3) == 0, Limit: 200 + r.IntN(2000)}
		a := s.agents[r.IntN(len(s.agents))]
		s.queues = append(s.queues, NewQueue(&fakeDevice{agent: a, inOrder: cfg.InOrder, batch: 1 + r.IntN(40)}, cfg))
	}
	var threads, setter sync.WaitGroup
	for i := range 3 {
		threads.Go(func() { s.thread(rand.New(rand.NewPCG(seed, uint64(i+1))), 400) })
	}
	var stop atomic.Bool
	setter.Go(func() { s.setGates(rand.New(rand.NewPCG(seed, 99)), &stop) })
	within(t, threads.Wait, s.queues...)
	stop.Store(true)
	within(t, setter.Wait, s.queues...)
	within(t, func() {
		for _, q := range s.queues {
			q.Finish()
		}
	}, s.queues...)
	// Callbacks may have enqueued more.
	eventually(t, "callbacks", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.called() }, s.queues...)
	for _, q := range s.queues {
		q.Release()
	}
	eventually(t, "closed", func() bool {
		for _, q := range s.queues {
			if q.Device().(*fakeDevice).closed.Load() != 1 {
				return false
			}
		}
		return true
	}, s.queues...)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.check()
}

func (s *soak) called() bool {
	for _, c := range s.all {
		if c.Status() > Complete || int(c.calls.Load()) < c.asked {
			return false
		}
	}
	return true
}

// setGates sets user events, at random times and to random statuses, until all threads have ended and none is left.
func (s *soak) setGates(r *rand.Rand, stop *atomic.Bool) {
	for {
		last := stop.Load()
		s.mu.Lock()
		var c *soakCommand
		if n := len(s.gates); n > 0 {
			i := r.IntN(n)
			c = s.gates[i]
			s.gates[i] = s.gates[n-1]
			s.gates = s.gates[:n-1]
		}
		s.mu.Unlock()
		switch {
		case c != nil:
			c.end.Store(s.clock.Add(1))
			_ = c.SetUserStatus(c.planned, Leaves)
		case last:
			return
		}
		if c == nil || r.IntN(3) == 0 {
			time.Sleep(time.Duration(r.IntN(30)) * time.Microsecond)
		}
	}
}

func (s *soak) thread(r *rand.Rand, n int) {
	for range n {
		switch k := r.IntN(100); {
		case k < 4:
			s.gate(r)
		case k < 8:
			s.queues[r.IntN(len(s.queues))].Flush()
		case k < 10:
			s.queues[r.IntN(len(s.queues))].Finish()
		case k < 13:
			if c := s.pick(r); c != nil {
				c.Wait()
			}
		default:
			s.enqueue(r, true)
		}
	}
}

func (s *soak) gate(r *rand.Rand) {
	c := &soakCommand{Command: NewUser()}
	if r.IntN(4) == 0 {
		c.planned = -100
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, c)
	s.gates = append(s.gates, c)
}

// pick returns an event, of the newer ones most of the time.
func (s *soak) pick(r *rand.Rand) *soakCommand {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.all)
	if n == 0 {
		return nil
	}
	if r.IntN(4) != 0 {
		return s.all[n-1-r.IntN(min(n, 10))]
	}
	return s.all[r.IntN(n)]
}

func (s *soak) enqueue(r *rand.Rand, callbacks bool) *Queue {
	c := &soakCommand{}
	kind := KindCommand
	switch r.IntN(12) {
	case 0:
		kind = KindMarker
	case 1:
		kind = KindBarrier
	default:
		if r.IntN(25) == 0 {
			c.planned = -5
		}
	}
	spin := r.IntN(200)
	c.Command = NewCommand(kind, nil)
	if kind == KindCommand {
		c.op = action(func() Status {
			c.start.Store(s.clock.Add(1))
			c.ran.Add(1)
			procyield(uint32(spin))
			c.end.Store(s.clock.Add(1))
			return c.planned
		})
	}
	c.Visible = r.IntN(2) == 0
	c.OnDone = func(*Command) { c.done.Add(1) }
	var wait []*Command
	for range []int{0, 0, 0, 1, 1, 2, 5}[r.IntN(7)] {
		if d := s.pick(r); d != nil {
			wait = append(wait, d.Command)
			c.deps = append(c.deps, d)
		}
	}
	if err := s.queues[r.IntN(len(s.queues))].Enqueue(c.Command, wait); err != nil {
		s.t.Error(err)
	}
	ask := 0
	if callbacks {
		ask = max(r.IntN(8)-4, 0)
		for i := range ask {
			at := Status(r.IntN(3))
			again := at == Complete && i == ask-1 && r.IntN(4) == 0
			seed := r.Uint64()
			c.OnStatus(at, func(got Status) {
				if want := c.Status(); got != at && (got >= 0 || want != got) {
					s.t.Errorf("a callback for %d got %d", at, got)
				}
				if again {
					s.enqueue(rand.New(rand.NewPCG(seed, 0)), false).Flush()
				}
				c.calls.Add(1)
			})
		}
	}
	s.mu.Lock()
	c.asked = ask
	s.all = append(s.all, c)
	s.mu.Unlock()
	return c.Queue()
}

// check compares every command with what the graph says.
func (s *soak) check() {
	t := s.t
	byQueue := map[*Queue][]*soakCommand{}
	of := map[*Command]*soakCommand{}
	for _, c := range s.all {
		of[c.Command] = c
		if q := c.Queue(); q != nil {
			byQueue[q] = append(byQueue[q], c)
		}
	}
	for _, l := range byQueue {
		sorted := make([]*soakCommand, len(l))
		for _, c := range l {
			require.Nil(t, sorted[c.seq-1])
			sorted[c.seq-1] = c
		}
		copy(l, sorted)
	}
	// When what a command stands for was over, at the latest that can be relied on. Dependencies were made before their dependents,
	// but in s.all they may come later by a little.
	over := map[*soakCommand]int64{}
	var behind func(c *soakCommand) int64 // the end of all that c had to wait for
	var end func(c *soakCommand) int64
	index := map[*soakCommand]int{}
	for _, l := range byQueue {
		for i, c := range l {
			index[c] = i
		}
	}
	before := map[*soakCommand]int64{} // end of all that ran earlier in the queue
	for _, l := range byQueue {
		last := int64(0)
		for _, c := range l {
			before[c] = last
			last = max(last, c.end.Load())
		}
	}
	barrier := map[*soakCommand]*soakCommand{}
	for q, l := range byQueue {
		if q.inOrder {
			continue
		}
		var b *soakCommand
		for _, c := range l {
			barrier[c] = b
			if c.kind == KindBarrier {
				b = c
			}
		}
	}
	end = func(c *soakCommand) int64 {
		if c.Status() < Complete && c.ran.Load() == 0 {
			return 0
		}
		if e := c.end.Load(); e != 0 {
			return e
		}
		return behind(c)
	}
	behind = func(c *soakCommand) int64 {
		if e, ok := over[c]; ok {
			return e
		}
		e := int64(0)
		for _, d := range c.deps {
			e = max(e, end(d))
		}
		if q := c.Queue(); q != nil {
			switch {
			case q.inOrder || c.kind != KindCommand && len(c.deps) == 0:
				e = max(e, before[c])
			case barrier[c] != nil:
				e = max(e, end(barrier[c]))
			}
		}
		over[c] = e
		return e
	}
	for i, c := range s.all {
		where := fmt.Sprintf("command %d: %s", i, c.Dump())
		want := c.planned
		for _, d := range c.deps {
			if d.Status() < Complete {
				want = ErrWaitList
			}
		}
		require.Equal(t, want, c.Status(), where)
		if c.Queue() == nil {
			continue
		}
		require.EqualValues(t, 1, c.done.Load(), where)
		if c.kind == KindCommand {
			runs := int32(1)
			if want == ErrWaitList {
				runs = 0
			}
			require.Equal(t, runs, c.ran.Load(), where)
			if runs == 1 {
				require.Greater(t, c.start.Load(), behind(c), where)
			}
		}
		require.EqualValues(t, c.asked, c.calls.Load(), where)
		if c.Queue().profiles && want == Complete {
			queued, submit, start, end, complete := c.Times()
			require.True(t, 0 < queued && queued <= submit && submit <= start && start <= end && end <= complete, where)
		}
	}
}
