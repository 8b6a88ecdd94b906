package device

import "aqueduct/conformance/simgpu/gcn"

// workgroup is a work-group whose waves run.
type workgroup struct {
	dispatch *dispatch
	waves    []*gcn.Wave
	live     int // waves that have not ended
	slots    []int
}

// garbage is what registers and local memory hold that nobody has written.
const garbage = 0xcdcdcdcd

// begin makes the next work-group, and reports false if there is no scratch for it.
func (d *dispatch) begin() bool {
	g := d.aql.gpu
	id := [3]uint32{uint32(d.next % uint64(d.groups[0])), uint32(d.next / uint64(d.groups[0]) % uint64(d.groups[1])),
		uint32(d.next / (uint64(d.groups[0]) * uint64(d.groups[1])))}
	var size [3]uint32 // the last ones may be partial
	for k := range size {
		size[k] = min(d.group[k], d.grid[k]-id[k]*d.group[k])
	}
	items := size[0] * size[1] * size[2]
	count := int(items+gcn.Lanes-1) / gcn.Lanes
	wg := &workgroup{dispatch: d, live: count}
	if d.private > 0 {
		if wg.slots = d.aql.scratch.take(count); wg.slots == nil {
			return false
		}
	}
	d.next++
	unit := d.aql.unit()
	shared := &gcn.Group{Local: make([]byte, d.local), HardwareID: chips[g.Chip].hardwareID(unit)}
	for i := range shared.Local {
		shared.Local[i] = garbage & 0xff
	}
	for n := range count {
		w := g.newWave(d.registers())
		w.Program, w.Memory, w.Group, w.Clock = g.program, d, shared, Clock
		slot := 0
		if wg.slots != nil {
			slot = wg.slots[n]
		}
		d.setScalars(w, id, slot)
		d.setVectors(w, size, uint32(n)*gcn.Lanes, items)
		r := d.kernel.rsrc1
		w.Reset(d.kernel.entry, r>>12&0xff|r>>21&1<<8|r>>23&1<<9|r>>26&1<<23)
		wg.waves = append(wg.waves, w)
	}
	d.resident = append(d.resident, wg)
	return true
}

// registers is how many vector registers a wave has.
func (d *dispatch) registers() int {
	if d.aql.gpu.Chip == "gfx90a" {
		return 512 // with those for accumulation
	}
	return int(d.kernel.rsrc1&63+1) * 4
}

func (g *GPU) newWave(registers int) *gcn.Wave {
	var w *gcn.Wave
	if n := len(g.waves); n > 0 {
		w, g.waves = g.waves[n-1], g.waves[:n-1]
		v := w.V
		*w = gcn.Wave{V: v}
	} else {
		w = &gcn.Wave{}
	}
	if cap(w.V) < registers {
		w.V = make([]gcn.Vector, registers)
	}
	w.V = w.V[:registers]
	for i := range w.V {
		for l := range w.V[i] {
			w.V[i][l] = garbage
		}
	}
	for i := range w.S {
		w.S[i] = garbage
	}
	return w
}

// setScalars puts the values into the first scalar registers that the kernel asks for.
func (d *dispatch) setScalars(w *gcn.Wave, id [3]uint32, slot int) {
	a := d.aql
	n := 0
	put := func(words ...uint32) { n += copy(w.S[n:], words) }
	put64 := func(x uint64) { put(uint32(x), uint32(x>>32)) }
	lane := a.queueWord(queueScratchLane)
	waveOffset := uint32(slot) * lane * gcn.Lanes
	scratch := *word64(a.amd + queueScratchLocation)
	p := d.kernel.properties
	if p&sgprPrivateBuffer != 0 {
		put(a.queueWord(queueScratchSRD), a.queueWord(queueScratchSRD+4), a.queueWord(queueScratchSRD+8), a.queueWord(queueScratchSRD+12))
	}
	if p&sgprDispatchPointer != 0 {
		put64(d.slot)
	}
	if p&sgprQueuePointer != 0 {
		put64(a.amd)
	}
	if p&sgprKernarg != 0 {
		put64(d.kernarg)
	}
	if p&sgprDispatchID != 0 {
		put64(d.index)
	}
	if p&sgprFlatScratch != 0 {
		put64(scratch)
	}
	if p&sgprPrivateSize != 0 {
		put(d.private)
	}
	r := d.kernel.rsrc2
	n = int(r >> 1 & 31)
	for k := range 3 {
		if r>>(7+k)&1 == 1 {
			put(id[k])
		}
	}
	if r>>10&1 == 1 {
		put(0)
	}
	if r&1 == 1 {
		put(waveOffset)
	}
}

// setVectors numbers the work-items of a wave, which begin at first.
func (d *dispatch) setVectors(w *gcn.Wave, size [3]uint32, first, items uint32) {
	var mask uint64
	packed := d.aql.gpu.Chip == "gfx90a"
	for l := uint32(0); l < gcn.Lanes && first+l < items; l++ {
		i := first + l
		x, y, z := i%size[0], i/size[0]%size[1], i/(size[0]*size[1])
		if packed {
			w.V[0][l] = x | y<<10 | z<<20
		} else {
			for k, v := range [3]uint32{x, y, z} {
				if k < len(w.V) {
					w.V[k][l] = v
				}
			}
		}
		mask |= 1 << l
	}
	w.SetExec(mask)
}

// run lets one of the waves that can run do up to n instructions.
func (wg *workgroup) run(n int) error {
	var ready []*gcn.Wave
	for _, w := range wg.waves {
		if w.State == gcn.Running {
			ready = append(ready, w)
		}
	}
	if len(ready) == 0 { // all that live are at the barrier
		for _, w := range wg.waves {
			if w.State == gcn.AtBarrier {
				w.State = gcn.Running
			}
		}
		return nil
	}
	w := ready[wg.dispatch.aql.gpu.random.IntN(len(ready))]
	err := w.Run(n)
	if w.State == gcn.Ended {
		wg.live--
	}
	return err
}

// release gives back what the work-group had.
func (wg *workgroup) release() {
	d := wg.dispatch
	d.aql.gpu.waves = append(d.aql.gpu.waves, wg.waves...)
	d.aql.scratch.give(wg.slots)
}
