package gcn

// Hardware registers that s_getreg and s_setreg know.
const (
	hwMode   = 1
	hwStatus = 2
	hwID     = 4
	hwLocal  = 6
)

// hardware splits the operand of s_getreg: register, lowest bit, width.
func hardware(in *Instruction) (id, low, width int) {
	x := uint32(in.offset)
	return bits(x, 0, 6), bits(x, 6, 5), bits(x, 11, 5) + 1
}

func setHardware(w *Wave, in *Instruction, x uint32) {
	id, low, width := hardware(in)
	if id != hwMode {
		w.unsupported(in, "writes a register that is not MODE")
	}
	mask := uint32(1<<width-1) << low
	w.setMode(w.Mode&^mask | x<<low&mask)
}

func init() {
	waveOps["s_movk_i32"] = func(w *Wave, in *Instruction) { w.S[in.dst] = uint32(in.offset) }
	waveOps["s_cmovk_i32"] = func(w *Wave, in *Instruction) {
		if w.SCC {
			w.S[in.dst] = uint32(in.offset)
		}
	}
	waveOps["s_addk_i32"] = func(w *Wave, in *Instruction) {
		r := int64(int32(w.S[in.dst])) + in.offset
		w.S[in.dst], w.SCC = uint32(r), r != int64(int32(r))
	}
	waveOps["s_mulk_i32"] = func(w *Wave, in *Instruction) { w.S[in.dst] *= uint32(in.offset) }
	waveOps["s_getreg_b32"] = func(w *Wave, in *Instruction) {
		id, low, width := hardware(in)
		var x uint32
		switch id {
		case hwMode:
			x = w.Mode
		case hwStatus:
			x = uint32(bit(w.SCC))
		case hwID:
			x = w.Group.HardwareID
		case hwLocal:
			x = uint32(len(w.Group.Local)+511) / 512 << 12
		default:
			w.unsupported(in, "reads a register that is not emulated")
		}
		w.S[in.dst] = x >> low & (1<<width - 1)
	}
	waveOps["s_setreg_b32"] = func(w *Wave, in *Instruction) { setHardware(w, in, w.S[in.dst]) }
	waveOps["s_setreg_imm32_b32"] = func(w *Wave, in *Instruction) { setHardware(w, in, in.lit) }
	waveOps["s_call_b64"] = func(w *Wave, in *Instruction) {
		w.setS64(in.dst, w.PC)
		w.PC += uint64(in.offset * 4)
	}
}
