package soft

import (
	"sync/atomic"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"
)

// kernel is what a dispatch packet's kernel object points to: native code, or a function of the agent's own.
type kernel struct {
	name  string
	entry uintptr                                                // native code, see package codeobject
	run   func(kernarg unsafe.Pointer, first, last uint64) error // own function, if not nil

	prints       bool
	mxcsr        uint32 // what it runs with
	enqueues     bool
	hidden       uint32 // offset of the hidden arguments
	frameFixed   uint64
	framePerItem uint64

	lines *codeobject.LineTable // nil if not known

	brief uint64        // work-items up to which it is sure to take briefWork at most; 0 if that cannot be known
	alone uint64        // work-groups up to which one thread does them all
	guess uint64        // picoseconds a work-item takes, by what the compiler counted
	rate  atomic.Uint64 // the same by what was seen lately; 0: never run

	contention contention
}

func nativeKernel(entry uintptr, info *codeobject.KernelInfo) *kernel {
	const (
		instruction = 300    // picoseconds
		standard    = 0x1F80 // round to nearest, denormals kept, no exceptions
		flush       = 0x8040 // denormal results, and operands, are zeros
	)
	mxcsr := uint32(standard)
	if info.FlushesDenormals {
		mxcsr |= flush
	}
	k := &kernel{
		name:         info.Name,
		entry:        entry,
		prints:       info.Prints,
		mxcsr:        mxcsr,
		enqueues:     info.Enqueues,
		hidden:       info.HiddenOffset,
		frameFixed:   uint64(info.FrameFixed),
		framePerItem: uint64(info.FramePerItem),
		lines:        info.Lines,
		guess:        max(uint64(info.Cost)*instruction/uint64(max(info.Width, 1)), 1),
	}
	k.contention.possible = info.Contends
	if info.Straight && !info.Prints && !info.Enqueues {
		k.brief = briefWork * 1000 / k.guess
	}
	return k
}

// isBrief reports whether all of a grid takes no longer than handing it to another thread would, whatever is in memory.
func (k *kernel) isBrief(g grid) bool {
	return g.groups > 0 && g.groups <= k.brief && g.groups*g.items <= k.brief
}

// builtin returns a kernel of the agent's own, each of whose work-groups moves hsa.BlitBytes.
func builtin(name string, run func(kernarg unsafe.Pointer, first, last uint64) error) *kernel {
	k := &kernel{name: name, run: run, guess: blitGuess, alone: blitAlone / hsa.BlitBytes}
	k.rate.Store(blitGuess)
	return k
}

const (
	blitGuess = 6_000_000 // picoseconds to move hsa.BlitBytes, at 10 GB/s
	// blitAlone is how many bytes one thread moves sooner than several: those are in the caches of one core, as a rule the waiter's
	// who needs them next, and have to come from there to the others'.
	blitAlone = 2 << 20
)

// object is the kernel as packets name it. Someone else keeps it alive.
func (k *kernel) object() uint64 { return uint64(uintptr(unsafe.Pointer(k))) }

func kernelOf(object uint64) *kernel { return (*kernel)(pointer(object)) }

// estimate returns how long items work-items should take one thread, nanoseconds, and whether that rests on experience.
func (k *kernel) estimate(items uint64) (nanos uint64, known bool) {
	if r := k.rate.Load(); r != 0 {
		return items * r / 1000, true
	}
	return items * k.guess / 1000, false
}

// measure takes into account that items work-items took one thread so long. A long time once may be another process's.
func (k *kernel) measure(nanos, items uint64) {
	now := max(nanos*1000/items, 1)
	if old := k.rate.Load(); old != 0 {
		now = max((3*old+min(now, 4*old))/4, 1)
	}
	k.rate.Store(now)
}

const (
	briefWork         = 500     // nanoseconds that another thread takes to see what this one has done
	inlineWork        = 15_000  // nanoseconds of work that one thread does faster than two
	inlineWorkUnknown = 2_000   // the same where the estimate may be far too low
	chunkWork         = 25_000  // nanoseconds of work to take at a time
	wholeWork         = 250_000 // nanoseconds of work that one thread does as long as there is other work for all
	chunksPerWorker   = 32      // at most: with so many the last ones to end leave few idle for long
	sharedWork        = 5_000   // nanoseconds of work next to which it pays to start something else
)

// chunk returns how many work-groups a thread takes at a time, of groups that take one thread so long; all if one thread
// should do it.
func (k *kernel) chunk(groups, workers, nanos uint64, known bool) uint64 {
	if groups <= max(k.alone, 1) || workers == 1 {
		return groups
	}
	pieces := workers * chunksPerWorker
	if known {
		if nanos <= inlineWork {
			return groups
		}
		pieces = min(max(nanos/chunkWork, 2), pieces)
	} else if nanos <= inlineWorkUnknown {
		return groups
	}
	return (groups + pieces - 1) / pieces
}
