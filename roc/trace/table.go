package trace

import "strconv"

// tables are what was recorded in numbers, for people.
func (t *tally) tables() []pageTable {
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	kernels := pageTable{Title: "Kernels", Head: []string{"kernel", "total", "launches", "mean", "deviation", "least", "most", "work-groups", "local size of the last"}}
	for _, k := range t.byTime() {
		kernels.Rows = append(kernels.Rows, []string{k.name, nanos(k.time.sum), number(k.time.n), nanos(k.time.mean()), nanos(k.time.deviation()),
			nanos(k.time.least), nanos(k.time.top), number(k.groups), k.localText()})
	}
	others := pageTable{Title: "Other commands", Head: []string{"command", "number", "bytes", "time", "GB/s"}}
	for _, x := range t.byBytes() {
		others.Rows = append(others.Rows, []string{x.kind, number(x.time.n), number(x.bytes), nanos(x.time.sum), x.rate()})
	}
	cuts := pageTable{Title: "Batches", Head: []string{"cut by", "batches", "commands", "of one command"}}
	for _, c := range t.byCount() {
		cuts.Rows = append(cuts.Rows, []string{c.why, number(c.batches), number(c.commands), number(c.single)})
	}
	waits := pageTable{Title: "Waiting", Head: []string{"who", "times", "for"}, Rows: [][]string{
		{"commands with a wait list, before they could be submitted", "", nanos(float64(t.held))},
		{"threads of the application (clFinish, clWaitForEvents, blocking calls)", number(t.waits), nanos(float64(t.blocked))},
		{"the compiler", number(t.builds.n - t.builds.cached), nanos(float64(t.builds.time))},
		{"callbacks of the application", number(t.callbacks), nanos(float64(t.called))},
	}}
	return []pageTable{kernels, others, cuts, waits}
}
