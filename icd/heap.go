package main

import (
	"os"
	"runtime/debug"
)

// The driver's heap is a few megabytes of commands and events that live for microseconds. At Go's default a collection would
// run every 4 MB of them, on cores the kernels want: this costs a fifth of the CPU time of a launch and saves no memory worth
// it. GOGC, if set, is the user's word.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
