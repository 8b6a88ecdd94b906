package gcn

import "math"

// scalar is the value of a scalar source operand of a type (see laneOp): registers, constants and literals.
func (w *Wave) scalar(in *Instruction, n int, typ byte) uint64 {
	wide := typ == 'd' || typ == 'q'
	switch {
	case n < 128:
		if wide {
			return w.s64(n)
		}
		return uint64(w.S[n])
	case n <= 192:
		return uint64(n - 128)
	case n <= 208:
		if wide {
			return uint64(192 - n)
		}
		return uint64(uint32(192 - n))
	case n >= 240 && n <= 248:
		x := [...]float64{.5, -.5, 1, -1, 2, -2, 4, -4, 1 / (2 * math.Pi)}[n-240]
		switch {
		case wide:
			return math.Float64bits(x)
		case typ == 'h' || typ == 's':
			return uint64(toHalf(x, nearest))
		}
		return uint64(math.Float32bits(float32(x)))
	case n == literal:
		if typ == 'd' {
			return uint64(in.lit) << 32
		}
		return uint64(in.lit)
	}
	switch n {
	case 235:
		return w.Program.sharedBase
	case 236, 238: // the limits of the apertures
		return 0xffffffff
	case 237:
		return w.Program.privateBase
	case 251:
		return bit(w.s64(vcc) == 0)
	case 252:
		return bit(w.Exec() == 0)
	case 253:
		return bit(w.SCC)
	}
	w.unsupported(in, "reads an operand without meaning")
	return 0
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// vector64 is a lane of a pair of vector registers.
func (w *Wave) vector64(n, lane int) uint64 {
	return uint64(w.V[n][lane]) | uint64(w.V[n+1][lane])<<32
}

func (w *Wave) setVector64(n, lane int, x uint64) {
	w.V[n][lane], w.V[n+1][lane] = uint32(x), uint32(x>>32)
}
