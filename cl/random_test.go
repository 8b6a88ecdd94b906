package cl

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"aqueduct/roc/compiler/kernelgen"

	"github.com/stretchr/testify/require"
)

// randomKernels are some kernels that print, with and without functions of the builtin library, each with an NDRange.
func randomKernels() (kernels []*kernelgen.Kernel, launches []kernelgen.Launch) {
	for _, kind := range []func(int64) *kernelgen.Kernel{kernelgen.New, kernelgen.NewCalling} {
		for seed, found := int64(len(kernels)*100), 0; found < 4; seed++ {
			if k := kind(seed); k.Prints {
				found++
				kernels = append(kernels, k)
				launches = append(launches, kernelgen.Launches[(int(seed)+7)%len(kernelgen.Launches)])
			}
		}
	}
	return kernels, launches
}

// randomQueues and randomRounds are how many queues run the kernels at a time, and how often each.
const randomQueues, randomRounds = 3, 4

// TestRandomKernelsPrintWholeLines runs random kernels in several queues at once in a process of its own, which compares the results
// in memory, and compares what the process writes with the lines that there should be.
func TestRandomKernelsPrintWholeLines(t *testing.T) {
	const child = "PRINT_WHOLE_LINES"
	kernels, launches := randomKernels()
	if os.Getenv(child) != "" {
		runRandomKernels(t, kernels, launches)
		return
	}
	newFixture(t).needsCPU()
	var want []string
	for i, k := range kernels {
		a := kernelgen.NewArguments(int64(i), launches[i])
		k.Run(launches[i], a)
		for range randomQueues * randomRounds {
			want = append(want, a.Lines...)
		}
	}
	require.Greater(t, len(want), 1000)
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), child+"=1", "AQUEDUCT_WORKERS=4")
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	require.NoError(t, cmd.Run(), "%s%s", &errors, regexp.MustCompile(`(?m)^\d+:.*\n`).ReplaceAll(out.Bytes(), nil))
	got := strings.Split(strings.TrimSuffix(out.String(), "PASS\n"), "\n")
	got = got[:len(got)-1] // nothing, behind the last end of a line
	slices.Sort(want)
	slices.Sort(got)
	for i := range min(len(want), len(got)) {
		require.Equal(t, want[i], got[i])
	}
	require.Len(t, got, len(want))
}

func runRandomKernels(t *testing.T, kernels []*kernelgen.Kernel, launches []kernelgen.Launch) {
	withCompiler(t)
	f := newFixture(t)
	source := kernelgen.Prelude
	for _, k := range kernels {
		source += k.Source()
	}
	p := f.program(source, "-cl-std=CL3.0 -w")
	defer p.Release()
	results := make([]*kernelgen.Arguments, len(kernels))
	for i, k := range kernels {
		results[i] = kernelgen.NewArguments(int64(i), launches[i])
		k.Run(launches[i], results[i])
	}
	var all sync.WaitGroup
	for range randomQueues {
		q := f.queue()
		defer q.Release()
		all.Go(func() {
			for range randomRounds {
				for i, k := range kernels {
					f.compareRandom(q, f.kernel(p, k.Name), launches[i], kernelgen.NewArguments(int64(i), launches[i]), results[i])
				}
			}
		})
	}
	f.within("the kernels' end", all.Wait)
}

// compareRandom launches a kernel, releases it, and compares what it leaves in memory with what it should.
func (f *fixture) compareRandom(q *Queue, k *Kernel, n kernelgen.Launch, got, want *kernelgen.Arguments) {
	defer k.Release()
	set := func(i int, a Arg) { require.Equal(f, CL_SUCCESS, k.SetArg(uint32(i), a), "argument %d", i) }
	var wait []func()
	for i, data := range [][]byte{byteView(got.Out), byteView(got.In), byteView(got.Zero), byteView(got.Acc), byteView(got.Halves)} {
		m, st := f.ctx.CreateBuffer(nil, CL_MEM_COPY_HOST_PTR, uint64(len(data)), unsafe.Pointer(&data[0]))
		require.Equal(f, CL_SUCCESS, st)
		defer m.Release()
		set(i, Arg{Mem: m})
		wait = append(wait, func() {
			_, st := q.ReadBuffer(m, true, 0, uint64(len(data)), unsafe.Pointer(&data[0]), Sync{})
			require.Equal(f, CL_SUCCESS, st)
		})
	}
	for i, a := range []any{got.S, got.U, got.C, got.L, got.V} {
		b, err := binary.Append(nil, binary.NativeEndian, a)
		require.NoError(f, err)
		set(5+i, Arg{Bytes: b})
	}
	set(10, Arg{Local: 4 * uint64(n.Local[0]*n.Local[1]*n.Local[2])})
	r := &Range{Dims: 3, HasGlobal: true, HasLocal: true}
	for d := range 3 {
		r.Global[d], r.Local[d], r.Offset[d] = uint64(n.Global[d]), uint64(n.Local[d]), uint64(n.Offset[d])
	}
	_, st := q.NDRangeKernel(k, r, Sync{})
	require.Equal(f, CL_SUCCESS, st)
	for _, read := range wait {
		read()
	}
	require.Equal(f, want.Out, got.Out, k.info.Name)
	require.Equal(f, want.Acc, got.Acc, k.info.Name)
	require.Negative(f, kernelgen.HalfThatDiffers(got.Halves, want.Halves), k.info.Name)
}

func byteView[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}
