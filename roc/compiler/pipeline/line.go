package pipeline

import (
	"bytes"
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"slices"
	"strings"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// Line numbers (-g). Clang describes a function in a DISubprogram, which LLVM lets belong to one function only, and the transforms
// make several of each. So the debug information is written again behind them: each function gets a description of its own, and each
// instruction the line that it had, without what was inlined where. That is enough for the line of a trap.

// settleLines writes the debug information of m again, or takes it away where nobody wants it.
func (t *translation) settleLines(m llvm.Module) error {
	if !t.lines || len(m.NamedMetadata("llvm.dbg.cu")) == 0 {
		m.StripDebug()
		return nil
	}
	c := m.Context()
	dbg := c.MDKind("dbg")
	loops := loopLines{c, c.MDKind("llvm.loop"), map[llvm.Value]llvm.Metadata{}}
	w := &lineWriter{numbers: map[string]int{}}
	w.node(`distinct !DICompileUnit(language: DW_LANG_C99, file: %d, producer: "Aqueduct", emissionKind: LineTablesOnly)`, w.file("<source>"))
	unit := len(w.text) - 1
	var functions []llvm.Value // in the order of scopes
	var scopes []int
	var instructions []llvm.Value // in the order of lines
	var lines []int
	for _, f := range m.Functions() {
		if f.IsDeclaration() {
			continue
		}
		f.SetGlobalMetadata(dbg, 0)
		scope := -1
		for _, b := range f.Blocks() {
			for i := b.First(); i != 0; i = i.Next() {
				loops.drop(i)
				file, line := i.DebugLine()
				// A call in a function with lines must have one.
				if line == 0 && i.Opcode() != llvm.OpCall {
					i.SetMetadata(c, dbg, 0)
					continue
				}
				if scope < 0 {
					scope = w.node(`distinct !DISubprogram(name: %s, file: %d, type: %d, unit: %d, spFlags: DISPFlagDefinition)`,
						quoted(f.Name()), w.file("<source>"), w.node(`!DISubroutineType(types: null)`), unit)
					functions, scopes = append(functions, f), append(scopes, scope)
				}
				in := scope
				if line != 0 {
					in = w.node(`!DILexicalBlockFile(scope: %d, file: %d, discriminator: 0)`, scope, w.file(file))
				}
				instructions, lines = append(instructions, i), append(lines, w.node(`!DILocation(line: %d, scope: %d)`, raw(line), in))
			}
		}
	}
	source, err := c.ParseIR(w.module(unit, scopes, lines))
	if err != nil {
		return fmt.Errorf("line numbers: %w", err)
	}
	source.SetTriple(triple)
	source.SetLayout(layout)
	if err := m.Link(source); err != nil {
		return fmt.Errorf("line numbers: %w", err)
	}
	for i, n := range m.NamedMetadata(scopesName) {
		functions[i].SetGlobalMetadata(dbg, n.AsMetadata())
	}
	for i, n := range m.NamedMetadata(linesName) {
		instructions[i].SetMetadata(c, dbg, n.AsMetadata())
	}
	return nil
}

// loopLines takes lines out of what branches say of their loops, which only remarks of LLVM's are made of.
type loopLines struct {
	c    llvm.Context
	kind uint32
	made map[llvm.Value]llvm.Metadata // by the node that a loop had
}

func (l *loopLines) drop(i llvm.Value) {
	loop := i.Metadata(l.kind)
	if loop == 0 {
		return
	}
	if l.made[loop] == 0 {
		var properties []llvm.Metadata // nodes that start with a name
		for _, o := range loop.MDOperands()[1:] {
			if o == 0 {
				continue
			}
			if parts := o.MDOperands(); len(parts) > 0 {
				if _, named := parts[0].MDText(); named {
					properties = append(properties, o.AsMetadata())
				}
			}
		}
		l.made[loop] = l.c.DistinctMDNode(properties...)
	}
	i.SetMetadata(l.c, l.kind, l.made[loop])
}

const scopesName, linesName = "aqueduct.scopes", "aqueduct.lines"

// lineWriter writes nodes of metadata as text; LLVM's C interface cannot make most of them.
type lineWriter struct {
	text    []string       // nodes by number
	numbers map[string]int // of nodes that are not distinct, by text
}

// raw is a number that is no node's.
type raw int

// node returns the number of a node. An int in args is another node's number.
func (w *lineWriter) node(format string, args ...any) int {
	for i, a := range args {
		switch a := a.(type) {
		case int:
			args[i] = fmt.Sprintf("!%d", a)
		case raw:
			args[i] = fmt.Sprint(int(a))
		}
	}
	text := fmt.Sprintf(strings.ReplaceAll(format, "%d", "%s"), args...)
	if n, ok := w.numbers[text]; ok {
		return n
	}
	n := len(w.text)
	w.text = append(w.text, text)
	if !strings.HasPrefix(text, "distinct") {
		w.numbers[text] = n
	}
	return n
}

func (w *lineWriter) file(name string) int {
	if name == "" || name == "-" || name == "<stdin>" {
		name = "<source>"
	}
	return w.node(`!DIFile(filename: %s, directory: "")`, quoted(name))
}

// module is a module of the nodes, with lists of some.
func (w *lineWriter) module(unit int, scopes, lines []int) string {
	var s strings.Builder
	list := func(name string, nodes []int) {
		fmt.Fprintf(&s, "!%s = !{", name)
		for i, n := range nodes {
			fmt.Fprintf(&s, "%s!%d", map[bool]string{true: ", "}[i > 0], n)
		}
		s.WriteString("}\n")
	}
	flags := w.node(`!{i32 2, !"Debug Info Version", i32 3}`)
	list("llvm.module.flags", []int{flags})
	list("llvm.dbg.cu", []int{unit})
	list(scopesName, scopes)
	list(linesName, lines)
	for i, text := range w.text {
		fmt.Fprintf(&s, "!%d = %s\n", i, text)
	}
	return s.String()
}

// quoted is a string in LLVM's textual form.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\%02X`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// lineTable reads the lines of an object file, by their distance from a function; nil if it has none.
func lineTable(object []byte, symbol string) *codeobject.LineTable {
	f, err := elf.NewFile(bytes.NewReader(object))
	if err != nil {
		return nil
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil
	}
	at := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == symbol })
	info, err := f.DWARF()
	if at < 0 || err != nil {
		return nil
	}
	t := &codeobject.LineTable{}
	for units := info.Reader(); ; units.SkipChildren() {
		unit, err := units.Next()
		if err != nil || unit == nil {
			break
		}
		if lines, err := info.LineReader(unit); err == nil && lines != nil {
			readLines(t, lines, int64(symbols[at].Value))
		}
	}
	slices.SortStableFunc(t.Entries, func(a, b codeobject.LineEntry) int { return cmp.Compare(a.Offset, b.Offset) })
	return t
}

// readLines adds the lines of a unit to t. Columns make several entries of one line.
func readLines(t *codeobject.LineTable, lines *dwarf.LineReader, base int64) {
	var e dwarf.LineEntry
	for lines.Next(&e) == nil {
		entry := codeobject.LineEntry{Offset: int64(e.Address) - base, Line: e.Line}
		if e.EndSequence {
			entry.Line = 0
		}
		if e.File != nil {
			if entry.File = slices.Index(t.Files, e.File.Name); entry.File < 0 {
				entry.File = len(t.Files)
				t.Files = append(t.Files, e.File.Name)
			}
		}
		if n := len(t.Entries); n > 0 && t.Entries[n-1].Line == entry.Line && t.Entries[n-1].File == entry.File && !e.EndSequence {
			continue
		}
		t.Entries = append(t.Entries, entry)
	}
}
