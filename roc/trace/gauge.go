package trace

import (
	"slices"
	"sync"
)

// gauge is a number that the background reads now and then, so that whoever has it needs to count nothing.
type gauge struct {
	name  string
	value func() int64
	shown int64
}

// gauges are those of the process.
var gauges gaugeList

type gaugeList struct {
	mu   sync.Mutex // guards list; no gauge is read with it held
	list []*gauge
}

// maxGauges bounds what a picture can use of them, and what reading them costs.
const maxGauges = 256

// Gauge has value read while something is recorded, from a goroutine of its own, until the caller calls remove.
func Gauge(name string, value func() int64) (remove func()) {
	g := &gauge{name: name, value: value}
	gauges.mu.Lock()
	defer gauges.mu.Unlock()
	if len(gauges.list) < maxGauges {
		gauges.list = append(gauges.list, g)
	}
	return func() {
		gauges.mu.Lock()
		defer gauges.mu.Unlock()
		gauges.list = slices.DeleteFunc(gauges.list, func(x *gauge) bool { return x == g })
	}
}

// read calls f for those that have changed.
func (l *gaugeList) read(f func(*gauge, int64)) {
	l.mu.Lock()
	list := slices.Clone(l.list)
	l.mu.Unlock()
	for _, g := range list {
		if v := g.value(); v != g.shown {
			g.shown = v
			f(g, v)
		}
	}
}
