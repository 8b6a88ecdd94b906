package kerneltest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kernelgen"
)

// Build compiles a source to native kernels, by name.
type Build func(source string) (Library, map[string]codeobject.KernelInfo, error)

// Random compiles the random kernels, which kernel makes, of seeds from (inclusive) to (exclusive) as one program, runs each with two
// launches, and compares with what the interpreter says. One in four requires the size of its work-groups. The error names the seed
// and holds a short source that differs.
func Random(from, to int64, kernel func(seed int64) *kernelgen.Kernel, build Build) error {
	var kernels []*kernelgen.Kernel
	for seed := from; seed < to; seed++ {
		k := kernel(seed)
		if seed%requiring == 0 {
			k.Required = launch(seed).Local
		}
		kernels = append(kernels, k)
	}
	lib, infos, err := build(program(kernels...))
	if err != nil {
		return fmt.Errorf("seeds %d to %d: %w", from, to, err)
	}
	for i, k := range kernels {
		seed := from + int64(i)
		err := compareAll(lib, infos[k.Name], k, seed)
		if err == nil {
			continue
		}
		return fmt.Errorf("seed %d: %w\n%s", seed, err, program(shrunk(k, func(p *kernelgen.Kernel) bool {
			lib, infos, err := build(program(p))
			return err == nil && compareAll(lib, infos[p.Name], p, seed) != nil
		})))
	}
	return nil
}

// patience is how long a test takes to shrink a kernel.
const patience = 90 * time.Second

// shrunk leaves statements out of a kernel as long as it differs: half of them, a quarter, and so on to single ones.
func shrunk(k *kernelgen.Kernel, differs func(*kernelgen.Kernel) bool) *kernelgen.Kernel {
	gone := map[int]bool{}
	size, until := k.Size(), time.Now().Add(patience)
	for part := (size + 1) / 2; part > 0; part /= 2 {
		for from := 0; from < size && time.Now().Before(until); from += part {
			without := maps.Clone(gone)
			for n := from; n < min(from+part, size); n++ {
				without[n] = true
			}
			if len(without) == len(gone) {
				continue
			}
			if differs(k.Without(func(n int) bool { return without[n] })) {
				gone = without
			}
		}
	}
	return k.Without(func(n int) bool { return gone[n] })
}

func program(kernels ...*kernelgen.Kernel) string {
	var s strings.Builder
	s.WriteString(kernelgen.Prelude)
	for _, k := range kernels {
		s.WriteString(k.Source())
	}
	return s.String()
}

// requiring is how many seeds have one kernel that requires a size.
const requiring = 4

func launch(seed int64) kernelgen.Launch {
	return kernelgen.Launches[seed%int64(len(kernelgen.Launches))]
}

func compareAll(lib Library, info codeobject.KernelInfo, k *kernelgen.Kernel, seed int64) error {
	launches := []kernelgen.Launch{launch(seed), launch(seed + 3)}
	if k.Required[0] > 0 {
		launches[1] = launches[0]
		launches[1].Global[0] += 3 // the last groups may be partial
	}
	for _, n := range launches {
		if err := compare(lib, info, k, n, seed); err != nil {
			return fmt.Errorf("%+v: %w", n, err)
		}
	}
	return nil
}

func compare(lib Library, info codeobject.KernelInfo, k *kernelgen.Kernel, n kernelgen.Launch, seed int64) error {
	want, got := kernelgen.NewArguments(seed, n), kernelgen.NewArguments(seed, n)
	k.Run(n, want)
	launch := Launch{Global: n.Global, Local: n.Local, Offset: n.Offset, Calls: 1 + int(seed)%2}
	items := n.Local[0] * n.Local[1] * n.Local[2]
	var text []byte
	if k.Prints {
		launch.Text = &text
	}
	if err := lib.Run(info, launch, got.Out, got.In, got.Zero, got.Acc, got.Halves, got.S, got.U, got.C, got.L, got.V, Local(4*items)); err != nil {
		return err
	}
	for i := range want.Out {
		if got.Out[i] != want.Out[i] {
			return fmt.Errorf("work-item %d: out[%d] = %#x, want %#x", i/kernelgen.OutPerItem, i%kernelgen.OutPerItem, got.Out[i], want.Out[i])
		}
	}
	if !slices.Equal(got.Acc, want.Acc) {
		return fmt.Errorf("acc = %x, want %x", got.Acc, want.Acc)
	}
	if i := kernelgen.HalfThatDiffers(got.Halves, want.Halves); i >= 0 {
		return fmt.Errorf("work-item %d: h[%d] = %#x, want %#x", i/kernelgen.HalvesPerItem, i%kernelgen.HalvesPerItem, got.Halves[i], want.Halves[i])
	}
	return kernelgen.SameLines(string(text), want.Lines)
}
