package pipeline

import (
	"bytes"
	"fmt"
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

// Files of a library that are no modules: its index, and what makes a mould of clang (package frontend).
const (
	indexName = "index"
	mouldName = frontend.MouldName
)

// OpenLibrary reads the index of the library in dir.
func OpenLibrary(dir string) (*Library, error) {
	index, err := os.ReadFile(filepath.Join(dir, indexName))
	if err != nil {
		return nil, fmt.Errorf("the builtin library is missing: %w", err)
	}
	frontend.UseMould(filepath.Join(dir, mouldName))
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

// read returns the bitcode of a module.
func (l *Library) read(name string) ([]byte, error) {
	code, err := os.ReadFile(filepath.Join(l.dir, name))
	if err != nil {
		return nil, fmt.Errorf("the builtin library: %w", err)
	}
	return code, nil
}

// Link defines what m calls and the library knows, and what that calls in turn, but for functions that are to stay undefined.
func (l *Library) Link(m llvm.Module, undefined func(name string) bool) error {
	for {
		var modules []string
		for _, f := range m.Functions() {
			if !f.IsDeclaration() || !f.HasUses() || undefined(f.Name()) {
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
			code, err := l.read(name)
			if err != nil {
				return err
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
