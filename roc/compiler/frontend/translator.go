package frontend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"aqueduct/roc/settings"
)

// ErrNoTranslator is returned when the SPIR-V translator is not installed.
var ErrNoTranslator = errors.New("llvm-spirv-15 is not installed")

// translators are the places of the SPIR-V translator. That of LLVM 15 writes bitcode that later versions of LLVM read, with the
// names of functions that its types of pointers allow.
var translators = []string{"/usr/bin/llvm-spirv-15", "llvm-spirv-15"}

// Translator is the path of the SPIR-V translator: AQUEDUCT_TRANSLATOR, or the first one there is.
var Translator = sync.OnceValues(func() (string, error) {
	candidates := translators
	if own := settings.Translator.Value(); own != "" {
		candidates = []string{own}
	}
	for _, c := range candidates {
		if path, err := exec.LookPath(c); err == nil {
			return filepath.EvalSymlinks(path)
		}
	}
	return "", ErrNoTranslator
})

// limited runs a program that may not use up the machine: a module of some bytes can ask for an array of gigabytes, or for a loop
// of types. Nor does it leave its memory behind in a file.
const limited = `ulimit -c 0; ulimit -v 4194304; ulimit -t 60; exec "$0" "$@"`

// translatorTime is how long a translation may take.
const translatorTime = time.Minute

// Translate makes bitcode, for the device "spir64", of a SPIR-V module. One that cannot be translated gives no bitcode, and a log.
// An error means that the translator could not be run, or was stopped by ctx.
func Translate(ctx context.Context, module []byte) (*Output, error) {
	path, err := Translator()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, translatorTime, fmt.Errorf("translation of SPIR-V took longer than %v", translatorTime))
	defer cancel()
	runtime.LockOSThread() // whose end would end the child
	defer runtime.UnlockOSThread()
	var bitcode, log bytes.Buffer
	input, err := writeModule(module)
	if input != "" {
		defer os.Remove(input)
	}
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", limited, path, "-r", "--spirv-target-env=CL2.0", "--spirv-gen-kernel-arg-name-md", "-o", "-", input)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "LLVM_DISABLE_SYMBOLIZATION=1") // of the stack of a crash
	cmd.Stdout, cmd.Stderr = &bitcode, &log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	err = cmd.Run()
	out := &Output{Log: translatorLog(log.String())}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return out, context.Cause(ctx)
	case err == nil && bitcode.Len() > 0:
		out.Bitcode = bitcode.Bytes()
	case err == nil || errors.As(err, &exit):
		out.Log += "error: the SPIR-V module cannot be translated\n"
	default:
		return out, err
	}
	return out, nil
}

// writeModule makes a file of a module: the translator cannot read a pipe.
func writeModule(module []byte) (path string, err error) {
	f, err := os.CreateTemp("", "aqueduct-*.spv")
	if err != nil {
		return "", err
	}
	_, err = f.Write(module)
	return f.Name(), errors.Join(err, f.Close())
}

// translatorLog keeps what a translator says about the module, not where in its own code it ended.
func translatorLog(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "PLEASE submit a bug report") || strings.HasPrefix(line, "Stack dump") {
			break
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}
