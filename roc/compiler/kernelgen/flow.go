package kernelgen

import "fmt"

// flow is steps that jump to one another: loops with several ways in and out are among what they make.
type flow struct {
	label string
	steps []step
}

// step runs its body and goes back to a step up to itself, while that has a turn left, or on to one of two behind it.
type step struct {
	body    block
	turns   *variable // back jumps done, of this step or of several; nil: it has no way back
	most    int
	again   expr
	back    int
	c       expr
	yes, no int
}

func (f flow) print(p *printer) {
	for i, s := range f.steps {
		p.line("%s_%d:;", f.label, i)
		s.body.print(p)
		if s.turns != nil {
			p.line("if (%s < %du && %v) { %s++; goto %s_%d; }", s.turns.name, s.most, s.again, s.turns.name, f.label, s.back)
		}
		p.line("if (%v) goto %s_%d;", s.c, f.label, s.yes)
		p.line("goto %s_%d;", f.label, s.no)
	}
	p.line("%s_%d:;", f.label, len(f.steps))
}

func (f flow) run(it *item) outcome {
	for at := 0; at < len(f.steps); {
		s := f.steps[at]
		if o := it.at(at, s.body.run); o != goOn {
			return o
		}
		if s.turns != nil {
			if turns := &it.vars[s.turns.number][0][0]; *turns < uint64(s.most) && s.again.eval(it)[0] != 0 {
				*turns++
				at = s.back
				continue
			}
		}
		if at = s.no; s.c.eval(it)[0] != 0 {
			at = s.yes
		}
	}
	return goOn
}

// flow makes one, with what sets its counts of turns before it.
func (g *gen) flow(c context) (b block) {
	g.loops++
	defer func() { g.loops-- }()
	in := c
	in.uniform = c.uniform && g.r.Intn(2) == 0
	turns := func() *variable {
		v := g.variable("k", uint32T)
		v.uniform = in.uniform
		b = append(b, assign{v, nil, uintLiteral(0)})
		return v
	}
	shared := turns()
	f := flow{label: fmt.Sprint("f", shared.number), steps: make([]step, 2+g.r.Intn(5))}
	on := func(from int) int { return from + 1 + g.r.Intn(len(f.steps)-from) }
	for i := range f.steps {
		s := step{body: g.scoped(in, g.r.Intn(3)), c: g.test(1, in.uniform), yes: on(i), no: on(i)}
		if g.r.Intn(2) == 0 {
			s.turns, s.most, s.again, s.back = shared, 1+g.r.Intn(6), g.test(1, in.uniform), g.r.Intn(i+1)
			if g.r.Intn(2) == 0 {
				s.turns = turns()
			}
		}
		f.steps[i] = s
	}
	return append(b, f)
}
