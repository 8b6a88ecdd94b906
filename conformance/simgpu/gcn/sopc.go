package gcn

func init() {
	for name, fn := range map[string]func(a, b int64) bool{
		"eq": func(a, b int64) bool { return a == b }, "lg": func(a, b int64) bool { return a != b },
		"gt": func(a, b int64) bool { return a > b }, "ge": func(a, b int64) bool { return a >= b },
		"lt": func(a, b int64) bool { return a < b }, "le": func(a, b int64) bool { return a <= b },
	} {
		waveOps["s_cmp_"+name+"_i32"] = func(w *Wave, in *Instruction) {
			w.SCC = fn(int64(int32(w.scalar(in, in.src[0], 'u'))), int64(int32(w.scalar(in, in.src[1], 'u'))))
		}
		waveOps["s_cmp_"+name+"_u32"] = func(w *Wave, in *Instruction) {
			w.SCC = fn(int64(w.scalar(in, in.src[0], 'u')), int64(w.scalar(in, in.src[1], 'u')))
		}
		waveOps["s_cmpk_"+name+"_i32"] = func(w *Wave, in *Instruction) { w.SCC = fn(int64(int32(w.S[in.dst])), in.offset) }
		waveOps["s_cmpk_"+name+"_u32"] = func(w *Wave, in *Instruction) {
			w.SCC = fn(int64(w.S[in.dst]), int64(uint16(in.offset)))
		}
	}
	waveOps["s_cmp_eq_u64"] = func(w *Wave, in *Instruction) {
		w.SCC = w.scalar(in, in.src[0], 'q') == w.scalar(in, in.src[1], 'q')
	}
	waveOps["s_cmp_lg_u64"] = func(w *Wave, in *Instruction) {
		w.SCC = w.scalar(in, in.src[0], 'q') != w.scalar(in, in.src[1], 'q')
	}
	for n := range uint64(2) {
		digit := string(rune('0' + n))
		waveOps["s_bitcmp"+digit+"_b32"] = func(w *Wave, in *Instruction) {
			w.SCC = w.scalar(in, in.src[0], 'u')>>(w.scalar(in, in.src[1], 'u')&31)&1 == n
		}
		waveOps["s_bitcmp"+digit+"_b64"] = func(w *Wave, in *Instruction) {
			w.SCC = w.scalar(in, in.src[0], 'q')>>(w.scalar(in, in.src[1], 'u')&63)&1 == n
		}
	}
	waveOps["s_set_gpr_idx_on"] = func(w *Wave, in *Instruction) {
		w.index.on = true
		w.S[m0] = w.S[m0]&^0xf0ff | uint32(w.scalar(in, in.src[0], 'u')&255) | uint32(in.src[1]&15)<<12
	}
}
