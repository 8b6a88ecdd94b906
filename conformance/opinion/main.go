// Command opinion asks an OpenCL driver for its opinion on random kernels: it runs each there, in a process of its own, and compares
// with what the interpreter of kernelgen says. The vectoriser's tests rely on that interpreter; this is how far others agree with it.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"aqueduct/conformance"
	"aqueduct/roc/compiler/kernelgen"
)

//go:embed source/opinion.c
var source []byte

// limit of time for one kernel, which some drivers compile for minutes.
const limit = 2 * time.Minute

// opinion is a driver's on one kernel.
type opinion int

const (
	agrees  opinion = iota
	differs         // it computes or prints something else
	cannot          // it does not build or run the kernel
	crashes         // or does not come to an end
	opinions
)

func (o opinion) String() string {
	return [...]string{"agrees", "differs", "cannot run it", "crashes or hangs"}[o]
}

// asker asks a driver.
type asker struct {
	dir, program, icd, options string
}

func main() {
	icd := flag.String("icd", "/etc/OpenCL/vendors/pocl.icd", "registration `file` of the driver")
	seeds := flag.String("seeds", "1-100", "`FROM-TO` of the kernels, the last not included")
	options := flag.String("options", "-cl-std=CL3.0", "`options` to build with")
	flag.Parse()
	var from, to int64
	if _, err := fmt.Sscanf(*seeds, "%d-%d", &from, &to); err != nil {
		fmt.Fprintln(os.Stderr, "seeds:", err)
		os.Exit(2)
	}
	dir, err := os.MkdirTemp("", "opinion")
	if err == nil {
		defer os.RemoveAll(dir)
		a := asker{dir: dir, icd: *icd, options: *options}
		if a.program, err = conformance.BuildSource(dir, "opinion", source); err == nil {
			err = a.askAll(from, to)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// askAll asks about every kernel; the error says if an answer differs.
func (a *asker) askAll(from, to int64) error {
	var (
		lock   sync.Mutex // guards counts, and keeps what is printed of a kernel together
		counts [opinions]int
		group  sync.WaitGroup
		next   = make(chan int64)
	)
	for range runtime.NumCPU() {
		group.Go(func() {
			for seed := range next {
				o, why := a.ask(seed)
				lock.Lock()
				counts[o]++
				if o != agrees {
					fmt.Printf("seed %d: %v: %s\n", seed, o, why)
				}
				lock.Unlock()
			}
		})
	}
	for seed := from; seed < to; seed++ {
		next <- seed
	}
	close(next)
	group.Wait()
	for o, n := range counts {
		fmt.Printf("%d %v\n", n, opinion(o))
	}
	if counts[differs] > 0 {
		return errors.New("there are differences")
	}
	return nil
}

// launch is a kernel's with whole work-groups, since not every driver has others.
func launch(seed int64) kernelgen.Launch {
	for ; ; seed++ {
		n := kernelgen.Launches[seed%int64(len(kernelgen.Launches))]
		if n.Global[0]%n.Local[0]+n.Global[1]%n.Local[1]+n.Global[2]%n.Local[2] == 0 {
			return n
		}
	}
}

func (a *asker) ask(seed int64) (o opinion, why string) {
	k, n := kernelgen.NewPortable(seed), launch(seed)
	want, args := kernelgen.NewArguments(seed, n), kernelgen.NewArguments(seed, n)
	k.Run(n, want)
	in, out := filepath.Join(a.dir, fmt.Sprintf("%d.in", seed)), filepath.Join(a.dir, fmt.Sprintf("%d.out", seed))
	defer os.Remove(in)
	defer os.Remove(out)
	if err := os.WriteFile(in, a.file(k, n, args), 0o600); err != nil {
		return cannot, err.Error()
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.program, in, out)
	cmd.Env = append(os.Environ(), "OCL_ICD_VENDORS="+a.icd)
	text, err := cmd.Output()
	if err != nil {
		if cmd.ProcessState.ExitCode() == 1 {
			return cannot, firstLine(text)
		}
		return crashes, err.Error()
	}
	got, err := os.ReadFile(out)
	if err != nil {
		return cannot, err.Error()
	}
	var expected []byte
	for _, b := range buffers(want) {
		expected = append(expected, b...)
	}
	if i := difference(got, expected); i >= 0 {
		return differs, fmt.Sprintf("from byte %d of its buffers\n%s", i, k.Source())
	}
	if err := kernelgen.SameLines(string(text), want.Lines); err != nil {
		return differs, err.Error()
	}
	return agrees, ""
}

// difference is where two slices part, -1 if they do not.
func difference(x, y []byte) int {
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return i
		}
	}
	if len(x) != len(y) {
		return min(len(x), len(y))
	}
	return -1
}

// buffers are the contents of the global arguments.
func buffers(a *kernelgen.Arguments) [][]byte {
	return [][]byte{raw(a.Out), raw(a.In), raw(a.Zero), raw(a.Acc), raw(a.Halves)}
}

// raw is what C has in memory of a value, or of the elements of a slice.
func raw(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
		panic(err) // it has no fixed size
	}
	return b.Bytes()
}

// Kinds of arguments in opinion.c.
const (
	valueArg uint64 = iota
	bufferArg
	localArg
)

// file is what opinion.c reads.
func (a *asker) file(k *kernelgen.Kernel, n kernelgen.Launch, args *kernelgen.Arguments) []byte {
	var f []byte
	block := func(b []byte) { f = append(append(f, raw(uint64(len(b)))...), b...) }
	arg := func(kind uint64, b []byte) {
		block(raw(kind))
		block(b)
	}
	block([]byte(a.options))
	block([]byte(kernelgen.Prelude + "#pragma OPENCL FP_CONTRACT OFF\n" + k.Source()))
	block([]byte(k.Name))
	var sizes []uint64
	for _, of := range [][3]int{n.Global, n.Local, n.Offset} {
		for _, size := range of {
			sizes = append(sizes, uint64(size))
		}
	}
	block(raw(sizes))
	for _, b := range buffers(args) {
		arg(bufferArg, b)
	}
	for _, v := range []any{args.S, args.U, args.C, args.L, args.V} {
		arg(valueArg, raw(v))
	}
	block(raw(localArg))
	return append(f, raw(uint64(4*n.Local[0]*n.Local[1]*n.Local[2]))...)
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
