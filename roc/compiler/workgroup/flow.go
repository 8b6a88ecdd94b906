package workgroup

import "aqueduct/roc/compiler/llvm"

// flow is a function read once into Go: its instructions, what they use, and how its blocks are connected. Operands other
// than instructions of the function are left out.
type flow struct {
	blocks []*block // in layout order, the entry first
	of     map[llvm.Block]*block
	at     map[llvm.Value]*instr
}

type block struct {
	b      llvm.Block
	index  int
	instrs []*instr
	succs  []*block
}

type instr struct {
	v    llvm.Value
	op   llvm.Opcode
	in   *block
	args []*instr // distinct positions may repeat
	from []*block // of a phi: the predecessor each of args comes by
}

func readFlow(f llvm.Value) *flow {
	fl := &flow{of: map[llvm.Block]*block{}, at: map[llvm.Value]*instr{}}
	for _, bb := range f.Blocks() {
		b := &block{b: bb, index: len(fl.blocks)}
		fl.blocks = append(fl.blocks, b)
		fl.of[bb] = b
		for v := bb.First(); v != 0; v = v.Next() {
			i := &instr{v: v, op: v.Opcode(), in: b}
			b.instrs = append(b.instrs, i)
			fl.at[v] = i
		}
	}
	for _, b := range fl.blocks {
		for _, i := range b.instrs {
			if i.op == llvm.OpPHI {
				for k := range i.v.NumIncoming() {
					v, from := i.v.Incoming(k)
					if a := fl.at[v]; a != nil {
						i.args, i.from = append(i.args, a), append(i.from, fl.of[from])
					}
				}
				continue
			}
			for k := range i.v.NumOperands() {
				if a := fl.at[i.v.Operand(k)]; a != nil {
					i.args = append(i.args, a)
				}
			}
		}
		last := b.instrs[len(b.instrs)-1]
		if last.op == llvm.OpBr || last.op == llvm.OpSwitch {
			for k := range last.v.NumSuccessors() {
				b.succs = append(b.succs, fl.of[last.v.Successor(k)])
			}
		}
	}
	return fl
}

// set is a set of small numbers.
type set []uint64

func newSet(n int) set       { return make(set, (n+63)/64) }
func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

// liveness is which values each block needs from before its start.
type liveness struct {
	values []*instr       // used outside the block that defines them, or by a phi; in layout order
	number map[*instr]int // index into values
	in     []set          // by block
}

// readLiveness is the usual backward data flow. A phi's operand is used at the end of the block it comes by.
func readLiveness(f *flow) *liveness {
	l := &liveness{number: map[*instr]int{}}
	crosses := map[*instr]bool{}
	for _, b := range f.blocks {
		for _, i := range b.instrs {
			for _, a := range i.args {
				if a.in != b || i.op == llvm.OpPHI {
					crosses[a] = true
				}
			}
		}
	}
	for _, b := range f.blocks {
		for _, i := range b.instrs {
			if crosses[i] {
				l.number[i] = len(l.values)
				l.values = append(l.values, i)
			}
		}
	}
	n := len(l.values)
	needs, defines, phis := make([]set, len(f.blocks)), make([]set, len(f.blocks)), make([]set, len(f.blocks))
	l.in = make([]set, len(f.blocks))
	for k := range f.blocks {
		needs[k], defines[k], phis[k], l.in[k] = newSet(n), newSet(n), newSet(n), newSet(n)
	}
	for _, b := range f.blocks {
		for _, i := range b.instrs {
			for k, a := range i.args {
				switch v, ok := l.number[a]; {
				case !ok:
				case i.op == llvm.OpPHI:
					phis[i.from[k].index].add(v)
				case !defines[b.index].has(v):
					needs[b.index].add(v)
				}
			}
			if v, ok := l.number[i]; ok {
				defines[b.index].add(v)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for k := len(f.blocks) - 1; k >= 0; k-- {
			for w := range l.in[k] {
				out := phis[k][w]
				for _, s := range f.blocks[k].succs {
					out |= l.in[s.index][w]
				}
				if in := needs[k][w] | out&^defines[k][w]; in != l.in[k][w] {
					l.in[k][w], changed = in, true
				}
			}
		}
	}
	return l
}

// at lists the values live at the start of a block, in layout order.
func (l *liveness) at(b *block) (r []*instr) {
	for k, v := range l.values {
		if l.in[b.index].has(k) {
			r = append(r, v)
		}
	}
	return r
}
