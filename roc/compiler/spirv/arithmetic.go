package spirv

const (
	opExtInst           = 12
	opConstantComposite = 44
	opIAdd              = 128
	opIMul              = 132
	opIAddCarry         = 149
	opISubBorrow        = 150
	opUMulExtended      = 151
	opSMulExtended      = 152
	opSelect            = 169
	opULessThan         = 176

	signedHigh   = 160 // s_mul_hi of OpenCL.std
	unsignedHigh = 203 // u_mul_hi
)

// twoResults emits integer arithmetic whose result is a structure of two: the low bits, and a carry, a borrow or the high bits.
func (o *older) twoResults(out []uint32, op uint32, a []uint32) ([]uint32, bool) {
	s := o.types[a[0]]
	if s.op != opTypeStruct || len(s.args) != 3 || s.args[1] != s.args[2] {
		return out, false
	}
	t, x, y := s.args[1], a[2], a[3]
	low, high := take(&o.bound), take(&o.bound)
	switch op {
	case opIAddCarry, opISubBorrow:
		boolean, zero, one, ok := o.constantsOf(t)
		if !ok {
			return out, false
		}
		less := take(&o.bound)
		if op == opIAddCarry {
			out = emit(out, opIAdd, t, low, x, y)
			out = emit(out, opULessThan, boolean, less, low, x)
		} else {
			out = emit(out, opISub, t, low, x, y)
			out = emit(out, opULessThan, boolean, less, x, y)
		}
		out = emit(out, opSelect, t, high, less, one, zero)
	default:
		number := uint32(unsignedHigh)
		if op == opSMulExtended {
			number = signedHigh
		}
		out = emit(out, opIMul, t, low, x, y)
		out = emit(out, opExtInst, t, high, o.set, number, x, y)
	}
	return o.construct(out, []uint32{a[0], a[1], low, high}), true
}

// constantsOf are the type of comparisons of integers or vectors of type t, and its zero and one.
func (o *older) constantsOf(t uint32) (boolean, zero, one uint32, ok bool) {
	scalar, length := o.types[t], uint32(0)
	if scalar.op == opTypeVector && len(scalar.args) == 3 {
		length = scalar.args[2]
		scalar = o.types[scalar.args[1]]
	}
	if scalar.op != opTypeInt || len(scalar.args) != 3 || length > 16 {
		return 0, 0, 0, false
	}
	literal := func(v uint32) uint32 {
		if scalar.args[1] > 32 {
			return o.declare(opConstant, scalar.args[0], v, 0)
		}
		return o.declare(opConstant, scalar.args[0], v)
	}
	boolean, zero, one = o.declare(opTypeBool, 0), literal(0), literal(1)
	if length == 0 {
		return boolean, zero, one, true
	}
	all := func(c uint32) uint32 {
		of := make([]uint32, length)
		for i := range of {
			of[i] = c
		}
		return o.declare(opConstantComposite, t, of...)
	}
	return o.declare(opTypeVector, 0, boolean, length), all(zero), all(one), true
}
