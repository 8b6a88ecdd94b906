package gcn

import (
	"math"
	mathbits "math/bits"
	"strings"
)

// laneOp is an operation done in each active lane by itself.
//
// sig has a letter for the type of the result and one for each source: f, h, d floats of 32, 16, 64 bits, u and q integers of 32 and 64
// bits, s 16-bit integers. Sources may also be F, H, D: the float that the result replaces; L, l: a literal of 32 or 16 bits behind
// the instruction; M: the lane's bit of a mask. Result m is a bit of a mask.
type laneOp struct {
	sig   string
	fn    func(m *mathMode, a, b, c uint64) uint64
	sat   func(m *mathMode, a, b, c uint64) uint64         // with the clamp bit, where the result is an integer
	carry func(m *mathMode, a, b, c uint64) (uint64, bool) // in place of fn, where there is a bit for a mask besides
	keep  bool                                             // a 16-bit result leaves the other half of its register
}

var laneOps = map[string]*laneOp{}

// lanewise registers operations by their names.
func lanewise(names, sig string, fn func(m *mathMode, a, b, c uint64) uint64) {
	for _, n := range strings.Fields(names) {
		laneOps[n] = &laneOp{sig: sig, fn: fn}
	}
}

// carrying registers operations with a second result, a mask.
func carrying(names, sig string, fn func(m *mathMode, a, b, c uint64) (uint64, bool)) {
	for _, n := range strings.Fields(names) {
		laneOps[n] = &laneOp{sig: sig, carry: fn}
	}
}

// saturating says what the clamp bit makes of integer operations.
func saturating(names string, fn func(m *mathMode, a, b, c uint64) uint64) {
	for _, n := range strings.Fields(names) {
		laneOps[n].sat = fn
	}
}

func runLanes(w *Wave, in *Instruction) {
	op := in.lane
	mask := w.loadSources(in, op.sig)
	m := &w.math
	a, b, c := &w.src[0], &w.src[1], &w.src[2]
	switch {
	case op.carry != nil:
		var carries uint64
		for e := mask; e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			r, carry := op.carry(m, a[l], b[l], c[l])
			a[l] = r
			carries |= bit(carry) << l
		}
		w.setS64(in.sdst, carries)
	case in.clamp && strings.IndexByte("uqs", op.sig[0]) >= 0:
		if op.sat == nil {
			w.unsupported(in, "clamp")
		}
		for e := mask; e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			a[l] = op.sat(m, a[l], b[l], c[l])
		}
	default:
		for e := mask; e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			a[l] = op.fn(m, a[l], b[l], c[l])
		}
	}
	if in.omod != 0 || in.clamp {
		w.modifyResult(in, op.sig[0], mask)
	}
	w.store(in, op, mask)
}

// runCompare makes a mask, in which inactive lanes are zero.
func runCompare(w *Wave, in *Instruction) {
	op := in.lane
	var r uint64
	for e := w.loadSources(in, op.sig); e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		r |= op.fn(&w.math, w.src[0][l], w.src[1][l], 0) << l
	}
	w.setS64(in.sdst, r)
	if strings.HasPrefix(in.Name, "v_cmpx_") {
		w.SetExec(r)
	}
}

// loadSources reads the operands of all lanes and says which lanes are to be written.
func (w *Wave) loadSources(in *Instruction, sig string) uint64 {
	mask := w.Exec()
	for k := range len(sig) - 1 {
		w.load(in, k, sig[k+1])
	}
	if in.dpp != nil {
		mask = w.moveLanes(in.dpp, &w.src[0], mask)
		w.modify(in, 0, sig[1])
	}
	return mask
}

// load reads operand k for all lanes, with its modifiers.
func (w *Wave) load(in *Instruction, k int, typ byte) {
	to := &w.src[k]
	n := in.src[k]
	switch typ {
	case 'F', 'H':
		n, typ = in.dst+firstV, typ|0x20
	case 'D':
		n, typ = in.dst+firstV, 'd'
	case 'L', 'l':
		n = literal
	case 'M':
		mask := w.s64(n)
		for l := range to {
			to[l] = mask >> l & 1
		}
		return
	}
	if n < firstV {
		x := w.scalar(in, n, typ)
		for l := range to {
			to[l] = x
		}
	} else {
		n -= firstV
		if w.index.on && w.S[m0]>>(12+k)&1 == 1 {
			n += int(w.S[m0] & 255)
		}
		if typ == 'd' || typ == 'q' {
			low, high := &w.V[n], &w.V[n+1]
			for l := range to {
				to[l] = uint64(low[l]) | uint64(high[l])<<32
			}
		} else {
			from := &w.V[n]
			for l := range to {
				to[l] = uint64(from[l])
			}
		}
	}
	if in.dpp == nil || k > 0 {
		w.modify(in, k, typ)
	}
}

// modify selects part of an operand and changes its sign.
func (w *Wave) modify(in *Instruction, k int, typ byte) {
	to := &w.src[k]
	if in.sdwa != nil && k < 2 {
		in.sdwa.src[k].apply(to)
	} else if typ == 'h' || typ == 's' {
		shift := in.opsel >> k & 1 * 16
		for l := range to {
			to[l] = to[l] >> shift & 0xffff
		}
	}
	if in.abs>>k&1 == 0 && in.neg>>k&1 == 0 {
		return
	}
	var sign uint64
	switch typ {
	case 'f':
		sign = 1 << 31
	case 'h':
		sign = 1 << 15
	case 'd':
		sign = 1 << 63
	default:
		w.unsupported(in, "sign of an integer operand")
	}
	for l := range to {
		if in.abs>>k&1 == 1 {
			to[l] &^= sign
		}
		if in.neg>>k&1 == 1 {
			to[l] ^= sign
		}
	}
}

// modifyResult multiplies and clamps a float result.
func (w *Wave) modifyResult(in *Instruction, typ byte, mask uint64) {
	m := &w.math
	var from func(uint64) float64
	var to func(float64) uint64
	switch typ {
	case 'f':
		from, to = m.f, m.toF
	case 'h':
		from, to = m.h, m.toH
	case 'd':
		from, to = m.d, m.toD
	default:
		return
	}
	factor := [...]float64{1, 2, 4, .5}[in.omod]
	for e := mask; e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		x := from(w.src[0][l]) * factor
		if in.clamp {
			switch {
			case x != x && m.clampNaN:
				x = 0
			case x == x:
				x = math.Max(0, math.Min(1, x))
			}
		}
		w.src[0][l] = to(x)
	}
}

// store writes the results of the lanes in mask.
func (w *Wave) store(in *Instruction, op *laneOp, mask uint64) {
	n := in.dst
	if w.index.on && w.S[m0]>>15&1 == 1 {
		n += int(w.S[m0] & 255)
	}
	from, to := &w.src[0], &w.V[n]
	switch op.sig[0] {
	case 'd', 'q':
		high := &w.V[n+1]
		for e := mask; e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			to[l], high[l] = uint32(from[l]), uint32(from[l]>>32)
		}
		return
	case 'h', 's':
		for e := mask; e != 0 && in.sdwa == nil; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			x := uint32(from[l] & 0xffff)
			switch {
			case in.opsel>>3&1 == 1:
				x = x<<16 | to[l]&0xffff
			case op.keep:
				x |= to[l] &^ 0xffff
			}
			from[l] = uint64(x)
		}
	}
	if in.sdwa != nil {
		in.sdwa.storeResult(from, to, mask)
		return
	}
	for e := mask; e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		to[l] = uint32(from[l])
	}
}
