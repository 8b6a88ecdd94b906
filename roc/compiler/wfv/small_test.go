package wfv_test

import (
	"fmt"
	"math/rand"
	"testing"
	"time"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/kernelgen"
	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/wfv"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRandomSmallKernelsAreTheSameInAllForms: many in one program, each in scalar form, in the one that the model chooses, for some
// processor, and in two numbers of lanes.
func TestRandomSmallKernelsAreTheSameInAllForms(t *testing.T) {
	const batch, few = 32, 12
	from, to := kerneltest.Asked(t)
	if to == 0 {
		to = few
	}
	dir, linked := t.TempDir(), link(t)
	lanes := map[int]int{} // how many forms have so many
	check := func(samples []kerneltest.Sample, f form) {
		tm, err := kerneltest.TargetAt(f.level)
		require.NoError(t, err)
		hang := time.AfterFunc(5*time.Minute, func() { panic(fmt.Sprintf("%+v: no end", f)) })
		defer hang.Stop()
		assert.NoError(t, kerneltest.Check(samples, func(source string) (kerneltest.Library, map[string]codeobject.KernelInfo, error) {
			p, err := wfv.Compile(dir, source, tm, f.Options, linked, offered...)
			if err != nil {
				return 0, nil, err
			}
			for _, r := range p.Reports {
				lanes[r.Width]++
			}
			return p.Library, p.Kernels, nil
		}), "%+v", f)
	}
	for ; from < to; from += batch {
		fmt.Printf("batch %d-%d\n", from, min(from+batch, to)) // for the report of a crash
		samples := kerneltest.Samples(from, min(from+batch, to), kernelgen.NewSmall)
		check(samples, form{wfv.Options{Scalar: true}, ""})
		r := rand.New(rand.NewSource(from))
		level := append(kerneltest.Levels, "")[r.Intn(len(kerneltest.Levels)+1)]
		check(samples, form{wfv.Options{OneForm: r.Intn(4) == 0, Skip: -(r.Intn(4) / 3)}, level})
		for _, w := range r.Perm(5)[:2] {
			check(samples, form{wfv.Options{Width: []int{1, 8, 16, 32, 64}[w]}, ""})
		}
	}
	t.Logf("kernels, forms in lanes: %v", lanes)
	require.Greater(t, len(lanes), 1)
}
