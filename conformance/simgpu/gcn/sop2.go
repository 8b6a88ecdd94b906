package gcn

import mathbits "math/bits"

// two registers a scalar instruction of 32 bits; fn gives the result and SCC.
func two(name string, fn func(w *Wave, a, b uint32) (uint32, bool)) {
	waveOps[name] = func(w *Wave, in *Instruction) {
		w.S[in.dst], w.SCC = fn(w, uint32(w.scalar(in, in.src[0], 'u')), uint32(w.scalar(in, in.src[1], 'u')))
	}
}

// logic registers an operation on the bits of 32 and 64.
func logic(name string, fn func(a, b uint64) uint64) {
	two("s_"+name+"_b32", func(_ *Wave, a, b uint32) (uint32, bool) {
		r := uint32(fn(uint64(a), uint64(b)))
		return r, r != 0
	})
	waveOps["s_"+name+"_b64"] = func(w *Wave, in *Instruction) {
		r := fn(w.scalar(in, in.src[0], 'q'), w.scalar(in, in.src[1], 'q'))
		w.setS64(in.dst, r)
		w.SCC = r != 0
	}
}

// shift64 registers an operation on 64 bits whose second source is of 32.
func shift64(name string, fn func(a uint64, b uint32) uint64) {
	waveOps[name] = func(w *Wave, in *Instruction) {
		r := fn(w.scalar(in, in.src[0], 'q'), uint32(w.scalar(in, in.src[1], 'u')))
		w.setS64(in.dst, r)
		w.SCC = r != 0
	}
}

// field is b's width (bits 16 to 22) bits of a from b's offset (the lowest bits) on.
func field(a uint64, b uint32, width int) uint64 {
	return a >> (b & uint32(width-1)) & (1<<min(b>>16&127, uint32(width)) - 1)
}

func signedField(a uint64, b uint32, width int) int64 {
	n := min(b>>16&127, uint32(width))
	if n == 0 {
		return 0
	}
	return int64(field(a, b, width)<<(64-n)) >> (64 - n)
}

func init() {
	two("s_add_u32", func(_ *Wave, a, b uint32) (uint32, bool) { return a + b, uint64(a)+uint64(b) > 0xffffffff })
	two("s_sub_u32", func(_ *Wave, a, b uint32) (uint32, bool) { return a - b, b > a })
	two("s_addc_u32", func(w *Wave, a, b uint32) (uint32, bool) {
		r, carry := mathbits.Add32(a, b, uint32(bit(w.SCC)))
		return r, carry == 1
	})
	two("s_subb_u32", func(w *Wave, a, b uint32) (uint32, bool) {
		r, borrow := mathbits.Sub32(a, b, uint32(bit(w.SCC)))
		return r, borrow == 1
	})
	overflows := func(r int64) (uint32, bool) { return uint32(r), r != int64(int32(r)) }
	two("s_add_i32", func(_ *Wave, a, b uint32) (uint32, bool) { return overflows(int64(int32(a)) + int64(int32(b))) })
	two("s_sub_i32", func(_ *Wave, a, b uint32) (uint32, bool) { return overflows(int64(int32(a)) - int64(int32(b))) })
	two("s_min_i32", func(_ *Wave, a, b uint32) (uint32, bool) {
		return uint32(min(int32(a), int32(b))), int32(a) < int32(b)
	})
	two("s_max_i32", func(_ *Wave, a, b uint32) (uint32, bool) {
		return uint32(max(int32(a), int32(b))), int32(a) > int32(b)
	})
	two("s_min_u32", func(_ *Wave, a, b uint32) (uint32, bool) { return min(a, b), a < b })
	two("s_max_u32", func(_ *Wave, a, b uint32) (uint32, bool) { return max(a, b), a > b })
	two("s_absdiff_i32", func(_ *Wave, a, b uint32) (uint32, bool) {
		d := int32(a) - int32(b)
		r := uint32(max(d, -d))
		return r, r != 0
	})

	logic("and", func(a, b uint64) uint64 { return a & b })
	logic("or", func(a, b uint64) uint64 { return a | b })
	logic("xor", func(a, b uint64) uint64 { return a ^ b })
	logic("andn2", func(a, b uint64) uint64 { return a &^ b })
	logic("orn2", func(a, b uint64) uint64 { return a | ^b })
	logic("nand", func(a, b uint64) uint64 { return ^(a & b) })
	logic("nor", func(a, b uint64) uint64 { return ^(a | b) })
	logic("xnor", func(a, b uint64) uint64 { return ^(a ^ b) })

	bits32 := func(name string, fn func(a, b uint32) uint32) {
		two(name, func(_ *Wave, a, b uint32) (uint32, bool) { r := fn(a, b); return r, r != 0 })
	}
	bits32("s_lshl_b32", func(a, b uint32) uint32 { return a << (b & 31) })
	bits32("s_lshr_b32", func(a, b uint32) uint32 { return a >> (b & 31) })
	bits32("s_ashr_i32", func(a, b uint32) uint32 { return uint32(int32(a) >> (b & 31)) })
	shift64("s_lshl_b64", func(a uint64, b uint32) uint64 { return a << (b & 63) })
	shift64("s_lshr_b64", func(a uint64, b uint32) uint64 { return a >> (b & 63) })
	shift64("s_ashr_i64", func(a uint64, b uint32) uint64 { return uint64(int64(a) >> (b & 63)) })
	bits32("s_bfe_u32", func(a, b uint32) uint32 { return uint32(field(uint64(a), b, 32)) })
	bits32("s_bfe_i32", func(a, b uint32) uint32 { return uint32(signedField(uint64(a), b, 32)) })
	shift64("s_bfe_u64", func(a uint64, b uint32) uint64 { return field(a, b, 64) })
	shift64("s_bfe_i64", func(a uint64, b uint32) uint64 { return uint64(signedField(a, b, 64)) })
	for n := range uint32(4) {
		two("s_lshl"+string(rune('1'+n))+"_add_u32", func(_ *Wave, a, b uint32) (uint32, bool) {
			r := uint64(a)<<(n+1) + uint64(b)
			return uint32(r), r > 0xffffffff
		})
	}

	// These leave SCC as it is.
	quiet := func(name string, fn func(a, b uint32) uint32) {
		two(name, func(w *Wave, a, b uint32) (uint32, bool) { return fn(a, b), w.SCC })
	}
	quiet("s_mul_i32", func(a, b uint32) uint32 { return a * b })
	quiet("s_mul_hi_u32", func(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) })
	quiet("s_mul_hi_i32", func(a, b uint32) uint32 { return uint32(int64(int32(a)) * int64(int32(b)) >> 32) })
	quiet("s_bfm_b32", func(a, b uint32) uint32 { return (1<<(a&31) - 1) << (b & 31) })
	quiet("s_pack_ll_b32_b16", func(a, b uint32) uint32 { return a&0xffff | b<<16 })
	quiet("s_pack_lh_b32_b16", func(a, b uint32) uint32 { return a&0xffff | b&0xffff0000 })
	quiet("s_pack_hh_b32_b16", func(a, b uint32) uint32 { return a>>16 | b&0xffff0000 })
	two("s_cselect_b32", func(w *Wave, a, b uint32) (uint32, bool) {
		if w.SCC {
			return a, true
		}
		return b, false
	})
	waveOps["s_cselect_b64"] = func(w *Wave, in *Instruction) {
		w.setS64(in.dst, w.scalar(in, in.src[1-bit(w.SCC)], 'q'))
	}
	waveOps["s_bfm_b64"] = func(w *Wave, in *Instruction) {
		a, b := w.scalar(in, in.src[0], 'u'), w.scalar(in, in.src[1], 'u')
		w.setS64(in.dst, (1<<(a&63)-1)<<(b&63))
	}
}
