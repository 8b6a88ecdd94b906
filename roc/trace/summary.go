package trace

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// summary writes in short what was recorded (AQUEDUCT_STATS).
func (t *tally) summary(out io.Writer, now int64) {
	fmt.Fprintf(out, "aqueduct: %d commands in %s", t.commands, nanos(float64(now-t.origin)))
	if t.failed > 0 {
		fmt.Fprintf(out, ", %d of them failed", t.failed)
	}
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	const most = 20
	if list := t.byTime(); len(list) > 0 {
		fmt.Fprintln(w, "kernel\ttotal\tlaunches\tmean\tdeviation\tleast\tmost\tlocal")
		for _, k := range list[:min(len(list), most)] {
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", k.name, nanos(k.time.sum), k.time.n, nanos(k.time.mean()), nanos(k.time.deviation()),
				nanos(k.time.least), nanos(k.time.top), k.localText())
		}
		if n := len(list) - most; n > 0 {
			fmt.Fprintf(w, "and %d more\n", n)
		}
		w.Flush()
	}
	if list := t.byBytes(); len(list) > 0 {
		fmt.Fprintln(w, "other commands\tnumber\tbytes\ttime\tGB/s")
		for _, x := range list {
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\n", x.kind, x.time.n, x.bytes, nanos(x.time.sum), x.rate())
		}
		w.Flush()
	}
	if list := t.byCount(); len(list) > 0 {
		fmt.Fprintln(w, "batches cut by\tbatches\tcommands\tof one command")
		for _, c := range list {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", c.why, c.batches, c.commands, c.single)
		}
		w.Flush()
	}
	fmt.Fprintf(out, "commands waited for others for %s; the application waited %d times for %s, and its %d callbacks took %s\n",
		nanos(float64(t.held)), t.waits, nanos(float64(t.blocked)), t.callbacks, nanos(float64(t.called)))
	if b := t.builds; b.n > 0 {
		fmt.Fprintf(out, "builds: %d, %d from the cache, %d failed; %s in the compiler\n", b.n, b.cached, b.failed, nanos(float64(b.time)))
	}
	for _, a := range t.advice() {
		fmt.Fprintln(out, "advice:", a)
	}
}

// localText is the local size of the last launch, and who chose it.
func (k *kernelTally) localText() string {
	if k.local == [3]uint64{} {
		return "" // enqueued by a kernel
	}
	s := fmt.Sprintf("%dx%dx%d", k.local[0], k.local[1], k.local[2])
	if k.chosen > 0 {
		s += " (the driver's)"
	}
	return s
}

func (x *transferTally) rate() string {
	if x.bytes == 0 || x.time.sum == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(x.bytes)/x.time.sum)
}

// advice is what the numbers allow to say.
func (t *tally) advice() (lines []string) {
	if c := t.cuts["flush"]; c != nil && c.single >= 100 && 2*c.single > t.commands {
		lines = append(lines, fmt.Sprintf("%d of %d commands were flushed one by one (clFlush): without the flush, up to 64 share a batch", c.single, t.commands))
	}
	if c := t.cuts["wait"]; c != nil && c.single >= 100 && 2*c.single > t.commands {
		lines = append(lines, fmt.Sprintf("%d of %d commands were waited for one by one (clFinish, clWaitForEvents, a blocking call): enqueue several, then wait once", c.single, t.commands))
	}
	for _, k := range t.byTime() {
		if 2*k.small > k.time.n {
			lines = append(lines, fmt.Sprintf("kernel %s: work-groups of %d work-items leave lanes of vectors empty: %d or more, or let the driver choose (NULL)",
				k.name, k.local[0]*k.local[1]*k.local[2], lanes))
		}
	}
	for _, kind := range []string{"read buffer", "write buffer"} {
		if x := t.transfers[kind]; x != nil && x.bytes >= 64<<20 && x.bytes/x.time.n >= 1<<20 {
			lines = append(lines, fmt.Sprintf("%s moved %d MiB: on this device clEnqueueMapBuffer gives the same memory without a copy", kind, x.bytes>>20))
		}
	}
	if b := t.builds; b.n-b.cached >= 2 && float64(b.time) > 0.2e9 && b.cached == 0 {
		lines = append(lines, fmt.Sprintf("%d builds took %s and none came from the cache: see aqueduct-doctor whether it can be written", b.n, nanos(float64(b.time))))
	}
	return lines
}
