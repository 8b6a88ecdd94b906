package pipeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// undefined lists the functions and variables that m uses and nobody defines. known says which functions need no definition here.
func undefined(m llvm.Module, known func(name string) bool) (names []string) {
	for _, g := range append(m.Functions(), m.Globals()...) {
		if name := g.Name(); g.IsDeclaration() && g.HasUses() && !strings.HasPrefix(name, "llvm.") && !known(name) {
			names = append(names, name)
		}
	}
	return names
}

// sourceNames are those of undefined functions as a user knows them.
func sourceNames(symbols []string) string {
	var names []string
	for _, s := range symbols {
		if name := sourceName(s); !slices.Contains(names, name) { // overloads share it
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// sourceName takes the Itanium mangling of an overloadable function off: _Z3expf is exp.
func sourceName(symbol string) string {
	rest, ok := strings.CutPrefix(symbol, "_Z")
	if !ok {
		return symbol
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	n, err := strconv.Atoi(rest[:digits])
	if err != nil || digits+n > len(rest) {
		return symbol
	}
	return rest[digits : digits+n]
}

// recursive returns a call that closes a cycle in the call graph, zero if there is none: OpenCL C has no recursion
// (OpenCL C 3.0 section 6.11, i).
func recursive(m llvm.Module) llvm.Value {
	const open, closed = 1, 2
	state := map[llvm.Value]int{}
	// Callers instead of callees: a function's uses are a short list, its instructions a long one.
	var visit func(f llvm.Value) llvm.Value
	visit = func(f llvm.Value) llvm.Value {
		state[f] = open
		for _, u := range f.Users() {
			if !u.IsInstruction() {
				continue
			}
			caller := u.Block().Parent()
			if state[caller] == open {
				return u
			}
			if state[caller] == 0 {
				if call := visit(caller); call != 0 {
					return call
				}
			}
		}
		state[f] = closed
		return 0
	}
	for _, f := range m.Functions() {
		if state[f] == 0 && !f.IsDeclaration() {
			if call := visit(f); call != 0 {
				return call
			}
		}
	}
	return 0
}

// recursionError words what recursive found; the line is known when the module has debug information.
func recursionError(call llvm.Value) error {
	place := ""
	if file, line := call.DebugLine(); line != 0 {
		if file == "" || file == "-" || file == "<stdin>" {
			file = "<source>"
		}
		place = fmt.Sprintf("%s:%d: ", file, line)
	}
	return fmt.Errorf("%serror: recursion: %s calls %s, which calls it in turn; OpenCL C has no recursive functions", place,
		call.Block().Parent().Name(), call.Callee().Name())
}
