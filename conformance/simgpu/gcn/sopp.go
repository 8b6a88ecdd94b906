package gcn

// debugTrap is the s_trap of a breakpoint, which goes on when there is no debugger.
const debugTrap = 3

func init() {
	for name, taken := range map[string]func(w *Wave) bool{
		"s_branch":         func(w *Wave) bool { return true },
		"s_cbranch_scc0":   func(w *Wave) bool { return !w.SCC },
		"s_cbranch_scc1":   func(w *Wave) bool { return w.SCC },
		"s_cbranch_vccz":   func(w *Wave) bool { return w.s64(vcc) == 0 },
		"s_cbranch_vccnz":  func(w *Wave) bool { return w.s64(vcc) != 0 },
		"s_cbranch_execz":  func(w *Wave) bool { return w.Exec() == 0 },
		"s_cbranch_execnz": func(w *Wave) bool { return w.Exec() != 0 },
	} {
		waveOps[name] = func(w *Wave, in *Instruction) {
			if taken(w) {
				w.PC += uint64(in.offset * 4)
			}
		}
	}
	// One wave's instructions end one after the other and in order, so that there is nothing to wait for.
	for _, name := range []string{"s_nop", "s_waitcnt", "s_sleep", "s_setprio", "s_icache_inv", "s_wakeup", "s_sethalt", "s_incperflevel",
		"s_decperflevel", "s_ttracedata"} {
		waveOps[name] = func(*Wave, *Instruction) {}
	}
	waveOps["s_endpgm"] = func(w *Wave, _ *Instruction) { w.State = Ended }
	waveOps["s_barrier"] = func(w *Wave, _ *Instruction) { w.State = AtBarrier }
	waveOps["s_trap"] = func(w *Wave, in *Instruction) {
		if id := int(in.word[0] & 255); id != debugTrap {
			panic(&Trap{id})
		}
	}
	waveOps["s_set_gpr_idx_off"] = func(w *Wave, _ *Instruction) { w.index.on = false }
	waveOps["s_set_gpr_idx_mode"] = func(w *Wave, in *Instruction) {
		w.S[m0] = w.S[m0]&^0xf000 | uint32(in.offset&15)<<12
	}
}
