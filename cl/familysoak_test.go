package cl

import (
	"math/rand"
	"os"
	"strconv"
	"testing"
	"time"
	"unsafe"

	"aqueduct/hostqueue"

	"github.com/stretchr/testify/require"
)

// familySource runs families of kernels that a table describes: kernel i counts its work-items in counts[i], and the first few
// of them enqueue its children, which they share out.
const familySource = `
typedef struct {
	uint first, count;   // its children
	uint items, flags, queue;
	uint waits;          // elder brothers whose events it waits for; bit 31: the user event of the work-item that enqueues it
	int user;            // status that its work-items give their user events
	uint parents;        // how many of them enqueue
} Member;

kernel void parent(global const Member *table, global int *counts, global int *refused, queue_t a, queue_t b, uint i)
{
	atomic_inc(&counts[i]);
	Member self = table[i];
	uint id = get_global_linear_id();
	if (id >= self.parents)
		return;
	clk_event_t events[8], wait[9];
	clk_event_t user = create_user_event();
	for (uint c = id; c < self.count; c += self.parents) {
		uint n = 0, child = self.first + c;
		Member m = table[child];
		for (uint w = id; w < c; w += self.parents)
			if (m.waits >> w & 1)
				wait[n++] = events[w];
		if (m.waits >> 31)
			wait[n++] = user;
		if (enqueue_kernel(m.queue ? a : b, (kernel_enqueue_flags_t)m.flags, ndrange_1D(m.items), n, n ? wait : 0, &events[c],
		                   ^{ parent(table, counts, refused, a, b, child); }))
			atomic_inc(refused);
	}
	set_user_event_status(user, self.user);
	for (uint c = id; c < self.count; c += self.parents)
		release_event(events[c]);
	release_event(user);
}`

// member is Member of familySource.
type member struct {
	first, count, items, flags, queue, waits uint32
	user                                     int32
	parents                                  uint32
}

// newMember has a random number of work-items, of which some enqueue.
func newMember(r *rand.Rand) member {
	items := uint32(1) << r.Intn(8)
	return member{items: items, user: int32(-(r.Intn(4) / 3)), parents: 1 + uint32(r.Intn(int(min(items, 8))))}
}

// plan makes a random family and returns how often each member's work-items run in all.
func planFamily(r *rand.Rand) (table []member, want []int32) {
	table = []member{newMember(r)}
	runs := []bool{true}
	depth := []int{0}
	for i := 0; i < len(table) && len(table) < 600; i++ {
		if depth[i] > 6 {
			continue
		}
		p := &table[i]
		p.first, p.count = uint32(len(table)), uint32(r.Intn(9))
		parent := *p
		for c := range parent.count {
			m := newMember(r)
			m.flags, m.queue = uint32(r.Intn(3)), uint32(r.Intn(2))
			run := runs[i]
			for w := c % parent.parents; w < c; w += parent.parents {
				if r.Intn(6) == 0 {
					m.waits |= 1 << w
					run = run && runs[parent.first+w]
				}
			}
			if r.Intn(6) == 0 {
				m.waits |= 1 << 31
				run = run && parent.user == 0
			}
			table, runs, depth = append(table, m), append(runs, run), append(depth, depth[i]+1)
		}
	}
	for i, m := range table {
		n := int32(0)
		if runs[i] {
			n = int32(m.items)
		}
		want = append(want, n)
	}
	return table, want
}

// TestRandomFamilies is a soak: families of random depth, width, flags, wait lists and user events, enqueued by one work-item or by
// several lanes of a vector, in two on-device queues, from several host queues at once, each against a count of what must have run. make soak-families says how long (SOAK_SECONDS)
// and which (SOAK_SEED).
func TestRandomFamilies(t *testing.T) {
	seconds, seed := 20, int64(1)
	if text := os.Getenv("SOAK_SECONDS"); text != "" {
		var err error
		seconds, err = strconv.Atoi(text)
		require.NoError(t, err)
		seed, err = strconv.ParseInt(os.Getenv("SOAK_SEED"), 10, 64)
		require.NoError(t, err)
	}
	if testing.Short() {
		seconds = 5
	}
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	a, b := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 8<<20), f.deviceQueue(0, 8<<20)
	defer a.Release()
	defer b.Release()
	queues := []*Queue{f.q, f.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), f.queue(CL_QUEUE_PROFILING_ENABLE)}
	for _, q := range queues[1:] {
		defer q.Release()
	}
	k := f.enqueuing(familySource)
	refused := f.buffer(4)
	defer refused.Release()
	clear(f.bytes(refused))
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	type running struct {
		event         *Event
		table, counts *Mem
		want          []int32
	}
	families, members := 0, 0
	for end := time.Now().Add(time.Duration(seconds) * time.Second); time.Now().Before(end); {
		var batch []running
		for range 1 + r.Intn(12) {
			table, want := planFamily(r)
			x := running{want: want, counts: f.buffer(uint64(4 * len(want)))}
			var st Status
			x.table, st = f.ctx.CreateBuffer(nil, CL_MEM_COPY_HOST_PTR, uint64(len(table))*uint64(unsafe.Sizeof(table[0])), unsafe.Pointer(&table[0]))
			require.Equal(t, CL_SUCCESS, st)
			clear(f.bytes(x.counts))
			f.setArgs(k, x.table, x.counts, refused, a, b, 0)
			x.event, st = queues[r.Intn(len(queues))].NDRangeKernel(k, &Range{Dims: 1, Global: [3]uint64{uint64(table[0].items)}, HasGlobal: true}, Sync{Event: true})
			require.Equal(t, CL_SUCCESS, st)
			batch = append(batch, x)
			members += len(table)
		}
		families += len(batch)
		for _, x := range batch {
			require.Equal(t, hostqueue.Complete, f.status(x.event))
			require.Equal(t, x.want, f.words(x.counts), "seed %d", seed)
			x.event.Release()
			x.table.Release()
			x.counts.Release()
		}
	}
	require.Zero(t, f.words(refused)[0], "queues this large are never full")
	t.Logf("%d families of %d members in all", families, members)
}
