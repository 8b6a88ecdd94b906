package main

import (
	"os"
	"runtime/debug"
)

// Garbage is collected when the heap has grown to five times what lives, at least 16 MiB. The driver's heap is small beside
// an application's, and at Go's default a queue of tiny commands would have it collected every few thousand of them. GOGC in
// the environment has its usual meaning.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
