package gcn

import mathbits "math/bits"

func init() {
	waveOps["v_readfirstlane_b32"] = func(w *Wave, in *Instruction) {
		lane := 0 // also when no lane is active
		if e := w.Exec(); e != 0 {
			lane = mathbits.TrailingZeros64(e)
		}
		w.S[in.dst] = w.laneOf(in, lane)
	}
	waveOps["v_readlane_b32"] = func(w *Wave, in *Instruction) {
		w.S[in.dst] = w.laneOf(in, int(w.scalar(in, in.src[1], 'u')&63))
	}
	waveOps["v_writelane_b32"] = func(w *Wave, in *Instruction) {
		w.V[in.dst][w.scalar(in, in.src[1], 'u')&63] = uint32(w.scalar(in, in.src[0], 'u'))
	}
	// How many of the lanes below this one are in a mask.
	for name, low := range map[string]int{"v_mbcnt_lo_u32_b32": 0, "v_mbcnt_hi_u32_b32": 32} {
		waveOps[name] = func(w *Wave, in *Instruction) {
			w.load(in, 0, 'u')
			w.load(in, 1, 'u')
			for e := w.Exec(); e != 0; e &= e - 1 {
				l := mathbits.TrailingZeros64(e)
				below := uint32((uint64(1)<<l - 1) >> low)
				w.V[in.dst][l] = uint32(mathbits.OnesCount32(uint32(w.src[0][l])&below)) + uint32(w.src[1][l])
			}
		}
	}
	// The accumulation registers of gfx90a.
	waveOps["v_accvgpr_read_b32"] = func(w *Wave, in *Instruction) {
		for e := w.Exec(); e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			w.V[in.dst][l] = w.V[in.src[0]&255+256][l]
		}
	}
	waveOps["v_accvgpr_write_b32"] = func(w *Wave, in *Instruction) {
		w.load(in, 0, 'u')
		for e := w.Exec(); e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			w.V[in.dst+256][l] = uint32(w.src[0][l])
		}
	}
}

// laneOf is a lane of the first operand.
func (w *Wave) laneOf(in *Instruction, lane int) uint32 {
	if in.src[0] >= firstV {
		return w.V[in.src[0]-firstV][lane]
	}
	return uint32(w.scalar(in, in.src[0], 'u'))
}
