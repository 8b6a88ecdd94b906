package gcn

import mathbits "math/bits"

// one registers a scalar instruction with a source and a result of 32 bits. fn gives the result and, if it sets it, SCC.
func one(name string, fn func(w *Wave, a uint32) uint32, scc func(r uint32) bool) {
	waveOps[name] = func(w *Wave, in *Instruction) {
		r := fn(w, uint32(w.scalar(in, in.src[0], 'u')))
		w.S[in.dst] = r
		if scc != nil {
			w.SCC = scc(r)
		}
	}
}

// one64 is the same for 64 bits.
func one64(name string, fn func(w *Wave, a uint64) uint64, scc func(r uint64) bool) {
	waveOps[name] = func(w *Wave, in *Instruction) {
		r := fn(w, w.scalar(in, in.src[0], 'q'))
		w.setS64(in.dst, r)
		if scc != nil {
			w.SCC = scc(r)
		}
	}
}

// count registers an instruction that makes 32 bits of 64.
func count(name string, fn func(a uint64) uint32, scc func(r uint32) bool) {
	waveOps[name] = func(w *Wave, in *Instruction) {
		r := fn(w.scalar(in, in.src[0], 'q'))
		w.S[in.dst] = r
		if scc != nil {
			w.SCC = scc(r)
		}
	}
}

func nonzero(r uint32) bool   { return r != 0 }
func nonzero64(r uint64) bool { return r != 0 }

// firstOne is the number of the lowest bit set, all ones if there is none.
func firstOne(a uint64) uint32 {
	if a == 0 {
		return 0xffffffff
	}
	return uint32(mathbits.TrailingZeros64(a))
}

// signBits is how many bits before the first that differs from the sign, all ones if none does.
func signBits(a int64, width int) uint32 {
	if a < 0 {
		a = ^a
	}
	if a == 0 {
		return 0xffffffff
	}
	return uint32(mathbits.LeadingZeros64(uint64(a)) - (64 - width))
}

// quads has a bit for each group of four bits that is not zero.
func quads(a uint64) uint64 {
	var r uint64
	for k := range 16 {
		r |= bit(a>>(4*k)&15 != 0) << k
	}
	return r
}

// wholeQuads sets all four bits where one is.
func wholeQuads(a uint64) uint64 {
	var r uint64
	for k := range 16 {
		r |= bit(a>>(4*k)&15 != 0) * 15 << (4 * k)
	}
	return r
}

func init() {
	one("s_mov_b32", func(_ *Wave, a uint32) uint32 { return a }, nil)
	one64("s_mov_b64", func(_ *Wave, a uint64) uint64 { return a }, nil)
	one("s_not_b32", func(_ *Wave, a uint32) uint32 { return ^a }, nonzero)
	one64("s_not_b64", func(_ *Wave, a uint64) uint64 { return ^a }, nonzero64)
	one("s_brev_b32", func(_ *Wave, a uint32) uint32 { return mathbits.Reverse32(a) }, nil)
	one64("s_brev_b64", func(_ *Wave, a uint64) uint64 { return mathbits.Reverse64(a) }, nil)
	one("s_wqm_b32", func(_ *Wave, a uint32) uint32 { return uint32(wholeQuads(uint64(a))) }, nonzero)
	one64("s_wqm_b64", func(_ *Wave, a uint64) uint64 { return wholeQuads(a) }, nonzero64)
	one("s_quadmask_b32", func(_ *Wave, a uint32) uint32 { return uint32(quads(uint64(a))) }, nonzero)
	one64("s_quadmask_b64", func(_ *Wave, a uint64) uint64 { return quads(a) }, nonzero64)
	one("s_bcnt0_i32_b32", func(_ *Wave, a uint32) uint32 { return uint32(mathbits.OnesCount32(^a)) }, nonzero)
	one("s_bcnt1_i32_b32", func(_ *Wave, a uint32) uint32 { return uint32(mathbits.OnesCount32(a)) }, nonzero)
	count("s_bcnt0_i32_b64", func(a uint64) uint32 { return uint32(mathbits.OnesCount64(^a)) }, nonzero)
	count("s_bcnt1_i32_b64", func(a uint64) uint32 { return uint32(mathbits.OnesCount64(a)) }, nonzero)
	one("s_ff0_i32_b32", func(_ *Wave, a uint32) uint32 { return firstOne(uint64(^a)) }, nil)
	one("s_ff1_i32_b32", func(_ *Wave, a uint32) uint32 { return firstOne(uint64(a)) }, nil)
	count("s_ff0_i32_b64", func(a uint64) uint32 { return firstOne(^a) }, nil)
	count("s_ff1_i32_b64", firstOne, nil)
	one("s_flbit_i32_b32", func(_ *Wave, a uint32) uint32 { return leadingZeros(uint64(a), 32) }, nil)
	count("s_flbit_i32_b64", func(a uint64) uint32 { return leadingZeros(a, 64) }, nil)
	one("s_flbit_i32", func(_ *Wave, a uint32) uint32 { return signBits(int64(int32(a)), 32) }, nil)
	count("s_flbit_i32_i64", func(a uint64) uint32 { return signBits(int64(a), 64) }, nil)
	one("s_sext_i32_i8", func(_ *Wave, a uint32) uint32 { return uint32(int32(int8(a))) }, nil)
	one("s_sext_i32_i16", func(_ *Wave, a uint32) uint32 { return uint32(int32(int16(a))) }, nil)
	one("s_abs_i32", func(_ *Wave, a uint32) uint32 { return uint32(max(int32(a), -int32(a))) }, nonzero)
	one64("s_bitreplicate_b64_b32", func(_ *Wave, a uint64) uint64 {
		var r uint64
		for k := range 32 {
			r |= a >> k & 1 * 3 << (2 * k)
		}
		return r
	}, nil)

	waveOps["s_cmov_b32"] = func(w *Wave, in *Instruction) {
		if w.SCC {
			w.S[in.dst] = uint32(w.scalar(in, in.src[0], 'u'))
		}
	}
	waveOps["s_cmov_b64"] = func(w *Wave, in *Instruction) {
		if w.SCC {
			w.setS64(in.dst, w.scalar(in, in.src[0], 'q'))
		}
	}
	waveOps["s_bitset0_b32"] = func(w *Wave, in *Instruction) { w.S[in.dst] &^= 1 << (w.scalar(in, in.src[0], 'u') & 31) }
	waveOps["s_bitset1_b32"] = func(w *Wave, in *Instruction) { w.S[in.dst] |= 1 << (w.scalar(in, in.src[0], 'u') & 31) }
	waveOps["s_bitset0_b64"] = func(w *Wave, in *Instruction) {
		w.setS64(in.dst, w.s64(in.dst)&^(1<<(w.scalar(in, in.src[0], 'u')&63)))
	}
	waveOps["s_bitset1_b64"] = func(w *Wave, in *Instruction) {
		w.setS64(in.dst, w.s64(in.dst)|1<<(w.scalar(in, in.src[0], 'u')&63))
	}

	// The mask of active lanes: save it, and narrow or widen it.
	for name, fn := range map[string]func(a, e uint64) uint64{
		"and": func(a, e uint64) uint64 { return a & e }, "or": func(a, e uint64) uint64 { return a | e },
		"xor": func(a, e uint64) uint64 { return a ^ e }, "andn2": func(a, e uint64) uint64 { return a &^ e },
		"orn2": func(a, e uint64) uint64 { return a | ^e }, "nand": func(a, e uint64) uint64 { return ^(a & e) },
		"nor": func(a, e uint64) uint64 { return ^(a | e) }, "xnor": func(a, e uint64) uint64 { return ^(a ^ e) },
		"andn1": func(a, e uint64) uint64 { return e &^ a }, "orn1": func(a, e uint64) uint64 { return ^a | e },
	} {
		waveOps["s_"+name+"_saveexec_b64"] = func(w *Wave, in *Instruction) {
			e := w.Exec()
			r := fn(w.scalar(in, in.src[0], 'q'), e)
			w.setS64(in.dst, e)
			w.SetExec(r)
			w.SCC = r != 0
		}
	}
	for name, fn := range map[string]func(a, e uint64) uint64{
		"andn1": func(a, e uint64) uint64 { return e &^ a }, "andn2": func(a, e uint64) uint64 { return a &^ e },
	} {
		waveOps["s_"+name+"_wrexec_b64"] = func(w *Wave, in *Instruction) {
			r := fn(w.scalar(in, in.src[0], 'q'), w.Exec())
			w.SetExec(r)
			w.setS64(in.dst, r)
			w.SCC = r != 0
		}
	}

	waveOps["s_getpc_b64"] = func(w *Wave, in *Instruction) { w.setS64(in.dst, w.PC) }
	waveOps["s_setpc_b64"] = func(w *Wave, in *Instruction) { w.PC = w.scalar(in, in.src[0], 'q') }
	waveOps["s_swappc_b64"] = func(w *Wave, in *Instruction) {
		to := w.scalar(in, in.src[0], 'q')
		w.setS64(in.dst, w.PC)
		w.PC = to
	}

	// Registers numbered relative to M0.
	waveOps["s_movrels_b32"] = func(w *Wave, in *Instruction) { w.S[in.dst] = w.S[(in.src[0]+int(w.S[m0]))&127] }
	waveOps["s_movreld_b32"] = func(w *Wave, in *Instruction) {
		w.S[(in.dst+int(w.S[m0]))&127] = uint32(w.scalar(in, in.src[0], 'u'))
	}
	waveOps["s_movrels_b64"] = func(w *Wave, in *Instruction) { w.setS64(in.dst, w.s64((in.src[0]+int(w.S[m0]))&126)) }
	waveOps["s_movreld_b64"] = func(w *Wave, in *Instruction) {
		w.setS64((in.dst+int(w.S[m0]))&126, w.scalar(in, in.src[0], 'q'))
	}
	waveOps["s_set_gpr_idx_idx"] = func(w *Wave, in *Instruction) {
		w.S[m0] = w.S[m0]&^255 | uint32(w.scalar(in, in.src[0], 'u')&255)
	}
}

// leadingZeros is how many bits are zero before the first one of width, all ones if there is none.
func leadingZeros(a uint64, width int) uint32 {
	if a == 0 {
		return 0xffffffff
	}
	return uint32(mathbits.LeadingZeros64(a) - (64 - width))
}

// indexing is whether vector registers are numbered relative to M0: bits 0 to 7 are added to those operands that bits 12 to 15 say.
type indexing struct{ on bool }
