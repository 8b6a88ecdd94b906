package device

import (
	"math/bits"
	"slices"
)

// chip is what the topology and the work-groups must agree on. Units are spread over the engines.
type chip struct{ units, engines int }

var chips = map[string]chip{"gfx906": {60, 4}, "gfx90a": {104, 8}}

// Units is how many compute units the chip has, and how many shader engines these are in.
func Units(name string) (units, engines int) { return chips[name].units, chips[name].engines }

// hardwareID is the register HW_ID of a wave that runs on a compute unit, as masks number them. The kernel driver deals the bits of a
// mask out to the engines in turns (mqd_symmetrically_map_cu_mask), so that few units are in many engines.
func (c chip) hardwareID(unit int) uint32 {
	const unitShift, engineShift = 8, 13
	return uint32(unit/c.engines)<<unitShift | uint32(unit%c.engines)<<engineShift
}

// unit is a compute unit that may take a work-group of the queue.
func (q *queue) unit() int {
	if q.units != nil {
		return q.units[q.gpu.random.IntN(len(q.units))]
	}
	return q.gpu.random.IntN(chips[q.gpu.Chip].units)
}

// SetUnits keeps a queue to the compute units of a mask, which has at least one that there is.
func (g *GPU) SetUnits(id uint64, mask []uint32) Status {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := g.queueIndex(id)
	if i < 0 {
		return InvalidHandle
	}
	var units []int
	for word, m := range mask {
		for ; m != 0; m &= m - 1 {
			units = append(units, word*32+bits.TrailingZeros32(m))
		}
	}
	units = slices.DeleteFunc(units, func(u int) bool { return u >= chips[g.Chip].units })
	if len(units) == 0 {
		return InvalidParameter
	}
	g.queues[i].units = units
	g.logf("queue %d: compute units %v", id, units)
	return Success
}
