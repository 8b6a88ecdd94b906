package device

import (
	"encoding/binary"
	"errors"
	"sync/atomic"

	"aqueduct/conformance/simgpu/gcn"
)

// kernel is what a kernel descriptor says (LLVM's AMDGPU usage, "Kernel Descriptor"). The older amd_kernel_code_t, which ROCr's own
// kernels have, agrees in all that is read here.
type kernel struct {
	group, private, kernarg uint32
	entry                   uint64
	rsrc1, rsrc2, rsrc3     uint32
	properties              uint32
}

func readKernel(object uint64, b []byte) kernel {
	u := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	return kernel{u(0), u(4), u(8), object + binary.LittleEndian.Uint64(b[16:]), u(48), u(52), u(44), u(56) & 0xffff}
}

// Bits of kernel.properties: which values a wave finds in its first scalar registers, in this order.
const (
	sgprPrivateBuffer = 1 << iota
	sgprDispatchPointer
	sgprQueuePointer
	sgprKernarg
	sgprDispatchID
	sgprFlatScratch
	sgprPrivateSize
)

// dispatch is a kernel dispatch packet that runs.
type dispatch struct {
	aql      *aql
	index    uint64 // of the packet
	slot     uint64 // its address
	kernel   kernel
	group    [3]uint32 // work-items in a group
	grid     [3]uint32 // work-items in all
	groups   [3]uint32 // work-groups
	next     uint64    // of the work-groups not begun
	total    uint64
	private  uint32
	local    uint32
	kernarg  uint64
	resident []*workgroup
	most     int // work-groups at a time
	began    uint64
	writer   uint32 // in the order of memory
	acquired uint64 // the last time its queue acquired before it
	ordered  uint64 // when it began
	window   window
}

// dispatch starts a kernel, or reports false if it cannot start yet.
func (a *aql) dispatch(packet []byte, slot uint64) bool {
	u16 := func(at int) uint32 { return uint32(binary.LittleEndian.Uint16(packet[at:])) }
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(packet[at:]) }
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(packet[at:]) }
	d := &dispatch{aql: a, index: a.launched, slot: slot, private: u32(24), local: u32(28), kernarg: u64(40)}
	d.group = [3]uint32{u16(4), u16(6), u16(8)}
	d.grid = [3]uint32{u32(12), u32(16), u32(20)}
	dimensions, object := u16(2)&3, u64(32)
	if code, why := d.check(dimensions, object); code != 0 {
		a.fail(code, "%s", why)
		return true
	}
	d.kernel = readKernel(object, a.gpu.access(object, 64, false))
	if why := d.strictly(packet, dimensions, object); a.gpu.Strict && why != "" {
		a.fail(errorPacketFormat, "%s", why)
		return true
	}
	if d.private > 0 && !a.haveScratch(d.private) {
		return false
	}
	a.gpu.logf("queue %d packet %d: kernel %#x grid %v group %v local %d private %d kernarg %#x", a.id, d.index, object, d.grid, d.group,
		d.local, d.private, d.kernarg)
	d.total = 1
	for k := range 3 {
		d.groups[k] = (d.grid[k] + d.group[k] - 1) / d.group[k]
		d.total *= uint64(d.groups[k])
	}
	d.most = 1 + a.gpu.random.IntN(8)
	d.began = Clock()
	a.acquire(binary.LittleEndian.Uint16(packet))
	d.writer, d.acquired = a.gpu.ordering.begin(a.id, d.index), a.fences.acquired
	d.ordered = a.gpu.ordering.now
	a.launched++
	a.running = append(a.running, d)
	return true
}

// check finds what the packet processor refuses.
func (d *dispatch) check(dimensions uint32, object uint64) (int64, string) {
	switch {
	case dimensions == 0 || d.group[0]*d.group[1]*d.group[2] == 0 || d.grid[0] == 0 || d.grid[1] == 0 || d.grid[2] == 0:
		return errorDimensions, "a dimension of the dispatch is zero"
	case uint64(d.group[0])*uint64(d.group[1])*uint64(d.group[2]) > 1024:
		return errorGroupSize, "the work-group has more than 1024 work-items"
	case d.local > 64<<10:
		return errorGroupMemory, "the group segment is larger than 64 KiB"
	case object == 0:
		return errorCodeObject, "the dispatch has no kernel object"
	}
	return 0, ""
}

// strictly finds mistakes that hardware would not notice, but that its results would show some day.
func (d *dispatch) strictly(packet []byte, dimensions uint32, object uint64) string {
	switch {
	case binary.LittleEndian.Uint16(packet[10:]) != 0:
		return "a reserved field of the dispatch packet is not zero"
	case dimensions < 3 && d.grid[2] != 1 || dimensions < 2 && d.grid[1] != 1:
		return "an unused dimension of the dispatch is not one"
	case object&63 != 0:
		return "the kernel object is not aligned to 64 bytes"
	case d.kernarg&15 != 0:
		return "the kernel arguments are not aligned to 16 bytes"
	case d.kernel.kernarg > 0 && d.kernarg == 0:
		return "the kernel has arguments, the packet none"
	case d.local < d.kernel.group:
		return "the packet's group segment is smaller than the kernel's"
	case d.private < d.kernel.private:
		return "the packet's private segment is smaller than the kernel's"
	}
	return ""
}

// Values of the inactive signal that ask ROCr for scratch: for wavefronts of 64.
const needScratch = 1

// haveScratch is whether the queue has enough private memory for each work-item. If not it asks ROCr for it, which looks at the packet
// at the read index: all before must be complete.
func (a *aql) haveScratch(perItem uint32) bool {
	lane := a.queueWord(queueScratchLane)
	size := *word64(a.amd + queueScratchSize)
	if size > 0 && lane >= perItem {
		a.scratch.fit(int(size / (uint64(lane) * gcn.Lanes)))
		return true
	}
	switch s := a.inactive(); {
	case a.retired < a.launched:
	case !a.asked:
		a.asked = true
		a.gpu.setSignal(s, needScratch)
	case a.gpu.signalValue(s) == 0: // answered, if not now then with more the next time
		a.asked = false
	}
	return false
}

// scratchSlots are the parts of a queue's scratch that waves have.
type scratchSlots struct{ used []bool }

func (s *scratchSlots) fit(n int) {
	if n > len(s.used) {
		s.used = append(s.used, make([]bool, n-len(s.used))...)
	}
}

// take gives n free slots, or nil.
func (s *scratchSlots) take(n int) []int {
	var got []int
	for i := range s.used {
		if len(got) < n && !s.used[i] {
			got = append(got, i)
		}
	}
	if len(got) < n {
		return nil
	}
	for _, i := range got {
		s.used[i] = true
	}
	return got
}

func (s *scratchSlots) give(slots []int) {
	for _, i := range slots {
		s.used[i] = false
	}
}

// run lets one wave of one work-group do some instructions, or begins another work-group.
func (d *dispatch) run() {
	g := d.aql.gpu
	if d.next < d.total && len(d.resident) < d.most && (len(d.resident) == 0 || g.random.IntN(2) == 0) && d.begin() {
		return
	}
	if len(d.resident) == 0 {
		return // waits for scratch that another dispatch has
	}
	i := g.random.IntN(len(d.resident))
	wg := d.resident[i]
	if err := wg.run(1 + g.random.IntN(256)); err != nil {
		d.stop(err)
		return
	}
	if wg.live > 0 {
		return
	}
	wg.release()
	d.resident = append(d.resident[:i], d.resident[i+1:]...)
	if d.next == d.total && len(d.resident) == 0 {
		d.aql.ended(d)
	}
}

// ended completes a dispatch.
func (a *aql) ended(d *dispatch) {
	for i := range a.running {
		if a.running[i] == d {
			a.running = append(a.running[:i], a.running[i+1:]...)
			break
		}
	}
	a.finish(d.index, d.began, d.writer)
}

// drop forgets the work-groups of a dispatch that failed.
func (d *dispatch) drop() {
	for _, wg := range d.resident {
		wg.release()
	}
	d.resident = nil
}

// stop halts the queue for the error a wave ended with.
func (d *dispatch) stop(err error) {
	var fault *gcn.Fault
	var aperture *gcn.Aperture
	var trap *gcn.Trap
	var order *disorder
	switch a := d.aql; {
	case errors.As(err, &fault):
		a.violation(fault)
	case errors.As(err, &aperture):
		a.fail(errorAperture, "%v", err)
	case errors.As(err, &trap), errors.As(err, &order):
		a.fail(errorTrap, "%v", err)
	default:
		a.fail(errorInstruction, "%v", err)
	}
}

// queueWord reads a word of the queue's amd_queue_t.
func (a *aql) queueWord(at uint64) uint32 { return atomic.LoadUint32(word32(a.amd + at)) }
