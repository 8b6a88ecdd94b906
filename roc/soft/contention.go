package soft

import "sync/atomic"

// Work-items that add to the same places hinder one another: for each addition a line of the cache comes from another core, which
// takes tens of times as long as to add. Several threads are slower then than one. Whether a launch is like that depends on its data, so
// a launch of a kernel that contends tries it: one thread runs the first chunks alone, then there is room for others, and each
// chunk that ran beside others is a vote.

const (
	trialAlone  = 2  // chunks that run alone
	trialChunks = 8  // for each thread there is room for, of a launch that is worth a trial
	trialVotes  = 3  // decide, at least: a chunk also takes long because its thread was put aside
	slowRest    = 15 // launches until the next trial if threads hinder one another, as it may take a third of a launch
	wideRest    = 3  // if they do not: it takes two chunks, but without one the next may be slow
)

// contention is what a kernel knows from trials.
type contention struct {
	possible bool         // by the kernel's code
	slow     atomic.Bool  // several threads were slower than one
	rest     atomic.Int32 // launches until the next trial
}

// plan says whether one thread is to run a launch, at first at least, and whether more are to be tried.
func (c *contention) plan(chunks uint64, room int) (narrow, try bool) {
	if !c.possible {
		return false, false
	}
	if chunks >= uint64(trialChunks*room) {
		if c.rest.Load() <= 0 {
			return true, true
		}
		c.rest.Add(-1)
	}
	return c.slow.Load(), false
}

// trial is that of one launch.
type trial struct {
	on atomic.Bool // under way

	// Guarded by launches.mu.
	ran        int   // chunks that ran alone
	alone      int64 // picoseconds of a work-group in the faster one
	slow, wide int   // votes
}

// company is how many threads are in l, if it is being tried, else 0.
func (ls *launches) company(l *launch) int {
	if !l.trial.on.Load() {
		return 0
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	return l.threads
}

// judge takes into account how long a work-group took in a chunk of l that began in this company. It reports whether others are to join.
func (ls *launches) judge(l *launch, company int, picos int64) bool {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	tr := &l.trial
	switch {
	case !tr.on.Load():
	case tr.ran < trialAlone:
		if tr.ran++; tr.ran == 1 || picos < tr.alone {
			tr.alone = picos
		}
		if tr.ran == trialAlone {
			l.narrow.Store(false)
			ls.count()
			return true
		}
	case company > 1 && company == l.threads:
		enough := max(ls.room, trialVotes)
		if picos > tr.alone*int64(company) {
			if tr.slow++; tr.slow == enough {
				ls.settle(l, true)
			}
		} else if tr.wide++; tr.wide == enough {
			ls.settle(l, false)
		}
	}
	return false
}

// settle ends l's trial. It is called with mu held.
func (ls *launches) settle(l *launch, slow bool) {
	c := &l.kernel.contention
	c.slow.Store(slow)
	c.rest.Store(wideRest)
	if slow {
		c.rest.Store(slowRest)
	}
	l.narrow.Store(slow)
	l.trial.on.Store(false)
	ls.count()
}

// crowded says that a thread is to leave l: one is enough, and there is another with a share before this one's.
func (ls *launches) crowded(l *launch, share int) bool {
	if !l.narrow.Load() {
		return false
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for i := range share {
		if l.shares[i].used {
			return true
		}
	}
	return false
}
