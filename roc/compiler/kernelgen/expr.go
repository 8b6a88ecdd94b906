package kernelgen

import (
	"fmt"
	"strings"
)

// expr is an expression without side effects.
type expr interface {
	typ() typ
	String() string // OpenCL C, in parentheses where needed
	eval(*item) value
}

type literal struct {
	t typ
	v value
}

func (l literal) typ() typ         { return l.t }
func (l literal) eval(*item) value { return l.v }
func (l literal) String() string {
	s := make([]string, l.t.lanes)
	for i := range s {
		s[i] = scalarLiteral(l.t.scalar(), l.v[i])
	}
	if l.t.lanes == 1 {
		return s[0]
	}
	return fmt.Sprintf("(%v)(%s)", l.t, strings.Join(s, ", "))
}

func scalarLiteral(t typ, v uint64) string {
	switch {
	case t.float && t.bits == 16:
		return fmt.Sprintf("as_half((ushort)%#xu)", v)
	case t.float && t.bits == 32:
		return fmt.Sprintf("as_float(%#xu)", v)
	case t.float:
		return fmt.Sprintf("as_double(%#xul)", v)
	case t.bits == 64:
		return fmt.Sprintf("(%v)%#xul", t, v)
	case t.signed: // by way of the unsigned type: -2^31 has no literal
		return fmt.Sprintf("(%v)%#xu", t, uint32(v))
	}
	return fmt.Sprintf("(%v)%du", t, v)
}

// variable of the kernel: private, one value a work-item.
type variable struct {
	t       typ
	name    string
	number  int
	uniform bool // holds the same in all work-items of a group
	array   int  // length, a power of two; 0: no array
}

type read struct{ v *variable }

func (r read) typ() typ            { return r.v.t }
func (r read) String() string      { return r.v.name }
func (r read) eval(it *item) value { return it.vars[r.v.number][0] }

// element of a private array.
type element struct {
	v     *variable
	index expr
}

func (e element) typ() typ       { return e.v.t }
func (e element) String() string { return fmt.Sprintf("%s[%v & %du]", e.v.name, e.index, e.v.array-1) }
func (e element) eval(it *item) value {
	return it.vars[e.v.number][e.index.eval(it)[0]&uint64(e.v.array-1)]
}

// place is a builtin of the work-item or an argument: something the interpreter knows by name.
type place struct {
	t    typ
	text string
	get  func(*item) value
}

func (p place) typ() typ            { return p.t }
func (p place) String() string      { return p.text }
func (p place) eval(it *item) value { return p.get(it) }

// load reads an array of uint by an index that get brings into range.
type load struct {
	text  string // with %v for the index
	index expr
	get   func(*item, uint64) uint64
}

func (l load) typ() typ            { return uint32T }
func (l load) String() string      { return fmt.Sprintf(l.text, l.index) }
func (l load) eval(it *item) value { return value{l.get(it, l.index.eval(it)[0])} }

// binary arithmetic of two operands of one type.
type binary struct {
	op   string
	x, y expr
}

func (b binary) typ() typ { return b.x.typ() }

func (b binary) String() string {
	t := b.typ()
	if t.float {
		return fmt.Sprintf("(%v %s %v)", b.x, b.op, b.y)
	}
	switch b.op {
	case "/", "%":
		return fmt.Sprintf("((%v)(%v %s %v))", t, b.x, b.op, b.y)
	case ">>":
		return fmt.Sprintf("((%v)(%v >> (%v & %v)))", t, b.x, b.y, splat(t, uint64(t.bits-1)))
	}
	// signed overflow is undefined, and small types are promoted to int: compute in an unsigned type
	y := b.y.String()
	if b.op == "<<" {
		y = fmt.Sprintf("(%v & %v)", b.y, splat(t, uint64(t.bits-1)))
	}
	u := t.unsigned()
	if t.lanes > 1 {
		return fmt.Sprintf("as_%v(as_%v(%v) %s as_%v(%s))", t, u, b.x, b.op, u, y)
	}
	u.bits = max(32, u.bits)
	return fmt.Sprintf("((%v)((%v)%v %s (%v)%s))", t, u, b.x, b.op, u, y)
}

func splat(t typ, v uint64) literal { return literal{t, t.each(func(int) uint64 { return v })} }

func (b binary) eval(it *item) value {
	x, y, t := b.x.eval(it), b.y.eval(it), b.typ()
	return t.each(func(i int) uint64 { return arithmetic(b.op, t, x[i], y[i]) })
}

func arithmetic(op string, t typ, x, y uint64) uint64 {
	if t.float {
		return floating(op, t, x, y)
	}
	shift := y & uint64(t.bits-1)
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "&":
		return x & y
	case "|":
		return x | y
	case "^":
		return x ^ y
	case "<<":
		return x << shift
	case ">>":
		if t.signed {
			return uint64(int64(x) >> shift)
		}
		return x >> shift
	case "/":
		switch {
		case y == 0:
			return x
		case !t.signed:
			return x / y
		case int64(y) == -1:
			return -x
		}
		return uint64(int64(x) / int64(y))
	case "%":
		switch {
		case y == 0, t.signed && int64(y) == -1:
			return 0
		case !t.signed:
			return x % y
		}
		return uint64(int64(x) % int64(y))
	}
	panic(op)
}

// compare yields an int, 0 or 1; of vectors a vector of signed integers, 0 or -1.
type compare struct {
	op   string
	x, y expr
}

func (c compare) typ() typ {
	t := c.x.typ()
	if t.lanes == 1 {
		return int32T
	}
	t.signed, t.float = true, false
	return t
}
func (c compare) String() string { return fmt.Sprintf("(%v %s %v)", c.x, c.op, c.y) }
func (c compare) eval(it *item) value {
	x, y, t := c.x.eval(it), c.y.eval(it), c.x.typ()
	return c.typ().each(func(i int) uint64 {
		r := related(c.op, t, x[i], y[i])
		if r && t.lanes > 1 {
			return ^uint64(0)
		}
		return truth(r)
	})
}

func related(op string, t typ, x, y uint64) bool {
	var less, equal bool
	switch {
	case t.float:
		a, b := number(t, x), number(t, y)
		if a != a || b != b { // not a number: only != holds
			return op == "!="
		}
		less, equal = a < b, a == b
	case t.signed:
		less, equal = int64(x) < int64(y), x == y
	default:
		less, equal = x < y, x == y
	}
	switch op {
	case "<":
		return less
	case "<=":
		return less || equal
	case ">":
		return !less && !equal
	case ">=":
		return !less
	case "==":
		return equal
	}
	return !equal
}

// logic is && or ||, of ints.
type logic struct {
	op   string
	x, y expr
}

func (l logic) typ() typ       { return int32T }
func (l logic) String() string { return fmt.Sprintf("(%v %s %v)", l.x, l.op, l.y) }
func (l logic) eval(it *item) value {
	if x := l.x.eval(it)[0] != 0; x == (l.op == "||") {
		return value{truth(x)}
	}
	return value{truth(l.y.eval(it)[0] != 0)}
}

// choice is ?: with a scalar condition.
type choice struct{ c, x, y expr }

func (c choice) typ() typ       { return c.x.typ() }
func (c choice) String() string { return fmt.Sprintf("(%v ? %v : %v)", c.c, c.x, c.y) }
func (c choice) eval(it *item) value {
	if c.c.eval(it)[0] != 0 {
		return c.x.eval(it)
	}
	return c.y.eval(it)
}

// unary is ~, or - in the unsigned type.
type unary struct {
	op string
	x  expr
}

func (u unary) typ() typ { return u.x.typ() }
func (u unary) String() string {
	switch {
	case u.op == "~":
		return fmt.Sprintf("((%v)~%v)", u.typ(), u.x)
	case u.typ().float:
		return fmt.Sprintf("(-(%v))", u.x)
	}
	return binary{"-", splat(u.typ(), 0), u.x}.String()
}
func (u unary) eval(it *item) value {
	x := u.x.eval(it)
	return u.typ().each(func(i int) uint64 {
		switch t := u.typ(); {
		case u.op == "~":
			return ^x[i]
		case t.float:
			return x[i] ^ 1<<(t.bits-1)
		}
		return -x[i]
	})
}

// convert to a type of as many lanes; not from floating point to integers, which may be undefined.
type convert struct {
	t typ
	x expr
}

func (c convert) typ() typ { return c.t }
func (c convert) String() string {
	if c.t.lanes > 1 {
		return fmt.Sprintf("__builtin_convertvector(%v, %v)", c.x, c.t)
	}
	return fmt.Sprintf("((%v)%v)", c.t, c.x)
}
func (c convert) eval(it *item) value {
	x := c.x.eval(it)
	from := c.x.typ()
	return c.t.each(func(i int) uint64 {
		switch {
		case from.float:
			return encode(c.t, number(from, x[i]))
		case !c.t.float:
			return x[i]
		case from.signed && c.t.bits == 32: // directly: by way of float64 it would be rounded twice
			return encode(c.t, float64(float32(int64(x[i]))))
		case from.signed:
			return encode(c.t, float64(int64(x[i])))
		case c.t.bits == 32:
			return encode(c.t, float64(float32(x[i])))
		}
		return encode(c.t, float64(x[i]))
	})
}

// lane of a vector.
type lane struct {
	x expr
	i int
}

func (l lane) typ() typ            { return l.x.typ().scalar() }
func (l lane) String() string      { return fmt.Sprintf("(%v).s%d", l.x, l.i) }
func (l lane) eval(it *item) value { return value{l.x.eval(it)[l.i]} }

// vector made of scalars.
type vector struct {
	t typ
	x []expr
}

func (v vector) typ() typ { return v.t }
func (v vector) String() string {
	s := make([]string, len(v.x))
	for i, x := range v.x {
		s[i] = x.String()
	}
	return fmt.Sprintf("(%v)(%s)", v.t, strings.Join(s, ", "))
}
func (v vector) eval(it *item) value {
	return v.t.each(func(i int) uint64 { return v.x[i].eval(it)[0] })
}
