package cl

import (
	"fmt"
	"testing"

	"aqueduct/hostqueue"
	"aqueduct/roc/settings"

	"github.com/stretchr/testify/require"
)

// TestWorkItemsEnqueueForThemselves: in a vectorised kernel each work-item enqueues, or does not, with what is its own. Of n
// work-items, number i leaves want(i) in out[i]; whole vectors, parts of them and single work-items all come up.
func TestWorkItemsEnqueueForThemselves(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	const n = 150
	q := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 1<<20)
	defer q.Release()
	for name, c := range map[string]struct {
		body string
		want func(i int) int32
	}{
		"ranges and captures": {
			`enqueue_kernel(q, 0, ndrange_1D(i, i + 1, 1 + i % 4), ^{ atomic_add(&out[i], (int)get_global_id(0) + i * (int)get_local_size(0)); });`,
			func(i int) (sum int32) {
				for k := range i + 1 {
					local := 1 + i%4
					if k >= (i+1)/local*local {
						local = (i + 1) % local
					}
					sum += int32(i + k + i*local)
				}
				return sum
			}},
		"some only": {
			`if (i % 3 == 0 && enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[i] = i; }) == 0) out[i + n] = 1;
			 else out[i] = -1;`,
			func(i int) int32 {
				if i%3 == 0 {
					return int32(i)
				}
				return -1
			}},
		"numbers of children": {
			`for (int k = 0; k < i % 5; k++) { int v = k * i; enqueue_kernel(q, 1, ndrange_1D(2), ^{ atomic_add(&out[i], v); }); }`,
			func(i int) int32 { return int32([5]int{0, 0, 2, 6, 12}[i%5] * i) }},
		"events": {
			`clk_event_t u = create_user_event(), e, m;
			 enqueue_kernel(q, 0, ndrange_1D(1), 1, &u, &e, ^{ out[i] += 5; });
			 enqueue_marker(q, 1, &e, &m);
			 enqueue_kernel(q, 0, ndrange_1D(1), 1, &m, 0, ^{ out[i] *= 3; });
			 out[i] = is_valid_event(u) ? i : -1000;
			 set_user_event_status(u, i % 4 == 2 ? -3 : CL_COMPLETE);
			 release_event(m); release_event(e); release_event(u);`,
			func(i int) int32 {
				if i%4 == 2 {
					return int32(i)
				}
				return int32(3 * (i + 5))
			}},
		"local memory": {
			`int l = i % 7 + 1;
			 enqueue_kernel(q, 0, ndrange_1D(l, l), ^(local void *p, local void *r) {
				local int *x = p; x[get_local_id(0)] = get_local_id(0) + 1; ((local int *)r)[0] = i;
				barrier(CLK_LOCAL_MEM_FENCE);
				if (get_local_id(0) == 0) { int s = ((local int *)r)[0]; for (int k = 0; k < l; k++) s += x[k]; out[i] = s; } }, 4u * l, 64u - l);`,
			func(i int) int32 { l := i%7 + 1; return int32(i + l*(l+1)/2) }},
		"structures": {
			`struct { int v[3]; long w; } s = {{i, 2 * i, 3}, 4}; if (i & 1) s.v[2] = i;
			 enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[i] = s.v[0] + s.v[1] + s.v[2] + s.w; });`,
			func(i int) int32 {
				if i&1 == 1 {
					return int32(4*i + 4)
				}
				return int32(3*i + 7)
			}},
		"errors": {
			`out[i] = enqueue_kernel(q, 0, ndrange_1D(1), ^(local void *x) { out[n]++; }, i & 1 ? 0u : 8u);`,
			func(i int) int32 { return int32(-101 * (i & 1)) }},
	} {
		// Kernels that cannot tell groups apart run as if they were one.
		for number, locals := range map[string][]uint64{
			"get_global_id(0)": {0},
			"get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0)": {1, 2, 25, 64},
		} {
			k := f.enqueuing("kernel void parent(global int *out, int n) { queue_t q = get_default_queue(); int i = " + number + ";\n" + c.body + "\n}")
			if settings.Lanes.Value() != 1 {
				require.Greater(t, k.on(f.device).kernel.Info.Width, uint32(1), name)
			}
			for _, local := range locals {
				t.Run(fmt.Sprint(name, ", groups of ", local), func(t *testing.T) {
					f := &fixture{TB: t, device: f.device, ctx: f.ctx, q: f.q, foreign: f.foreign}
					out := f.buffer(8 * n)
					defer out.Release()
					clear(f.bytes(out))
					f.setArgs(k, out, n)
					e, st := f.q.NDRangeKernel(k, &Range{Dims: 1, Global: [3]uint64{n}, HasGlobal: true, Local: [3]uint64{local}, HasLocal: local > 0}, Sync{Event: true})
					require.Equal(t, CL_SUCCESS, st)
					defer e.Release()
					require.Equal(t, hostqueue.Complete, f.status(e))
					for i, got := range f.words(out)[:n] {
						require.Equal(t, c.want(i), got, "work-item %d", i)
					}
				})
			}
		}
	}
}

// TestLanesLearnWhetherTheQueueIsFull: where there is room for some children only, each work-item knows whether its child runs.
func TestLanesLearnWhetherTheQueueIsFull(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	q := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 1<<12)
	defer q.Release()
	const n = 1000
	out := f.buffer(4 * n)
	defer out.Release()
	clear(f.bytes(out))
	k := f.enqueuing(`kernel void parent(global int *out) { int i = get_global_id(0);
		if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[i] |= 1; })) out[i] |= 2; }`)
	require.Equal(t, hostqueue.Complete, f.family(k, n, out))
	count := map[int32]int{}
	for _, v := range f.words(out) {
		count[v]++
	}
	require.Len(t, count, 2)
	require.Equal(t, n, count[1]+count[2], "%v", count)
}
