package frontend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// For AMD's GPUs the same clang makes the code, too, with AMD's device libraries, in which the functions of OpenCL C are; a linker
// makes a code object of it (LLVM's AMDGPUUsage, "Code Object").

// codeObject is the version of code objects: that whose hidden arguments are codeobject.HiddenArgs.
const codeObject = "-mcode-object-version=5"

// gpuTarget are clang's arguments for a processor.
func gpuTarget(processor string) []string {
	return []string{"-triple", "amdgcn-amd-amdhsa", "-target-cpu", processor, codeObject,
		"-fvisibility=hidden", "-fapply-global-visibility-to-externs"}
}

// ErrNoDeviceLibraries is returned when AMD's device libraries are not installed.
var ErrNoDeviceLibraries = errors.New("AMD's device libraries (rocm-device-libs) are not installed")

// DeviceLibraries is the folder of AMD's device libraries.
func DeviceLibraries() (string, error) {
	dirs := []string{"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode"}
	if root := os.Getenv("ROCM_PATH"); root != "" {
		dirs = append([]string{filepath.Join(root, "amdgcn/bitcode")}, dirs...)
	}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "opencl.bc")); err == nil {
			return dir, nil
		}
	}
	return "", ErrNoDeviceLibraries
}

// deviceLibraries are the files to link for a processor. Some hold but a constant each, by which the others choose what they do.
func (o *Options) deviceLibraries(dir, processor string) []string {
	onOff := func(name string, on bool) string {
		if on {
			return name + "_on"
		}
		return name + "_off"
	}
	version := strings.TrimPrefix(processor, "gfx")
	wave64 := len(version) < 4 // from gfx10 on, clang's default is waves of 32
	var files []string
	for _, name := range []string{"opencl", "ocml", "ockl",
		onOff("oclc_daz_opt", o.DenormsAreZero),
		onOff("oclc_unsafe_math", o.UnsafeMath || o.FastRelaxedMath),
		onOff("oclc_finite_only", o.FiniteMath || o.FastRelaxedMath),
		onOff("oclc_correctly_rounded_sqrt", o.CorrectDivideSqrt),
		onOff("oclc_wavefrontsize64", wave64),
		"oclc_isa_version_" + version, "oclc_abi_version_500",
	} {
		files = append(files, filepath.Join(dir, name+".bc"))
	}
	return files
}

// GPUCode makes a code object of a module that Run, or linking what it made, gave; prints says that it calls printf. Where that fails
// for what is in the module there is none, and the log says why.
func GPUCode(ctx context.Context, bitcode []byte, o *Options, processor string, prints bool) (code []byte, log string, err error) {
	clang, err := Clang()
	if err != nil {
		return nil, "", err
	}
	linker, err := Linker()
	if err != nil {
		return nil, "", err
	}
	libraries, err := DeviceLibraries()
	if err != nil {
		return nil, "", err
	}
	level := "-O3"
	if o.OptDisable {
		level = "-O1"
	}
	args := append([]string{"-cc1"}, gpuTarget(processor)...)
	args = append(args, "-x", "ir", level, "-vectorize-slp", "-emit-obj", "-mrelocation-model", "pic", "-pic-level", "2", "-o", "-")
	for _, file := range o.deviceLibraries(libraries, processor) {
		if _, err := os.Stat(file); err != nil {
			return nil, "", fmt.Errorf("AMD's device libraries do not know %s: %w", processor, err)
		}
		args = append(args, "-mlink-builtin-bitcode", file)
	}
	if prints {
		if bitcode, log, err = bindPrintf(ctx, clang, bitcode, processor); bitcode == nil || err != nil {
			return nil, log, err
		}
	}
	object, text, err := generate(ctx, clang, args, bitcode)
	log += text
	if object == nil || err != nil {
		return nil, log, err
	}
	code, text, err = linkObject(ctx, linker, object)
	return code, log + text, err
}

// bindPrintf has clang turn calls of printf into stores to the buffer of the hidden arguments, and the format strings into metadata. It
// does so where printf is declared only: before the device libraries come in, which have one that does nothing.
func bindPrintf(ctx context.Context, clang string, bitcode []byte, processor string) ([]byte, string, error) {
	args := append([]string{"-cc1"}, gpuTarget(processor)...)
	return generate(ctx, clang, append(args, "-x", "ir", "-O0", "-emit-llvm-bc", "-o", "-"), bitcode)
}

// generate runs clang on a module. There is no output if something is wrong with that.
func generate(ctx context.Context, clang string, args []string, bitcode []byte) (output []byte, log string, err error) {
	c, err := spawn(clang)
	if err != nil {
		return nil, "", err
	}
	err = c.run(append(args, "-"), bitcode, ctx.Done())
	log = tidy(c.log.String(), "")
	if ctx.Err() != nil {
		return nil, log, context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() && exit.ExitCode() == 1 {
		return nil, log, nil
	}
	if err != nil {
		return nil, log, fmt.Errorf("clang: %w", err)
	}
	return c.bitcode.Bytes(), log, nil
}

// linkObject makes a code object of an object file.
func linkObject(ctx context.Context, linker string, object []byte) (code []byte, log string, err error) {
	dir, err := os.MkdirTemp("", "aqueduct-gpu-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "in.o"), filepath.Join(dir, "out.co")
	if err := os.WriteFile(in, object, 0o600); err != nil {
		return nil, "", err
	}
	text, err := exec.CommandContext(ctx, linker, "-shared", "--no-undefined", "--build-id=none", "-o", out, in).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, undefinedNames(string(text)), nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("linker: %w", err)
	}
	code, err = os.ReadFile(out)
	return code, "", err
}

// undefinedNames words what the linker says in the terms of the source.
func undefinedNames(text string) string {
	const mark = "undefined symbol: "
	var log strings.Builder
	for _, line := range strings.Split(text, "\n") {
		if _, name, ok := strings.Cut(line, mark); ok {
			fmt.Fprintf(&log, "error: undefined: %s\n", strings.TrimSpace(name))
		}
	}
	if log.Len() == 0 {
		return text
	}
	return log.String()
}
