// Package kerneltest builds and runs kernels inside a test process, for the tests of the compiler's transforms. The driver
// does neither: it compiles in a process of its own.
package kerneltest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"

	"github.com/ebitengine/purego"
)

// Triple the tests compile for.
const Triple = "x86_64-unknown-linux-gnu"

// Bitcode compiles OpenCL C with clang as the driver does, except that no builtins are linked in. Options are clang's.
func Bitcode(source string, options ...string) ([]byte, error) {
	args := append([]string{"-cc1", "-triple", Triple, "-target-cpu", llvm.HostCPU(), "-emit-llvm-bc", "-O2", "-disable-llvm-passes",
		"-x", "cl", "-cl-std=CL3.0", "-finclude-default-header", "-fdeclare-opencl-builtins", "-cl-ext=+all",
		"-ffake-address-space-map", "-ffp-contract=off", "-mrelocation-model", "pic", "-pic-level", "2",
		"-resource-dir", "/usr/lib/llvm-19/lib/clang/19", "-internal-isystem", "/usr/lib/llvm-19/lib/clang/19/include", "-w", "-o", "-"}, options...)
	cmd := exec.Command("/usr/lib/llvm-19/bin/clang", append(args, "-")...)
	cmd.Stdin = bytes.NewReader([]byte(source))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("clang: %w\n%s", err, errs.String())
	}
	return out.Bytes(), nil
}

// Target is the code generator for this machine, the same every time.
var Target = sync.OnceValues(func() (llvm.TargetMachine, error) {
	if err := llvm.Load(); err != nil {
		return 0, err
	}
	return llvm.NewTargetMachine(Triple, llvm.HostCPU(), llvm.HostFeatures(), llvm.CodeBest)
})

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

// Link makes a shared object of an ELF object, in a directory for temporary files, and loads it.
func Link(object []byte, dir string) (Library, error) {
	f, err := os.CreateTemp(dir, "kernel-*.o")
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(object)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return 0, err
	}
	so := filepath.Join(dir, filepath.Base(f.Name())+".so")
	defer os.Remove(so)
	if out, err := exec.Command("ld.lld-19", "-shared", "-o", so, f.Name()).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("ld.lld: %w\n%s", err, out)
	}
	h, err := purego.Dlopen(so, purego.RTLD_NOW|purego.RTLD_LOCAL)
	return Library(h), err
}
