package pipeline

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"
)

// precompiled is what makes builtins small before they are linked into a program.
const precompiled = "always-inline,globaldce,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>)"

// BuildLibrary compiles every *.cl of sources (which may include what else lies there) into a library in dir. A module
// whose sources are those of the last time, and whose compiler is, too, is left as it is, and if all are, so is the index: its time
// tells a program cache which library there is.
func BuildLibrary(ctx context.Context, sources fs.FS, dir string) error {
	if err := llvm.Load(); err != nil {
		return err
	}
	names, err := fs.Glob(sources, "*.cl")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "aqueduct-builtins-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(work, sources); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mould, err := frontend.BuildMould(ctx)
	if err != nil {
		return err
	}
	if at := filepath.Join(dir, mouldName); !holds(at, mould) {
		if err := replaceFile(at, mould); err != nil {
			return err
		}
	}
	frontend.UseMould(filepath.Join(dir, mouldName))
	common, err := commonKey(sources)
	if err != nil {
		return err
	}
	b := &libraryBuild{work: work, dir: dir, common: common, symbols: make([][]string, len(names)), errs: make([]error, len(names))}
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				b.symbols[i], b.errs[i] = b.module(ctx, names[i])
			}
		})
	}
	for i := range names {
		next <- i
	}
	close(next)
	wg.Wait()
	if err := errors.Join(b.errs...); err != nil {
		return err
	}
	return b.writeIndex(names)
}

type libraryBuild struct {
	work, dir string
	common    []byte     // hash of what all modules depend on
	symbols   [][]string // that each module defines
	errs      []error
	compiled  atomic.Bool // some module was
}

// commonKey hashes the headers, and what compiles them.
func commonKey(sources fs.FS) ([]byte, error) {
	h := sha256.New()
	headers, err := fs.Glob(sources, "*.h")
	if err != nil {
		return nil, err
	}
	for _, name := range headers {
		text, err := fs.ReadFile(sources, name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
	}
	clang, err := frontend.Clang()
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(h, precompiled, builtinUnit(nil, "").Args(clang))
	return h.Sum(nil), nil
}

func builtinUnit(source []byte, dir string) *frontend.Unit {
	return &frontend.Unit{Source: source, Dir: dir, Builtins: true,
		Options: &frontend.Options{Std: "CL3.0", Includes: []string{"."}, Werror: true}}
}

// module compiles one file, unless it has been, and returns the symbols it defines. Beside the bitcode lies a list of
// these, headed by the hash of all that went in.
func (b *libraryBuild) module(ctx context.Context, name string) ([]string, error) {
	source, err := os.ReadFile(filepath.Join(b.work, name))
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(append(bytes.Clone(b.common), source...))
	head := hex.EncodeToString(key[:])
	code, list := filepath.Join(b.dir, moduleName(name)), filepath.Join(b.dir, name+".symbols")
	if text, err := os.ReadFile(list); err == nil {
		if lines := strings.Fields(string(text)); len(lines) > 0 && lines[0] == head {
			if _, err := os.Stat(code); err == nil {
				return lines[1:], nil
			}
		}
	}
	b.compiled.Store(true)
	symbols, bitcode, err := compileModule(ctx, name, builtinUnit(source, b.work))
	if err != nil {
		return nil, err
	}
	if err := replaceFile(code, bitcode); err != nil {
		return nil, err
	}
	return symbols, replaceFile(list, []byte(strings.Join(append([]string{head}, symbols...), "\n")))
}

// holds says that a file has this text.
func holds(path string, text []byte) bool {
	old, err := os.ReadFile(path)
	return err == nil && bytes.Equal(old, text)
}

// replaceFile writes a file in one step, since others may be reading it.
func replaceFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func moduleName(source string) string { return strings.TrimSuffix(source, ".cl") + ".bc" }

// compileModule returns bitcode, and the symbols it defines.
func compileModule(ctx context.Context, name string, u *frontend.Unit) (symbols []string, bitcode []byte, err error) {
	out, err := frontend.Run(ctx, u)
	if err != nil {
		return nil, nil, err
	}
	if len(out.Bitcode) == 0 {
		return nil, nil, fmt.Errorf("%s does not compile:\n%s", name, strings.ReplaceAll(out.Log, "<source>", name))
	}
	c := llvm.NewContext()
	defer c.Dispose()
	m, err := c.ParseBitcode(out.Bitcode)
	if err != nil {
		return nil, nil, err
	}
	defer m.Dispose()
	stripProcessor(m)
	definePadding(m)
	if err := m.RunPasses(precompiled, 0, llvm.PassOptions{}); err != nil {
		return nil, nil, err
	}
	for _, g := range append(m.Functions(), m.Globals()...) {
		if g.IsDeclaration() || g.Linkage() != llvm.External {
			continue
		}
		g.SetLinkage(llvm.LinkOnceODR)
		symbols = append(symbols, g.Name())
	}
	return symbols, m.Bitcode(), nil
}

// writeIndex says which module defines what. It is written last: a library without is none.
func (b *libraryBuild) writeIndex(names []string) error {
	var index []string
	defined := map[string]string{}
	for i, symbols := range b.symbols {
		for _, s := range symbols {
			if other, dup := defined[s]; dup {
				return fmt.Errorf("%s and %s both define %s", other, names[i], s)
			}
			defined[s] = names[i]
			index = append(index, s)
		}
	}
	slices.Sort(index)
	var text strings.Builder
	for _, s := range index {
		fmt.Fprintf(&text, "%s\t%s\n", s, moduleName(defined[s]))
	}
	at := filepath.Join(b.dir, indexName)
	if !b.compiled.Load() && holds(at, []byte(text.String())) {
		return nil
	}
	return replaceFile(at, []byte(text.String()))
}

// denormalMode is the attribute of a function that says how it takes denormals, flushed what clang says for -cl-denorms-are-zero.
const (
	denormalMode = "denormal-fp-math"
	flushed      = "preserve-sign,preserve-sign"
)

// stripProcessor takes from all functions what clang says of the processor it was told (see frontend): the code generator's
// settings hold instead.
func stripProcessor(m llvm.Module) {
	for _, f := range m.Functions() {
		for _, key := range []string{"target-cpu", "target-features", "tune-cpu", "stack-protector-buffer-size", "min-legal-vector-width", denormalMode} {
			f.RemoveStringAttribute(llvm.FunctionIndex, key)
		}
	}
}
