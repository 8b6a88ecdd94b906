package kernelgen

import (
	"fmt"
	"strings"
)

// outcome of a statement: where control goes next.
type outcome int

const (
	goOn outcome = iota
	doBreak
	doContinue
	doReturn
)

type stmt interface {
	print(*printer)
	run(*item) outcome
}

type printer struct {
	strings.Builder
	depth int
}

func (p *printer) line(format string, args ...any) {
	p.WriteString(strings.Repeat("\t", p.depth))
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

type block []stmt

func (b block) print(p *printer) {
	p.depth++
	for _, s := range b {
		s.print(p)
	}
	p.depth--
}

func (b block) run(it *item) outcome {
	for i, s := range b {
		if o := it.at(i, s.run); o != goOn {
			return o
		}
	}
	return goOn
}

// assign to a variable, or to an element of an array.
type assign struct {
	v     *variable
	index expr // nil: no array
	x     expr
}

func (a assign) print(p *printer) {
	if a.index != nil {
		p.line("%v = %v;", element{a.v, a.index}, a.x)
	} else {
		p.line("%s = %v;", a.v.name, a.x)
	}
}
func (a assign) run(it *item) outcome {
	at := uint64(0)
	if a.index != nil {
		at = a.index.eval(it)[0] & uint64(a.v.array-1)
	}
	it.vars[a.v.number][at] = a.x.eval(it)
	return goOn
}

// effect is a store or an atomic: text with %v for its operands.
type effect struct {
	text string
	args []expr
	do   func(*item, []uint64)
}

func (e effect) print(p *printer) {
	args := make([]any, len(e.args))
	for i, a := range e.args {
		args[i] = a
	}
	p.line(e.text, args...)
}
func (e effect) run(it *item) outcome {
	v := make([]uint64, len(e.args))
	for i, a := range e.args {
		v[i] = a.eval(it)[0]
	}
	e.do(it, v)
	return goOn
}

type conditional struct {
	c       expr
	yes, no block
}

func (c conditional) print(p *printer) {
	p.line("if (%v) {", c.c)
	c.yes.print(p)
	if len(c.no) > 0 {
		p.line("} else {")
		c.no.print(p)
	}
	p.line("}")
}
func (c conditional) run(it *item) outcome {
	if c.c.eval(it)[0] != 0 {
		return it.at(0, c.yes.run)
	}
	return it.at(1, c.no.run)
}

// loop counts a variable up: kind 0 is a for loop to a limit computed once, 1 while and 2 do-while with a condition and a
// limit of rounds, 3 has its only exit in every second round, so that work-items pass it in different ones.
type loop struct {
	kind  int
	count *variable
	limit expr // kind 0: trip count (below 8); 3: odd or even rounds; else ignored
	most  int
	c     expr
	body  block
}

func (l loop) print(p *printer) {
	k := l.count.name
	switch l.kind {
	case 0:
		p.line("for (uint n%s = %v & 7u; %s < n%s; %s++) {", k, l.limit, k, k, k)
	case 1:
		p.line("while (%s < %du && %v) {", k, l.most, l.c)
		p.line("\t%s++;", k)
	case 2:
		p.line("do {")
		p.line("\t%s++;", k)
	case 3:
		p.line("for (uint n%s = %v;;) {", k, l.limit)
		p.line("\t%s++;", k)
		p.line("\tif ((%s ^ n%s) & 1u) { if (%s > %du) break; }", k, k, k, l.most)
	}
	l.body.print(p)
	if l.kind == 2 {
		p.line("} while (%s < %du && %v);", k, l.most, l.c)
	} else {
		p.line("}")
	}
}

func (l loop) run(it *item) outcome {
	k := &it.vars[l.count.number][0][0]
	limit := uint64(l.most)
	if l.kind == 0 {
		limit = l.limit.eval(it)[0] & 7
	}
	odd := uint64(0)
	if l.kind == 3 {
		odd = l.limit.eval(it)[0]
	}
	again := func() bool { return *k < limit && (l.kind == 0 || l.c.eval(it)[0] != 0) }
	for round := 0; l.kind >= 2 || again(); round++ {
		if l.kind != 0 {
			*k++
		}
		if l.kind == 3 && (*k^odd)&1 != 0 && *k > limit {
			return goOn
		}
		switch it.at(round, l.body.run) {
		case doBreak:
			return goOn
		case doReturn:
			return doReturn
		}
		if l.kind == 0 {
			*k++
		}
		if l.kind == 2 && !again() {
			break
		}
	}
	return goOn
}

// choose is a switch over the low two bits of a value, with cases 0 to 2 and a default.
type choose struct {
	x    expr
	arms [4]block
	fall [4]bool // no break at the end
}

func (c choose) print(p *printer) {
	p.line("switch (%v & 3u) {", c.x)
	for i, arm := range c.arms {
		if i < 3 {
			p.line("case %d:", i)
		} else {
			p.line("default:;") // a label without a statement is C23
		}
		arm.print(p)
		if !c.fall[i] {
			p.line("\tbreak;")
		}
	}
	p.line("}")
}
func (c choose) run(it *item) outcome {
	for i := c.x.eval(it)[0] & 3; i < 4; i++ {
		switch o := it.at(int(i), c.arms[i].run); {
		case o == doBreak:
			return goOn
		case o != goOn:
			return o
		case !c.fall[i]:
			return goOn
		}
	}
	return goOn
}

type jump struct {
	text string
	to   outcome
}

func (j jump) print(p *printer)  { p.line("%s;", j.text) }
func (j jump) run(*item) outcome { return j.to }

// barrier waits for the group.
type barrier struct{ text string }

func (b barrier) print(p *printer) { p.line("%s;", b.text) }
func (b barrier) run(it *item) outcome {
	it.wait()
	return goOn
}
