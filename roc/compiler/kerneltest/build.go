// Package kerneltest builds and runs kernels inside a test process, for the tests of the compiler's transforms. The driver
// does neither: it compiles in a process of its own.
package kerneltest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/pipeline/elflink"
	"aqueduct/roc/isa"

	"github.com/ebitengine/purego"
)

// Triple the tests compile for.
const Triple = "x86_64-unknown-linux-gnu"

// Bitcode compiles OpenCL C with clang as the driver does, except that no builtins are linked in. Options are clang's. What the
// functions say of a processor is for StripProcessor to take away. Tests that try forms of a kernel ask for the same again and again.
func Bitcode(source string, options ...string) ([]byte, error) {
	args := append([]string{"-cc1", "-triple", Triple, "-target-cpu", "x86-64-v4", "-emit-llvm-bc", "-O2", "-disable-llvm-passes", "-disable-lifetime-markers",
		"-x", "cl", "-cl-std=CL3.0", "-finclude-default-header", "-fdeclare-opencl-builtins", "-cl-ext=+all",
		"-ffake-address-space-map", "-ffp-contract=off", "-fno-builtin-printf", "-mrelocation-model", "pic", "-pic-level", "2",
		"-resource-dir", "/usr/lib/llvm-19/lib/clang/19", "-internal-isystem", "/usr/lib/llvm-19/lib/clang/19/include", "-w", "-o", "-"}, options...)
	asked := strings.Join(args, "\x00") + "\x00" + source
	latest.Lock()
	same, code := asked == latest.asked, latest.code
	latest.Unlock()
	if same {
		return code, nil
	}
	cmd := exec.Command("/usr/lib/llvm-19/bin/clang", append(args, "-")...)
	cmd.Stdin = strings.NewReader(source)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("clang: %w\n%s", err, errs.String())
	}
	latest.Lock()
	defer latest.Unlock()
	latest.asked, latest.code = asked, out.Bytes()
	return out.Bytes(), nil
}

var latest struct {
	sync.Mutex // guards what follows
	asked      string
	code       []byte
}

// StripProcessor takes it away, as it would count for more than the code generator's settings.
func StripProcessor(m llvm.Module) {
	for _, f := range m.Functions() {
		for _, key := range []string{"target-cpu", "target-features", "tune-cpu"} {
			f.RemoveStringAttribute(llvm.FunctionIndex, key)
		}
	}
}

// Target is the code generator for this machine, the same every time.
func Target() (llvm.TargetMachine, error) { return TargetAt("") }

// Levels are those of AQUEDUCT_CPU_FEATURES at which kernels get other code than Target's, on the most capable machine.
var Levels = []string{"avx2", "sse4.2"}

// TargetAt is the code generator for this machine at such a level, the same every time.
func TargetAt(level string) (llvm.TargetMachine, error) {
	targets.Lock()
	defer targets.Unlock()
	if tm := targets.at[level]; tm != 0 {
		return tm, nil
	}
	if err := llvm.Load(); err != nil {
		return 0, err
	}
	features := append([]string{llvm.HostFeatures()}, isa.WithoutAbove(level)...)
	tm, err := llvm.NewTargetMachine(Triple, llvm.HostCPU(), strings.Join(features, ","), llvm.CodeBest)
	if err == nil {
		targets.at[level] = tm
	}
	return tm, err
}

var targets = struct {
	sync.Mutex // guards at
	at         map[string]llvm.TargetMachine
}{at: map[string]llvm.TargetMachine{}}

// Arguments describes the parameters of a kernel as clang emits it, laid out in the order and alignment of their types, and
// the offset behind them for the hidden arguments.
func Arguments(m llvm.Module, kernel llvm.Value) ([]codeobject.ArgInfo, uint32) {
	var args []codeobject.ArgInfo
	layout, at := m.Layout(), uint32(0)
	for i, t := range kernel.ValueType().Params() {
		var a codeobject.ArgInfo
		align := uint32(layout.Align(t))
		a.Size = uint32(layout.Size(t))
		switch {
		case t.Kind() != llvm.PointerKind:
		case t.AddressSpace() == 3:
			a.Kind, a.Size, align = codeobject.ArgLocal, 4, 4
		case t.AddressSpace() != 0:
			a.Kind = codeobject.ArgGlobal
		default:
			index := llvm.Index(i + 1)
			a.Size = uint32(layout.Size(kernel.Attribute(index, "byval").Type()))
			align = uint32(kernel.Attribute(index, "align").Int())
		}
		at = (at + align - 1) &^ (align - 1)
		a.Offset = at
		at += a.Size
		args = append(args, a)
	}
	return args, (at + 7) &^ 7
}

// Library is a shared object in this process. It is never unloaded.
type Library uintptr

// Link makes a shared object of an ELF object with the driver's linker, and loads it by way of a directory for temporary files.
func Link(object []byte, dir string) (Library, error) {
	code, err := elflink.Link([][]byte{object}, elflink.System())
	if err != nil {
		return 0, err
	}
	f, err := os.CreateTemp(dir, "kernel-*.so")
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(code)
	if err = errors.Join(err, f.Close()); err != nil {
		return 0, err
	}
	h, err := purego.Dlopen(f.Name(), purego.RTLD_NOW|purego.RTLD_LOCAL)
	return Library(h), err
}
