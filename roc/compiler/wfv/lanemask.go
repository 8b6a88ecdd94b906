package wfv

import "aqueduct/roc/compiler/llvm"

// widenMasks is the last pass for processors without mask registers. LLVM keeps vectors of bits that cross a block packed as
// bytes, and does logic on them there: each use unpacks them again. Here logic on masks, and masks that cross blocks, become
// vectors of 32-bit integers, all ones or zero, which blends and masked accesses take as they are.
func widenMasks(m llvm.Module, f llvm.Value) {
	c := m.Context()
	p := &maskPass{c: c, b: c.NewBuilder(), nodes: map[llvm.Value]bool{}, wide: map[llvm.Value]llvm.Value{}}
	defer p.b.Dispose()
	p.find(f)
	for _, v := range p.order {
		if p.nodes[v] {
			p.declare(v)
		}
	}
	for _, v := range p.order {
		if p.nodes[v] {
			p.build(v)
		}
	}
	for _, v := range p.order {
		p.replaceUses(v)
	}
	p.sweep()
}

type maskPass struct {
	c     llvm.Context
	b     llvm.Builder
	order []llvm.Value              // all instructions that yield vectors of bits
	nodes map[llvm.Value]bool       // those that are logic on masks; the others are leaves
	wide  map[llvm.Value]llvm.Value // the integers
	block map[llvm.Value]llvm.Block
}

// lanes is the length of a vector of bits worth widening, else 0.
func (p *maskPass) lanes(t llvm.Type) int {
	if t.Kind() != llvm.VectorKind || t.Elem() != p.c.I1() {
		return 0
	}
	if n := t.VecLen(); n >= 4 {
		return n
	}
	return 0
}

func (p *maskPass) find(f llvm.Value) {
	p.block = map[llvm.Value]llvm.Block{}
	for _, bb := range f.Blocks() {
		for _, v := range bb.Instructions() {
			if p.lanes(v.Type()) == 0 {
				continue
			}
			p.order = append(p.order, v)
			p.block[v] = bb
			switch v.Opcode() {
			case llvm.OpAnd, llvm.OpOr, llvm.OpXor, llvm.OpSelect, llvm.OpPHI, llvm.OpFreeze:
				p.nodes[v] = true
			}
		}
	}
}

func (p *maskPass) integers(t llvm.Type) llvm.Type { return p.c.I32().Vec(t.VecLen()) }

// after places the builder behind an instruction, and behind the phis of its block.
func (p *maskPass) after(v llvm.Value) {
	i := v.Next()
	for i.Opcode() == llvm.OpPHI {
		i = i.Next()
	}
	p.b.Before(i)
}

// declare makes phis first, since they may be used before they are built.
func (p *maskPass) declare(v llvm.Value) {
	if v.Opcode() == llvm.OpPHI {
		p.b.Before(v)
		p.wide[v] = p.b.Phi(p.integers(v.Type()))
	}
}

// of is a mask as integers.
func (p *maskPass) of(v llvm.Value) llvm.Value {
	if w, ok := p.wide[v]; ok {
		return w
	}
	t := p.integers(v.Type())
	var w llvm.Value
	switch {
	case !v.IsInstruction():
		if v.IsConstant() {
			w = p.constant(v, t)
			break
		}
		fail("a mask that is no instruction")
	case p.nodes[v]:
		p.build(v)
		return p.wide[v]
	default:
		p.after(v)
		w = p.b.Cast(llvm.OpSExt, v, t)
	}
	p.wide[v] = w
	return w
}

func (p *maskPass) constant(v llvm.Value, t llvm.Type) llvm.Value {
	switch {
	case v.IsUndef():
		return t.Poison()
	case v.IsNull():
		return t.Null()
	}
	e := make([]llvm.Value, t.VecLen())
	for i := range e {
		switch x := v.Element(i); {
		case x == 0 || x.IsUndef():
			e[i] = p.c.I32().Null()
		default:
			e[i] = p.c.I32().ConstInt(x.Int())
		}
	}
	return llvm.ConstVector(e)
}

// build makes the integer form of a node, in front of it.
func (p *maskPass) build(v llvm.Value) {
	if v.Opcode() == llvm.OpPHI {
		phi := p.wide[v]
		if phi.NumIncoming() > 0 {
			return
		}
		for i := range v.NumIncoming() {
			x, from := v.Incoming(i)
			phi.AddIncoming(p.of(x), from)
		}
		return
	}
	if p.wide[v] != 0 {
		return
	}
	args := make([]llvm.Value, v.NumOperands())
	for i := range args {
		if o := v.Operand(i); p.lanes(o.Type()) > 0 {
			args[i] = p.of(o)
		} else {
			args[i] = o
		}
	}
	p.b.Before(v)
	var w llvm.Value
	switch op := v.Opcode(); op {
	case llvm.OpFreeze:
		w = p.b.Freeze(args[0])
	case llvm.OpSelect:
		w = p.choose(v, args)
	default:
		w = p.b.BinOp(op, args[0], args[1])
	}
	p.wide[v] = w
}

func (p *maskPass) choose(v llvm.Value, args []llvm.Value) llvm.Value {
	b := p.b
	if p.lanes(v.Operand(0).Type()) == 0 { // one bit decides for all lanes
		return b.Select(args[0], args[1], args[2])
	}
	switch yes, no := v.Operand(1), v.Operand(2); {
	case no.IsNull():
		return b.And(args[0], args[1])
	case yes.IsConstant() && yes == yes.Type().AllOnes():
		return b.Or(args[0], args[2])
	}
	return b.Or(b.And(args[0], args[1]), b.And(b.Not(args[0]), args[2]))
}

// replaceUses gives the users of a mask that are no logic themselves bits again, made where they are used.
func (p *maskPass) replaceUses(v llvm.Value) {
	local := map[llvm.Block]llvm.Value{}
	home := p.block[v]
	for _, u := range v.Users() {
		if p.nodes[u] || !u.IsInstruction() {
			continue
		}
		at := u.Block()
		if !p.nodes[v] && at == home {
			continue
		}
		if u.Opcode() == llvm.OpSExt && u.Type() == p.integers(v.Type()) {
			if w := p.of(v); w != u {
				u.ReplaceUses(w)
			}
			continue
		}
		bits, ok := local[at]
		if !ok {
			w := p.of(v)
			if at == home {
				p.after(w)
				if v.Opcode() != llvm.OpPHI { // w may stand in front of operands' users; the old place is safe
					p.b.Before(v)
				}
			} else {
				p.b.Before(at.First())
				if at.First().Opcode() == llvm.OpPHI {
					p.after(at.First())
				}
			}
			bits = p.b.ICmp(llvm.IntSLT, w, w.Type().Null())
			local[at] = bits
		}
		for i := range u.NumOperands() {
			if u.Operand(i) == v {
				u.SetOperand(i, bits)
			}
		}
	}
}

// sweep takes away the nodes, which only each other use now.
func (p *maskPass) sweep() {
	for v := range p.nodes {
		v.ReplaceUses(v.Type().Poison())
	}
	for v := range p.nodes {
		v.Erase()
	}
}
