package pipeline

import (
	"errors"
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

// undefinedError names symbols as a user knows them, each where it is first used: m has line numbers, or is zero.
func undefinedError(m llvm.Module, symbols []string) error {
	var told []string
	var errs []error
	for _, symbol := range symbols {
		name := sourceName(symbol)
		if slices.Contains(told, name) { // overloads share it
			continue
		}
		told = append(told, name)
		where := ""
		if m != 0 {
			where = firstUse(m, symbol)
		}
		errs = append(errs, fmt.Errorf("%serror: undefined: %s", where, name))
	}
	return errors.Join(errs...)
}

// firstUse is the place where m uses a function, "" if it is not known.
func firstUse(m llvm.Module, symbol string) (where string) {
	f := m.Function(symbol)
	if f == 0 {
		return ""
	}
	first := 0
	for _, u := range f.Users() {
		if !u.IsInstruction() {
			continue
		}
		if _, line := u.DebugLine(); line != 0 && (first == 0 || line < first) {
			first, where = line, place(u)
		}
	}
	return where
}

// place is where an instruction comes from, with a colon and a space, if it has debug information.
func place(i llvm.Value) string {
	file, line := i.DebugLine()
	if line == 0 {
		return ""
	}
	if file == "" || file == "-" || file == "<stdin>" {
		file = "<source>"
	}
	return fmt.Sprintf("%s:%d: ", file, line)
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
	return fmt.Errorf("%serror: recursion: %s calls %s, which calls it in turn; OpenCL C has no recursive functions", place(call),
		call.Block().Parent().Name(), call.Callee().Name())
}
