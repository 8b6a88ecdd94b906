package kerneltest

import (
	"errors"
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

// Random compares the random kernels, which kernel makes, of seeds from (inclusive) to (exclusive), see Check.
func Random(from, to int64, kernel func(seed int64) *kernelgen.Kernel, build Build) error {
	return Check(Samples(from, to, kernel), build)
}

// Sample is a random kernel and what the interpreter says that it computes.
type Sample struct {
	*kernelgen.Kernel
	seed     int64
	launches []kernelgen.Launch
	want     []*kernelgen.Arguments // of each launch
}

// requiring is how many seeds have one kernel that requires the size of its work-groups.
const requiring = 4

// Samples makes those of seeds from (inclusive) to (exclusive), each with two launches if they are not too large.
func Samples(from, to int64, kernel func(seed int64) *kernelgen.Kernel) (s []Sample) {
	for seed := from; seed < to; seed++ {
		k, launches := kernel(seed), []kernelgen.Launch{kernelgen.Launches[seed%int64(len(kernelgen.Launches))], kernelgen.NewLaunch(seed)}
		if seed%requiring == 0 {
			n := launches[seed/requiring%2]
			k.Required, launches = n.Local, []kernelgen.Launch{n}
			n.Global[0] += 3 // the last groups may be partial
			if n.Items() <= kernelgen.MaxItems {
				launches = append(launches, n)
			}
		}
		s = append(s, newSample(k, seed, launches))
	}
	return s
}

func newSample(k *kernelgen.Kernel, seed int64, launches []kernelgen.Launch) Sample {
	s := Sample{Kernel: k, seed: seed, launches: launches}
	for _, n := range launches {
		a := kernelgen.NewArguments(seed, n)
		k.Run(n, a)
		s.want = append(s.want, a)
	}
	return s
}

// Check compiles samples as one program, and compares what they compute with what they should. The error names the seeds that
// differ, each with a short source that does.
func Check(samples []Sample, build Build) error {
	var kernels []*kernelgen.Kernel
	for _, s := range samples {
		kernels = append(kernels, s.Kernel)
	}
	lib, infos, err := build(program(kernels...))
	if err != nil {
		return fmt.Errorf("seeds %d to %d: %w", samples[0].seed, samples[len(samples)-1].seed+1, err)
	}
	var differ []error
	for _, s := range samples {
		if err := s.compare(lib, infos[s.Name]); err != nil {
			differ = append(differ, fmt.Errorf("seed %d: %w\n%s", s.seed, err, program(shrunk(s.Kernel, func(p *kernelgen.Kernel) bool {
				lib, infos, err := build(program(p))
				return err == nil && newSample(p, s.seed, s.launches).compare(lib, infos[p.Name]) != nil
			}))))
		}
	}
	return errors.Join(differ...)
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

// compare runs the native form of a sample.
func (s Sample) compare(lib Library, info codeobject.KernelInfo) error {
	for i, n := range s.launches {
		if err := s.compareOne(lib, info, n, s.want[i]); err != nil {
			return fmt.Errorf("%+v: %w", n, err)
		}
	}
	return nil
}

func (s Sample) compareOne(lib Library, info codeobject.KernelInfo, n kernelgen.Launch, want *kernelgen.Arguments) error {
	got := kernelgen.NewArguments(s.seed, n)
	launch := Launch{Global: n.Global, Local: n.Local, Offset: n.Offset, Calls: 1 + int(s.seed)%2}
	items := n.Local[0] * n.Local[1] * n.Local[2]
	var text []byte
	if s.Prints {
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
