package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"
)

// Library is the builtin library as bitcode: a folder of modules, and an index that says which of them defines a symbol.
// All its symbols are linkonce, so that linking a module brings in only what is called.
type Library struct {
	dir   string
	index []byte // lines "symbol\tmodule\n", sorted
}

const indexName = "index"

// OpenLibrary reads the index of the library in dir.
func OpenLibrary(dir string) (*Library, error) {
	index, err := os.ReadFile(filepath.Join(dir, indexName))
	if err != nil {
		return nil, fmt.Errorf("the builtin library is missing: %w", err)
	}
	return &Library{dir, index}, nil
}

// find returns the module that defines symbol, "" if there is none. It searches the sorted lines by bisection.
func (l *Library) find(symbol string) string {
	low, high := 0, len(l.index) // both at starts of lines
	for low < high {
		mid := low + (high-low)/2
		start := low + bytes.LastIndexByte(l.index[low:mid], '\n') + 1
		line, _, _ := bytes.Cut(l.index[start:], []byte{'\n'})
		name, module, _ := bytes.Cut(line, []byte{'\t'})
		switch strings.Compare(string(name), symbol) {
		case 0:
			return string(module)
		case -1:
			low = start + len(line) + 1
		default:
			high = start
		}
	}
	return ""
}

// Link defines what m calls and the library knows, and what that calls in turn.
func (l *Library) Link(m llvm.Module) error {
	for {
		var modules []string
		for _, f := range m.Functions() {
			if !f.IsDeclaration() || !f.HasUses() {
				continue
			}
			if name := l.find(f.Name()); name != "" && !slices.Contains(modules, name) {
				modules = append(modules, name)
			}
		}
		if len(modules) == 0 {
			return nil
		}
		for _, name := range modules {
			code, err := os.ReadFile(filepath.Join(l.dir, name))
			if err != nil {
				return fmt.Errorf("the builtin library: %w", err)
			}
			part, err := m.Context().ParseBitcodeLazily(code)
			if err != nil {
				return fmt.Errorf("the builtin library: %s: %w", name, err)
			}
			if err := m.Link(part); err != nil {
				return fmt.Errorf("the builtin library: %s: %w", name, err)
			}
		}
	}
}

// precompiled is what makes builtins small before they are linked into a program.
const precompiled = "always-inline,globaldce,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>)"

// BuildLibrary compiles every *.cl of sources (which may include what else lies there) into a library in dir.
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
	var index []string
	defined := map[string]string{}
	for _, name := range names {
		module := strings.TrimSuffix(name, ".cl") + ".bc"
		symbols, err := buildModule(ctx, work, name, filepath.Join(dir, module))
		if err != nil {
			return err
		}
		for _, s := range symbols {
			if other, dup := defined[s]; dup {
				return fmt.Errorf("%s and %s both define %s", other, name, s)
			}
			defined[s] = name
			index = append(index, s+"\t"+module+"\n")
		}
	}
	slices.SortFunc(index, func(a, b string) int {
		x, _, _ := strings.Cut(a, "\t")
		y, _, _ := strings.Cut(b, "\t")
		return strings.Compare(x, y)
	})
	return os.WriteFile(filepath.Join(dir, indexName), []byte(strings.Join(index, "")), 0o644)
}

// buildModule compiles one file and returns the symbols it defines.
func buildModule(ctx context.Context, work, name, to string) ([]string, error) {
	source, err := os.ReadFile(filepath.Join(work, name))
	if err != nil {
		return nil, err
	}
	out, err := frontend.Run(ctx, &frontend.Unit{Source: source, Dir: work, Builtins: true,
		Options: &frontend.Options{Std: "CL3.0", Includes: []string{"."}, Werror: true}})
	if err != nil {
		return nil, err
	}
	if len(out.Bitcode) == 0 {
		return nil, fmt.Errorf("%s does not compile:\n%s", name, strings.ReplaceAll(out.Log, "<source>", name))
	}
	c := llvm.NewContext()
	defer c.Dispose()
	m, err := c.ParseBitcode(out.Bitcode)
	if err != nil {
		return nil, err
	}
	defer m.Dispose()
	stripProcessor(m)
	if err := m.RunPasses(precompiled, 0, llvm.PassOptions{}); err != nil {
		return nil, err
	}
	var symbols []string
	for _, g := range append(m.Functions(), m.Globals()...) {
		if g.IsDeclaration() || g.Linkage() != llvm.External {
			continue
		}
		g.SetLinkage(llvm.LinkOnceODR)
		symbols = append(symbols, g.Name())
	}
	return symbols, os.WriteFile(to, m.Bitcode(), 0o644)
}

// stripProcessor takes from all functions what clang says of the processor it was told (see frontend): the code generator's
// settings hold instead.
func stripProcessor(m llvm.Module) {
	for _, f := range m.Functions() {
		for _, key := range []string{"target-cpu", "target-features", "tune-cpu", "stack-protector-buffer-size", "min-legal-vector-width"} {
			f.RemoveStringAttribute(llvm.FunctionIndex, key)
		}
	}
}
