package roc

import (
	"fmt"
	"os"
	"sync/atomic"

	"aqueduct/hostqueue"
	"aqueduct/roc/settings"
	"aqueduct/roc/trace"
)

// startTrace begins to record, if a setting asks for it.
func startTrace() {
	o := trace.Options{
		Timeline: settings.Trace.Value(), Limit: int64(settings.TraceSize.Value()) << 20, Rate: settings.TraceRate.Value(), Page: settings.Report.Value(),
	}
	if settings.Stats.On() {
		o.Summary = os.Stderr
	}
	if text := settings.Log.Value(); text != "" {
		l, err := trace.OpenLog(text, settings.LogFile.Value())
		if err != nil {
			fmt.Fprintln(os.Stderr, "aqueduct: AQUEDUCT_LOG:", err)
		}
		o.Log = l
	}
	if o.Timeline == "" && o.Page == "" && o.Summary == nil && o.Log == nil {
		return
	}
	if err := trace.Start(o); err != nil {
		fmt.Fprintln(os.Stderr, "aqueduct: AQUEDUCT_TRACE:", err)
	}
}

// traced is what a batch has while something is recorded. It is written before the batch comes into its ring.
type traced struct {
	number uint64 // of the batch in the process, from 1; 0: it is not recorded
	why    hostqueue.Cut
	since  uint64 // when its packets were written
}

// batches counts those that have a number.
var batches atomic.Uint64

// trace notes why the open batches end. v.mu is held.
func (v *VirtualGPU) trace(why hostqueue.Cut) {
	for _, b := range v.open {
		b.number, b.why = batches.Add(1), why
		for i := range b.entries {
			if c := b.entries[i].cmd; c != nil {
				c.InBatch(b.number, why)
			}
		}
	}
}

// id is what the packets of e carry: the command, if it is recorded.
func (e *entry) id() uint64 {
	if e.cmd == nil {
		return 0
	}
	id := e.cmd.ID()
	if _, ok := e.op().(*Replay); ok && id != 0 {
		id |= trace.Inner
	}
	return id
}

// record tells of b, which has ended, if it has a command that is recorded.
func (b *batch) record() {
	e := trace.Event{Kind: trace.Batch, Track: b.ring.number, Other: b.number, Cut: b.why.String(), Start: b.since, End: trace.Now()}
	some := false
	for i := range b.entries {
		if c := b.entries[i].cmd; c != nil {
			e.Count++
			some = some || c.ID() != 0
		}
	}
	if some {
		trace.Record(&e)
	}
}
