package gcn

import "encoding/binary"

func init() {
	for name, words := range map[string]int{"s_load_dword": 1, "s_load_dwordx2": 2, "s_load_dwordx4": 4, "s_load_dwordx8": 8, "s_load_dwordx16": 16} {
		waveOps[name] = func(w *Wave, in *Instruction) {
			b := w.Memory.Access(scalarAddress(w, in), uint64(4*words), Read)
			for k := range words {
				w.S[in.dst+k] = binary.LittleEndian.Uint32(b[4*k:])
			}
		}
	}
	for name, words := range map[string]int{"s_store_dword": 1, "s_store_dwordx2": 2, "s_store_dwordx4": 4} {
		waveOps[name] = func(w *Wave, in *Instruction) {
			b := w.Memory.Access(scalarAddress(w, in), uint64(4*words), Write)
			for k := range words {
				binary.LittleEndian.PutUint32(b[4*k:], w.S[in.dst+k])
			}
		}
	}
	for _, name := range []string{"s_memtime", "s_memrealtime"} {
		waveOps[name] = func(w *Wave, in *Instruction) { w.setS64(in.dst, w.Clock()) }
	}
	for _, name := range []string{"s_dcache_inv", "s_dcache_inv_vol", "s_dcache_wb", "s_dcache_wb_vol"} {
		waveOps[name] = func(*Wave, *Instruction) {}
	}
}

// scalarAddress is that of a scalar load: a base, a constant and perhaps a register, in whole words.
func scalarAddress(w *Wave, in *Instruction) uint64 {
	a := w.s64(in.src[0]) + uint64(in.offset)
	if in.src[1] >= 0 {
		a += w.scalar(in, in.src[1], 'u')
	}
	return a &^ 3
}
