package kerneltest

import (
	"fmt"
	"slices"
	"strings"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kernelgen"
)

// Build compiles a source to native kernels, by name.
type Build func(source string) (Library, map[string]codeobject.KernelInfo, error)

// Random compiles the random kernels, which kernel makes, of seeds from (inclusive) to (exclusive) as one program, runs each with two
// launches, and compares with what the interpreter says. One in four requires the size of its work-groups. The error names the seed and holds the shortest source that differs.
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
		for n := range k.Statements() + 1 {
			p := k.Prefix(n)
			lib, infos, buildErr := build(program(p))
			if buildErr != nil {
				return fmt.Errorf("seed %d, first %d statements: %w", seed, n, buildErr)
			}
			if err := compareAll(lib, infos[p.Name], p, seed); err != nil {
				return fmt.Errorf("seed %d, first %d statements: %w\n%s", seed, n, err, program(p))
			}
		}
		return fmt.Errorf("seed %d: %w", seed, err)
	}
	return nil
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
