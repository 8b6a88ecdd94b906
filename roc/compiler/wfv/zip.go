package wfv

import "aqueduct/roc/compiler/llvm"

// Taking W short vectors of N components apart, and putting them together, where N is a power of two: elements with even and with odd
// numbers part, or come together, log N times. Each time a register is made from two, which is one instruction, so there are log N
// of them for each register. Made from all at once it would take N-1.

// unzip is the n components, of type t, of W short vectors that lie one behind the other.
func (g *gen) unzip(long llvm.Value, t *typ, n int) []llvm.Value {
	r := make([]llvm.Value, n)
	if g.w == 1 {
		for k := range r {
			r[k] = g.part(long, k, 1)
		}
		return r
	}
	for k, y := range g.partTurns(g.registersOf(long, t), n) {
		r[k] = g.concat(y)
	}
	return r
}

// zip is unzip's inverse.
func (g *gen) zip(w []llvm.Value, t *typ) llvm.Value {
	if g.w == 1 {
		return g.concat(w)
	}
	components := make([][]llvm.Value, len(w))
	for k, v := range w {
		components[k] = g.registersOf(v, t)
	}
	return g.concat(g.joinTurns(components))
}

// registersOf are the registers, of elements of type t, that make up a vector.
func (g *gen) registersOf(v llvm.Value, t *typ) (r []llvm.Value) {
	for _, p := range g.cut(v, g.inRegister(t)) {
		r = append(r, p.v)
	}
	return r
}

// partTurns takes apart n sequences whose elements take turns in x.
func (g *gen) partTurns(x []llvm.Value, n int) [][]llvm.Value {
	if n == 1 {
		return [][]llvm.Value{x}
	}
	r := make([][]llvm.Value, n)
	for odd := range 2 {
		var half []llvm.Value
		for i := 0; i < len(x); i += 2 {
			half = append(half, g.shuffle(x[i], x[i+1], func(e int) int { return 2*e + odd }))
		}
		for k, y := range g.partTurns(half, n/2) {
			r[2*k+odd] = y
		}
	}
	return r
}

// joinTurns has the elements of sequences take turns.
func (g *gen) joinTurns(x [][]llvm.Value) (r []llvm.Value) {
	if len(x) == 1 {
		return x[0]
	}
	var half [2][][]llvm.Value
	for k, y := range x {
		half[k%2] = append(half[k%2], y)
	}
	even, odd := g.joinTurns(half[0]), g.joinTurns(half[1])
	for i := range even {
		n := even[i].Type().VecLen()
		for _, from := range []int{0, n / 2} {
			r = append(r, g.shuffle(even[i], odd[i], func(e int) int { return from + e/2 + e%2*n }))
		}
	}
	return r
}

// shuffle is a vector as long as x, of elements of x and of y by number; those of y come after those of x.
func (g *gen) shuffle(x, y llvm.Value, number func(int) int) llvm.Value {
	ix := make([]llvm.Value, x.Type().VecLen())
	for i := range ix {
		ix[i] = g.num(g.i32, int64(number(i)))
	}
	return g.b.Shuffle(x, y, llvm.ConstVector(ix))
}
