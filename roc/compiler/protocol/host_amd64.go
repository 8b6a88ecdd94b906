package protocol

import (
	"fmt"
	"hash/fnv"
	"strings"
	"sync"

	"aqueduct/roc/isa"
)

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

// xcr0 says which registers the operating system saves. Only legal when it has enabled XSAVE.
func xcr0() uint32

// Host is the target for the processor this process runs on, as far as the settings let kernels use it.
func Host(extensions []string) Target {
	without := isa.Without()
	return Target{ID: strings.Join(append([]string{processor()}, without...), ""), Features: without, Extensions: extensions}
}

// processor names model and features of the processor: two that share a name run each other's code.
var processor = sync.OnceValue(func() string {
	const osxsave = 1 << 27
	_, b, c, d := cpuid(0, 0)
	sum := fnv.New64a()
	note := func(words ...uint32) { fmt.Fprint(sum, words) }
	note(b, c, d)
	model, _, c, d := cpuid(1, 0)
	note(model, c, d)
	if c&osxsave != 0 {
		note(xcr0())
	}
	_, b, c, d = cpuid(7, 0)
	note(b, c, d)
	a, _, _, _ := cpuid(7, 1)
	note(a)
	_, _, c, d = cpuid(0x80000001, 0)
	note(c, d)
	return fmt.Sprintf("x86_64-%x-%016x", model, sum.Sum64())
})
