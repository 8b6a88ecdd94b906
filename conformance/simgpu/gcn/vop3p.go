package gcn

import (
	"math"
	mathbits "math/bits"
)

// packed registers an operation on both halves of its operands. fn works on one pair of halves.
func packed(name string, sources int, float bool, fn func(m *mathMode, a, b, c uint64) uint64, sat func(m *mathMode, a, b, c uint64) uint64) {
	waveOps[name] = func(w *Wave, in *Instruction) {
		op := fn
		if in.clamp && !float {
			if op = sat; op == nil {
				w.unsupported(in, "clamp")
			}
		}
		w.loadWords(in, sources, float)
		to := &w.V[in.dst]
		for e := w.Exec(); e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			var r uint32
			for half := range 2 {
				var x [3]uint64
				for k := range sources {
					x[k] = in.half(k, half, w.src[k][l], float)
				}
				y := op(&w.math, x[0], x[1], x[2])
				if in.clamp && float {
					y = w.math.toH(math.Max(0, math.Min(1, w.math.h(y))))
				}
				r |= uint32(y&0xffff) << (16 * half)
			}
			to[l] = r
		}
	}
}

// loadWords reads the operands as they are.
func (w *Wave) loadWords(in *Instruction, sources int, float bool) {
	for k := range sources {
		if n := in.src[k]; n >= firstV {
			for l := range Lanes {
				w.src[k][l] = uint64(w.V[n-firstV][l])
			}
			continue
		}
		typ := byte('u')
		if float {
			typ = 'h'
		}
		x := w.scalar(in, in.src[k], typ)
		for l := range Lanes {
			w.src[k][l] = x
		}
	}
}

// half is the part of operand k that the low or the high half of the result is made of.
func (in *Instruction) half(k, half int, x uint64, float bool) uint64 {
	sel, neg := in.opsel, in.neg
	if half == 1 {
		sel, neg = in.opselHigh, in.abs // VOP3P has the sign of high halves where VOP3 has absolute values
	}
	x = x >> (16 * (sel >> k & 1)) & 0xffff
	if float && neg>>k&1 == 1 {
		x ^= 0x8000
	}
	return x
}

// mixed is an operand of v_fma_mix: a float of 32 bits, or one of the halves as such a float.
func (in *Instruction) mixed(m *mathMode, k int, x uint64) float64 {
	var f float64
	if in.opselHigh>>k&1 == 1 {
		f = m.h(x >> (16 * (in.opsel >> k & 1)) & 0xffff)
	} else {
		f = m.f(x)
	}
	if in.abs>>k&1 == 1 {
		f = math.Abs(f)
	}
	if in.neg>>k&1 == 1 {
		f = -f
	}
	return f
}

func mix(store func(w *Wave, in *Instruction, lane int, sum float64)) func(w *Wave, in *Instruction) {
	return func(w *Wave, in *Instruction) {
		w.loadWords(in, 3, false)
		m := &w.math
		for e := w.Exec(); e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			s := addOdd(in.mixed(m, 0, w.src[0][l])*in.mixed(m, 1, w.src[1][l]), in.mixed(m, 2, w.src[2][l]))
			if in.clamp {
				s = math.Max(0, math.Min(1, s))
			}
			store(w, in, l, s)
		}
	}
}

// dot registers a sum of products of parts of the operands, width bits each, added to the third.
func dot(name string, width int, signed bool) {
	waveOps[name] = func(w *Wave, in *Instruction) {
		w.loadWords(in, 3, false)
		part := func(x uint64, at int) int64 {
			x = x >> at & (1<<width - 1)
			if signed {
				return int64(x<<(64-width)) >> (64 - width)
			}
			return int64(x)
		}
		for e := w.Exec(); e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			sum := int64(int32(w.src[2][l]))
			if !signed {
				sum = int64(uint32(w.src[2][l]))
			}
			for at := 0; at < 32; at += width {
				sum += part(w.src[0][l], at) * part(w.src[1][l], at)
			}
			if in.clamp {
				if signed {
					sum = max(math.MinInt32, min(math.MaxInt32, sum))
				} else {
					sum = min(math.MaxUint32, sum)
				}
			}
			w.V[in.dst][l] = uint32(sum)
		}
	}
}

// packed32 registers an operation on two floats of 32 bits in a pair of registers, which gfx90a has.
func packed32(name string, sources int, fn func(m *mathMode, a, b, c uint64) uint64) {
	waveOps[name] = func(w *Wave, in *Instruction) {
		var r [2]Vector
		for half := range 2 {
			sel, neg := in.opsel, in.neg
			if half == 1 {
				sel, neg = in.opselHigh, in.abs
			}
			for k := range sources {
				n, s := in.src[k], int(sel>>k&1)
				for l := range Lanes {
					switch {
					case n >= firstV:
						w.src[k][l] = uint64(w.V[n-firstV+s][l])
					case n < 128:
						w.src[k][l] = uint64(w.S[n+s])
					default:
						w.src[k][l] = w.scalar(in, n, 'f')
					}
					w.src[k][l] ^= uint64(neg>>k&1) << 31
				}
			}
			for l := range Lanes {
				r[half][l] = uint32(fn(&w.math, w.src[0][l], w.src[1][l], w.src[2][l]))
			}
		}
		for e := w.Exec(); e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			w.V[in.dst][l], w.V[in.dst+1][l] = r[0][l], r[1][l]
		}
	}
}

func init() {
	for _, name := range []string{"add_f16", "mul_f16", "min_f16", "max_f16"} {
		packed("v_pk_"+name, 2, true, halves[name], nil)
	}
	packed("v_pk_fma_f16", 3, true, fma16, nil)

	wrap := map[string]func(m *mathMode, a, b, c uint64) uint64{
		"add": func(_ *mathMode, a, b, _ uint64) uint64 { return a + b },
		"sub": func(_ *mathMode, a, b, _ uint64) uint64 { return a - b },
		"mad": func(_ *mathMode, a, b, c uint64) uint64 { return a*b + c },
	}
	signed := func(x uint64) int64 { return int64(int16(x)) }
	within := func(x, low, high int64) uint64 { return uint64(max(low, min(high, x))) }
	exactly := map[string]func(a, b, c int64) int64{
		"add": func(a, b, _ int64) int64 { return a + b }, "sub": func(a, b, _ int64) int64 { return a - b },
		"mad": func(a, b, c int64) int64 { return a*b + c },
	}
	for name, fn := range wrap {
		sources := 2
		if name == "mad" {
			sources = 3
		}
		sum := exactly[name]
		packed("v_pk_"+name+"_i16", sources, false, fn, func(_ *mathMode, a, b, c uint64) uint64 {
			return within(sum(signed(a), signed(b), signed(c)), -32768, 32767)
		})
		packed("v_pk_"+name+"_u16", sources, false, fn, func(_ *mathMode, a, b, c uint64) uint64 {
			return within(sum(int64(a), int64(b), int64(c)), 0, 65535)
		})
	}
	for _, name := range []string{"mul_lo_u16", "lshlrev_b16", "lshrrev_b16", "ashrrev_i16", "max_i16", "min_i16", "max_u16", "min_u16"} {
		packed("v_pk_"+name, 2, false, halves[name], nil)
	}

	waveOps["v_fma_mix_f32"] = mix(func(w *Wave, in *Instruction, l int, s float64) { w.V[in.dst][l] = uint32(w.math.toF(s)) })
	waveOps["v_fma_mixlo_f16"] = mix(func(w *Wave, in *Instruction, l int, s float64) {
		w.V[in.dst][l] = w.V[in.dst][l]&^0xffff | uint32(w.math.toH(s))
	})
	waveOps["v_fma_mixhi_f16"] = mix(func(w *Wave, in *Instruction, l int, s float64) {
		w.V[in.dst][l] = w.V[in.dst][l]&0xffff | uint32(w.math.toH(s))<<16
	})
	dot("v_dot2_i32_i16", 16, true)
	dot("v_dot2_u32_u16", 16, false)
	dot("v_dot4_i32_i8", 8, true)
	dot("v_dot4_u32_u8", 8, false)
	dot("v_dot8_i32_i4", 4, true)
	dot("v_dot8_u32_u4", 4, false)

	packed32("v_pk_fma_f32", 3, fma32)
	packed32("v_pk_mul_f32", 2, func(m *mathMode, a, b, _ uint64) uint64 { return m.toF(m.f(a) * m.f(b)) })
	packed32("v_pk_add_f32", 2, func(m *mathMode, a, b, _ uint64) uint64 { return m.add32(m.f(a), m.f(b)) })
	waveOps["v_pk_mov_b32"] = func(w *Wave, in *Instruction) {
		part := func(k, sel, lane int) uint32 {
			if n := in.src[k]; n >= firstV {
				return w.V[n-firstV+sel][lane]
			} else if n < 128 {
				return w.S[n+sel]
			}
			return uint32(w.scalar(in, in.src[k], 'u'))
		}
		for e := w.Exec(); e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			low, high := part(0, int(in.opsel&1), l), part(1, int(in.opsel>>1&1), l)
			w.V[in.dst][l], w.V[in.dst+1][l] = low, high
		}
	}
}
