package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"aqueduct/cl"
	"aqueduct/roc/settings"
)

// startWatchdog has someone look whether queues get on, if a setting asks for it.
func startWatchdog() {
	if n := settings.Watchdog.Value(); n > 0 {
		w := watchdog{patience: time.Duration(n) * time.Second, to: os.Stderr, seen: map[uintptr]*sight{}}
		go func() {
			for now := range time.Tick(w.patience / 8) {
				w.look(now)
			}
		}()
	}
}

// watchdog says who waits for whom when nothing of a queue that has commands ends for a while: once each time.
type watchdog struct {
	patience time.Duration
	to       io.Writer
	seen     map[uintptr]*sight // by handle
}

// sight is how a queue was when it last got on.
type sight struct {
	ended  uint64
	since  time.Time
	told   bool
	exists bool
}

func (w *watchdog) look(now time.Time) {
	for _, s := range w.seen {
		s.exists = false
	}
	stuck := false
	for o := range handles {
		if o.Kind() != cl.KindQueue {
			continue
		}
		p := find(o.Handle(), cl.KindQueue)
		if p == nil { // it is gone meanwhile
			continue
		}
		s := w.seen[o.Handle()]
		ended, waiting := (*cl.Queue)(p).Progress()
		if s == nil || s.ended != ended || !waiting {
			s = &sight{ended: ended, since: now}
			w.seen[o.Handle()] = s
		}
		s.exists = true
		if !s.told && now.Sub(s.since) >= w.patience {
			s.told, stuck = true, true
			fmt.Fprintf(w.to, "aqueduct: watchdog: of command queue %#x nothing has ended for %v\n", o.Handle(), now.Sub(s.since).Round(time.Second/10))
		}
	}
	for h, s := range w.seen {
		if !s.exists {
			delete(w.seen, h)
		}
	}
	if stuck {
		dump(w.to)
	}
}
