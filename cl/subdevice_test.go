package cl

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// several skips a test of sub-devices on a machine of one core.
func several(f *fixture) uint64 {
	n := f.device.roc.Info().ComputeUnits
	if n < 2 {
		f.Skip("one compute unit cannot be partitioned")
	}
	return uint64(n)
}

func TestSubDeviceRules(t *testing.T) {
	f := newFixture(t)
	n := several(f)
	domains := f.device.affinityDomains()
	absent := uint64(CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE)
	require.Zero(t, domains&absent, "if this machine has one, choose another")
	for name, c := range map[string]struct {
		scheme uint64
		values []uint64
		limit  int
		want   Status
		units  []uint64
	}{
		"equally":             {CL_DEVICE_PARTITION_EQUALLY, []uint64{1}, 1000, CL_SUCCESS, ones(n)},
		"equally, whole":      {CL_DEVICE_PARTITION_EQUALLY, []uint64{n}, 1, CL_DEVICE_PARTITION_FAILED, nil},
		"equally, none":       {CL_DEVICE_PARTITION_EQUALLY, []uint64{0}, 1, CL_INVALID_VALUE, nil},
		"equally, too many":   {CL_DEVICE_PARTITION_EQUALLY, []uint64{n + 1}, 1, CL_INVALID_DEVICE_PARTITION_COUNT, nil},
		"counts":              {CL_DEVICE_PARTITION_BY_COUNTS, []uint64{1, n - 1}, 2, CL_SUCCESS, []uint64{1, n - 1}},
		"counts, some":        {CL_DEVICE_PARTITION_BY_COUNTS, []uint64{1}, 1, CL_SUCCESS, []uint64{1}},
		"counts, too many":    {CL_DEVICE_PARTITION_BY_COUNTS, []uint64{1, n}, 2, CL_INVALID_DEVICE_PARTITION_COUNT, nil},
		"counts, negative":    {CL_DEVICE_PARTITION_BY_COUNTS, []uint64{1, ^uint64(0)}, 2, CL_INVALID_DEVICE_PARTITION_COUNT, nil},
		"counts, empty":       {CL_DEVICE_PARTITION_BY_COUNTS, nil, 2, CL_INVALID_VALUE, nil},
		"counts, no room":     {CL_DEVICE_PARTITION_BY_COUNTS, []uint64{1, n - 1}, 1, CL_INVALID_VALUE, nil},
		"domain not there":    {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, []uint64{absent}, 9, CL_INVALID_VALUE, nil},
		"domain that is none": {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, []uint64{77 << 20}, 9, CL_INVALID_VALUE, nil},
		"no such scheme":      {77, []uint64{1}, 9, CL_INVALID_VALUE, nil},
	} {
		t.Run(name, func(t *testing.T) {
			subs, count, st := f.device.CreateSubDevices(Partition{c.scheme, c.values}, c.limit)
			require.Equal(t, c.want, st)
			require.Len(t, subs, count)
			for i, s := range subs {
				if c.units != nil {
					require.EqualValues(t, c.units[i], s.roc.Info().ComputeUnits)
				}
				require.Equal(t, CL_SUCCESS, s.Release())
			}
		})
	}
	if n > 2 { // "the remaining compute units are not used"
		subs, _, st := f.device.CreateSubDevices(Partition{CL_DEVICE_PARTITION_EQUALLY, []uint64{n - 1}}, 1)
		require.Equal(t, CL_SUCCESS, st)
		require.EqualValues(t, n-1, subs[0].roc.Info().ComputeUnits)
		subs[0].Release()
	}
	_, count, st := f.device.CreateSubDevices(Partition{CL_DEVICE_PARTITION_EQUALLY, []uint64{1}}, -1)
	require.Equal(t, CL_SUCCESS, st)
	require.EqualValues(t, n, count)
}

func ones(n uint64) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

func TestSubDeviceSaysWhatItIs(t *testing.T) {
	f := newFixture(t)
	several(f)
	ulongs := func(d *Device, param uint32) []uint64 { return words(deviceInfo[param](d).data) }
	require.Subset(t, ulongs(f.device, CL_DEVICE_PARTITION_PROPERTIES), []uint64{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS})
	require.Equal(t, []uint64{0}, ulongs(f.device, CL_DEVICE_PARTITION_TYPE))
	require.Equal(t, []uint64{0}, ulongs(f.device, CL_DEVICE_PARENT_DEVICE))
	f.device.SetHandle(4711)
	defer f.device.SetHandle(0)
	counts, _, st := f.device.CreateSubDevices(Partition{CL_DEVICE_PARTITION_BY_COUNTS, []uint64{1}}, 1)
	require.Equal(t, CL_SUCCESS, st)
	s := counts[0]
	require.Equal(t, []uint64{CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}, ulongs(s, CL_DEVICE_PARTITION_TYPE))
	require.Equal(t, []uint64{4711}, ulongs(s, CL_DEVICE_PARENT_DEVICE))
	require.Equal(t, []uint64{0}, ulongs(s, CL_DEVICE_PARTITION_PROPERTIES), "one unit cannot be split")
	require.Equal(t, []uint64{0}, ulongs(s, CL_DEVICE_PARTITION_AFFINITY_DOMAIN))
	_, _, st = s.CreateSubDevices(Partition{CL_DEVICE_PARTITION_EQUALLY, []uint64{1}}, 1)
	require.Equal(t, CL_INVALID_VALUE, st)
	if domains := ulongs(f.device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN)[0]; domains != 0 {
		next, _, st := f.device.CreateSubDevices(Partition{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, []uint64{CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE}}, 1000)
		require.Equal(t, CL_SUCCESS, st)
		split := ulongs(next[0], CL_DEVICE_PARTITION_TYPE)
		require.EqualValues(t, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, split[0])
		require.NotZero(t, split[1]&domains, "the domain that was used")
		require.NotEqualValues(t, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, split[1])
		for _, s := range next {
			s.Release()
		}
	}

	// references: of the application, and of contexts
	require.EqualValues(t, 1, s.References())
	require.Equal(t, CL_SUCCESS, s.Retain())
	require.EqualValues(t, 2, s.References())
	ctx, st := f.device.platform.CreateContext(nil, []*Device{s, s}, nil)
	require.Equal(t, CL_SUCCESS, st)
	require.Len(t, ctx.devices, 1)
	require.Equal(t, CL_SUCCESS, s.Release())
	require.Equal(t, CL_SUCCESS, s.Release())
	require.NotZero(t, s.counts.Load(), "the context has it")
	require.Equal(t, CL_SUCCESS, ctx.Release())
	require.Zero(t, s.counts.Load())
	_, st = f.device.platform.CreateContext(nil, []*Device{f.device, s}, nil)
	require.Equal(t, CL_INVALID_DEVICE, st)
}

func words(b []byte) []uint64 { return unsafe.Slice((*uint64)(unsafe.Pointer(&b[0])), len(b)/8) }

// cpuSource has kernel where(global int *out): each work-item stores the CPU it runs on.
const cpuSource = `
//kernel {"Name":"where","Symbol":"where","HiddenOffset":8,"KernargSize":264,"Cost":100000,"Args":[{"Kind":1,"Size":8}]}
int sched_getcpu(void);
void where(int **a, const struct context *c, uint64_t first, uint64_t last)
{
	ITEMS(HIDDEN(a, 8), i) (*a)[i] = sched_getcpu();
}
`

// TestQueueOnASubDeviceKeepsToItsCores, beside queues on its sibling and on the parent, in one context: with one program, built
// for the parent, and one buffer.
func TestQueueOnASubDeviceKeepsToItsCores(t *testing.T) {
	f := newFixture(t)
	f.needsCPU()
	several(f)
	subs, _, st := f.device.CreateSubDevices(Partition{CL_DEVICE_PARTITION_BY_COUNTS, []uint64{1, 1}}, 2)
	require.Equal(t, CL_SUCCESS, st)
	ctx, st := f.device.platform.CreateContext(nil, []*Device{f.device, subs[0], subs[1]}, nil)
	require.Equal(t, CL_SUCCESS, st)
	own := *f
	own.ctx = ctx
	p := ctx.CreateProgramWithSource([]string{cpuSource})
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{Devices: []*Device{f.device}}))
	k := own.kernel(p, "where")
	const n = 1 << 12
	seen := map[int32]bool{}
	var gate *Event // what runs on one device waits for what ran on another
	for i, d := range []*Device{subs[0], subs[1], f.device, subs[0]} {
		q, st := ctx.CreateQueue(d, nil)
		require.Equal(t, CL_SUCCESS, st)
		m := own.buffer(4 * n)
		require.Equal(t, CL_SUCCESS, set(k, 0, 8, Arg{Mem: m}))
		s := Sync{Event: true}
		if gate != nil {
			s.Wait = []*Event{gate}
		}
		e, st := q.NDRangeKernel(k, line(n, 16), s)
		require.Equal(t, CL_SUCCESS, st)
		require.EqualValues(t, CL_COMPLETE, f.status(e))
		if gate != nil {
			gate.Release()
		}
		gate = e
		cpus := unsafe.Slice((*int32)(m.store.Ptr), n)
		if d != f.device {
			for _, cpu := range cpus {
				require.Equal(t, cpus[0], cpu, "one core, always the same")
			}
			require.Equal(t, i == 3, seen[cpus[0]], "the sub-devices' cores are different")
			seen[cpus[0]] = true
		}
		m.Release()
		q.Release()
	}
	gate.Release()
	for _, release := range []func() Status{subs[0].Release, subs[1].Release, k.Release, p.Release, ctx.Release} {
		require.Equal(t, CL_SUCCESS, release())
	}
	f.eventually(func() bool { return subs[0].counts.Load() == 0 }, "the sub-device's end")
}
