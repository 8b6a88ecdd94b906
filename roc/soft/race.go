//go:build race

package soft

import (
	"runtime"
	"unsafe"
)

// The race detector does not see atomics outside Go's heap, where packets and signals are. These say what they order:
// released before the store, acquired after the load.

func raceRelease[T any](p *T) { runtime.RaceReleaseMerge(unsafe.Pointer(p)) }
func raceAcquire[T any](p *T) { runtime.RaceAcquire(unsafe.Pointer(p)) }
