package roc

import "math/bits"

const (
	// groupTarget is how many work-items a work-group of our own choosing has at most. Where no work-item waits for another a
	// group is but a loop, so it is large; where they do, what they keep across barriers should stay in the cache.
	groupTarget        = 1024
	groupTargetBarrier = 256

	// groupRows is how many rows a work-group of our own choosing has at most, if the kernel has loops: what they load along a column is
	// the same for all rows as a rule, and comes from the caches of a core but once in a group.
	groupRows = 16

	// frameLimit bounds the memory one work-group keeps across barriers, bytes.
	frameLimit = 64 << 20

	// groupsPerUnit is how many work-groups each compute unit should have at least, so that the last ones to end leave few idle.
	groupsPerUnit = 4
)

// MaxLocal returns the most work-items a work-group of k may have (CL_KERNEL_WORK_GROUP_SIZE).
func (d *Device) MaxLocal(k *Kernel) uint32 {
	if r := k.Info.ReqdWorkGroupSize; r[0] != 0 {
		return r[0] * max(r[1], 1) * max(r[2], 1)
	}
	size := d.agent.Info().MaxWorkGroup
	if k.Info.MaxGroup != 0 {
		size = min(size, k.Info.MaxGroup)
	}
	for size > 1 && uint64(size)*uint64(k.Info.FramePerItem) > frameLimit {
		size /= 2
	}
	return size
}

// SuggestLocal chooses the work-group size for a launch that leaves it open (clEnqueueNDRangeKernel with local_work_size NULL,
// clGetKernelSuggestedLocalWorkSizeKHR). It divides global wherever a divisor of a reasonable size exists, and always where
// work-groups must be uniform.
func (d *Device) SuggestLocal(k *Kernel, dims int, global [3]uint64, uniform bool) [3]uint64 {
	if r := k.Info.ReqdWorkGroupSize; r[0] != 0 {
		return [3]uint64{uint64(r[0]), uint64(max(r[1], 1)), uint64(max(r[2], 1))}
	}
	local := [3]uint64{1, 1, 1}
	room := uint64(groupTarget)
	if k.Info.HasBarrier {
		room = groupTargetBarrier
	}
	room = min(room, uint64(d.MaxLocal(k)), d.itemsPerGroup(dims, global))
	width := uint64(max(k.Info.Width, 1))
	rows := uint64(1)
	if dims > 1 && !k.Info.HasBarrier && !k.Info.Straight {
		rows = divisor(global[1], min(groupRows, room), 1)
		if divisor(global[0], room/rows, width)%width != 0 {
			rows = 1 // a vector that is not whole costs less in a long row
		}
	}
	for dim := range dims {
		limit := room
		if dim == 0 {
			limit = max(room/rows, min(width, uint64(d.MaxLocal(k)))) // whole vectors count for more than many groups
		}
		local[dim] = divisor(global[dim], limit, width)
		if dim == 0 && local[0] < width && global[0] > limit && !k.Info.HasBarrier {
			if uniform { // better a few large groups than many tiny ones
				local[0] = divisor(global[0], uint64(d.MaxLocal(k)), width)
			} else { // a large prime, say: one smaller group at the end beats many tiny ones
				local[0] = limit / width * width
			}
		}
		room = max(room/local[dim], 1)
		width = 1
	}
	return local
}

// itemsPerGroup is the size of a work-group that leaves each compute unit several of them.
func (d *Device) itemsPerGroup(dims int, global [3]uint64) uint64 {
	groups := uint64(d.agent.Info().ComputeUnits) * groupsPerUnit
	items := uint64(1)
	for dim := range dims {
		hi, lo := bits.Mul64(items, max(global[dim], 1))
		if hi != 0 {
			return groupTarget
		}
		items = lo
	}
	return max(items/groups, 1)
}

// divisor returns the largest divisor of n up to limit that is a multiple of width, or failing that the largest divisor.
func divisor(n, limit, width uint64) uint64 {
	limit = min(limit, n)
	best := uint64(1)
	for c := limit; c > 0; c-- {
		if n%c != 0 {
			continue
		}
		if c%width == 0 {
			return c
		}
		best = max(best, c)
	}
	return best
}
