// Package mangle puts the names of builtin functions that the SPIR-V translator uses into the form that clang gives those of the
// builtin library. Both follow the C++ ABI of Itanium (section 5.1), but the one numbers address spaces and leaves the private one
// out, where the other has names for all, and so what comes later in a name counts what came before differently.
package mangle

import (
	"fmt"
	"strconv"
	"strings"
)

// spaces are the qualifiers of pointees in the translator's numbered address spaces.
var spaces = map[string]string{
	"AS1": "U8CLglobal", "AS2": "U10CLconstant", "AS3": "U7CLlocal", "AS4": "U9CLgeneric",
}

const private = "U9CLprivate"

// Builtin is the builtin library's name of the function that the translator calls symbol; symbol itself if it is no mangled name.
func Builtin(symbol string) string {
	p := &parser{rest: symbol}
	name, params, err := p.function()
	if err != nil {
		return symbol
	}
	return encode(name, params)
}

// node is a type. Leaves have a text only.
type node struct {
	prefix string // "P", "Dv4_", qualifiers
	of     *node
	text   string // of a leaf: "i", "Dh", "9ocl_event"
}

// substitutable reports whether a later part of a name can refer to the type: all but the builtin types of the ABI.
func (n *node) substitutable() bool {
	return n.of != nil || n.text[0] >= '0' && n.text[0] <= '9'
}

// key is the type in full.
func (n *node) key() string {
	if n.of == nil {
		return n.text
	}
	return n.prefix + n.of.key()
}

// encode mangles a function.
func encode(name string, params []*node) string {
	var s strings.Builder
	fmt.Fprintf(&s, "_Z%d%s", len(name), name)
	e := encoder{out: &s, seen: map[string]int{}}
	for _, p := range params {
		e.write(p)
	}
	return s.String()
}

type encoder struct {
	out  *strings.Builder
	seen map[string]int // number of each substitution
}

func (e *encoder) write(n *node) {
	if !n.substitutable() {
		e.out.WriteString(n.text)
		return
	}
	key := n.key()
	if at, ok := e.seen[key]; ok {
		e.out.WriteByte('S')
		if at > 0 {
			e.out.WriteString(strings.ToUpper(strconv.FormatInt(int64(at-1), 36)))
		}
		e.out.WriteByte('_')
		return
	}
	if n.of == nil {
		e.out.WriteString(n.text)
	} else {
		e.out.WriteString(n.prefix)
		e.write(n.of)
	}
	e.seen[key] = len(e.seen)
}

// parser reads a name of the translator's.
type parser struct {
	rest string
	subs []*node
}

var errSyntax = fmt.Errorf("not a mangled name")

func (p *parser) function() (name string, params []*node, err error) {
	if !p.accept("_Z") {
		return "", nil, errSyntax
	}
	if name, err = p.word(); err != nil {
		return "", nil, err
	}
	for p.rest != "" {
		t, err := p.typ(0)
		if err != nil {
			return "", nil, err
		}
		params = append(params, t)
	}
	if len(params) == 0 {
		return "", nil, errSyntax
	}
	return name, params, nil
}

func (p *parser) accept(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	if ok {
		p.rest = rest
	}
	return ok
}

// number reads decimal digits.
func (p *parser) number() (int, error) {
	digits := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
	n, err := strconv.Atoi(p.rest[:digits])
	if err != nil || n > 4096 {
		return 0, errSyntax
	}
	p.rest = p.rest[digits:]
	return n, nil
}

// word reads a name with its length before it.
func (p *parser) word() (string, error) {
	n, err := p.number()
	if err != nil || n == 0 || n > len(p.rest) {
		return "", errSyntax
	}
	w := p.rest[:n]
	p.rest = p.rest[n:]
	return w, nil
}

// maxDepth is of types in types: no builtin has more.
const maxDepth = 16

func (p *parser) typ(depth int) (*node, error) {
	if p.rest == "" || depth > maxDepth {
		return nil, errSyntax
	}
	switch c := p.rest[0]; {
	case p.accept("S"):
		return p.substitution()
	case p.accept("P"):
		return p.pointer(depth)
	case p.accept("Dh"):
		return &node{text: "Dh"}, nil
	case p.accept("Dv"):
		n, err := p.number()
		if err != nil || !p.accept("_") {
			return nil, errSyntax
		}
		return p.outer(fmt.Sprintf("Dv%d_", n), depth)
	case p.accept("U7_Atomic"):
		return p.outer("U7_Atomic", depth)
	case c >= '1' && c <= '9':
		w, err := p.word()
		if err != nil {
			return nil, err
		}
		return p.note(&node{text: fmt.Sprintf("%d%s", len(w), w)}), nil
	case strings.IndexByte("vbcahstijlmxyfdz", c) >= 0:
		p.rest = p.rest[1:]
		return &node{text: string(c)}, nil
	}
	return nil, errSyntax
}

// outer reads the type that prefix stands before.
func (p *parser) outer(prefix string, depth int) (*node, error) {
	t, err := p.typ(depth + 1)
	if err != nil {
		return nil, err
	}
	return p.note(&node{prefix: prefix, of: t}), nil
}

func (p *parser) note(n *node) *node {
	p.subs = append(p.subs, n)
	return n
}

// pointer reads what follows a P: qualifiers and the pointee.
func (p *parser) pointer(depth int) (*node, error) {
	space, qualifiers := "", ""
	for {
		if p.accept("U3") {
			if len(p.rest) < 3 || spaces[p.rest[:3]] == "" {
				return nil, errSyntax
			}
			space, p.rest = spaces[p.rest[:3]], p.rest[3:]
			continue
		}
		i := strings.IndexByte("rVK", (p.rest + " ")[0])
		if i < 0 {
			break
		}
		qualifiers += p.rest[:1]
		p.rest = p.rest[1:]
	}
	t, err := p.typ(depth + 1)
	if err != nil {
		return nil, err
	}
	// A pointee in private memory without qualifiers is no type of its own to the translator.
	pointee := &node{prefix: space + qualifiers, of: t}
	if space == "" {
		pointee.prefix = private + qualifiers
	}
	if space+qualifiers != "" {
		p.note(pointee)
	}
	return p.note(&node{prefix: "P", of: pointee}), nil
}

// substitution reads what follows an S: a number in base 36, one less than the place, and an underscore.
func (p *parser) substitution() (*node, error) {
	text, rest, ok := strings.Cut(p.rest, "_")
	if !ok {
		return nil, errSyntax
	}
	p.rest = rest
	at := 0
	if text != "" {
		n, err := strconv.ParseUint(text, 36, 16)
		if err != nil {
			return nil, errSyntax
		}
		at = int(n) + 1
	}
	if at >= len(p.subs) {
		return nil, errSyntax
	}
	return p.subs[at], nil
}
