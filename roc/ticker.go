package roc

import (
	"sync"
	"time"
)

// period is how long a command may stay in an open batch when nothing asks for it.
const period = time.Millisecond

// ticker cuts batches that stay open while the device idles. Its goroutine exists only while commands come in.
type ticker struct {
	device *Device

	mu      sync.Mutex    // taken after VirtualGPU.mu
	gpus    []*VirtualGPU // guarded by mu, as is running
	running bool
}

func (t *ticker) add(v *VirtualGPU) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gpus = append(t.gpus, v)
	if !t.running {
		t.running = true
		go t.run()
	}
}

func (t *ticker) run() {
	tick := time.NewTicker(period)
	defer tick.Stop()
	var round, idle []*VirtualGPU
	for quiet := 0; ; quiet++ {
		<-tick.C
		t.mu.Lock()
		round, t.gpus = t.gpus, idle[:0]
		if len(round) == 0 && quiet > linger {
			t.running = false
			t.mu.Unlock()
			return
		}
		t.mu.Unlock()
		for _, v := range round {
			quiet = 0
			if v.tick() {
				t.mu.Lock()
				t.gpus = append(t.gpus, v)
				t.mu.Unlock()
			}
		}
		clear(round)
		idle = round
	}
}

// linger is for how many periods the goroutine stays when there is nothing to look at, as starting it wakes a thread.
const linger = 20
