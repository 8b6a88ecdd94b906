package cl

import (
	"encoding/binary"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"aqueduct/hostqueue"

	"github.com/stretchr/testify/require"
)

const onDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE

// deviceQueue creates an on-device queue for the length of the test.
func (f *fixture) deviceQueue(bits uint64, size uint64) *Queue {
	f.Helper()
	q, st := f.ctx.CreateQueue(f.device, []uint64{CL_QUEUE_PROPERTIES, onDevice | bits, CL_QUEUE_SIZE, size, 0})
	require.Equal(f, CL_SUCCESS, st)
	return q
}

// enqueuing builds a program of OpenCL C 3.0 and returns its kernel "parent".
func (f *fixture) enqueuing(source string, options ...string) *Kernel {
	f.Helper()
	p := f.program(source, append(options, "-cl-std=CL3.0")...)
	f.Cleanup(func() { p.Release() })
	k := f.kernel(p, "parent")
	f.Cleanup(func() { k.Release() })
	return k
}

// setArgs gives a kernel its arguments: buffers, on-device queues and numbers.
func (f *fixture) setArgs(k *Kernel, args ...any) {
	f.Helper()
	for i, a := range args {
		var v Arg
		switch a := a.(type) {
		case *Mem:
			v.Mem = a
		case *Queue:
			v.Queue = a
		case int:
			v.Bytes = binary.NativeEndian.AppendUint32(nil, uint32(a))
		}
		require.Equal(f, CL_SUCCESS, k.SetArg(uint32(i), v))
	}
}

// family runs a kernel of n work-items to the end of the last descendant, and returns its status.
func (f *fixture) family(k *Kernel, n uint64, args ...any) hostqueue.Status {
	f.Helper()
	f.setArgs(k, args...)
	e, st := f.q.NDRangeKernel(k, &Range{Dims: 1, Global: [3]uint64{n}, HasGlobal: true}, Sync{Event: true})
	require.Equal(f, CL_SUCCESS, st)
	defer e.Release()
	return f.status(e)
}

// words are what is in m.
func (f *fixture) words(m *Mem) []int32 {
	return unsafe.Slice((*int32)(m.store.Ptr), m.size/4)
}

// TestEnqueuedKernels: each program leaves in out what the rules of OpenCL C 3.0 section 6.15.18 say.
func TestEnqueuedKernels(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	q := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 8<<20)
	defer q.Release()
	const q0 = "queue_t q = get_default_queue();\n"
	for name, c := range map[string]struct {
		body    string
		options string
		want    []int32
	}{
		"a child of several work-groups": {
			`enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10, 1000, 64), ^{
				atomic_add(&out[0], get_global_id(0)); atomic_max(&out[1], get_group_id(0)); if (get_local_size(0) == 40) out[2] = get_group_id(0); });`,
			"", []int32{509500, 15, 15}},
		"a child that waits for its parent": {
			`enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[0] += 1; out[1] = out[0]; });
			 out[0] = 41;`, "", []int32{42, 42}},
		"local memory of run-time sizes": {
			`enqueue_kernel(q, 0, ndrange_1D(8, 8), ^(local void *a, local void *b) {
				local int *x = a, *y = b; uint l = get_local_id(0);
				x[l] = l; y[l] = 10 * l; barrier(CLK_LOCAL_MEM_FENCE);
				if (l == 0) { int s = 0; for (int i = 0; i < 8; i++) s += x[i] + y[i]; out[0] = s; out[1] = (local char *)y - (local char *)x; } }, 32u, 64u);`,
			"", []int32{308, 128}},
		"events order": {
			`clk_event_t e, m; out[0] = 1;
			 enqueue_kernel(q, 0, ndrange_1D(1), 0, 0, &e, ^{ out[0] *= 2; });
			 enqueue_marker(q, 1, &e, &m);
			 enqueue_kernel(q, 0, ndrange_1D(1), 1, &m, 0, ^{ out[0] += 3; });
			 release_event(e); release_event(m);`, "", []int32{5}},
		"a user event": {
			`clk_event_t u = create_user_event(); out[2] = is_valid_event(u); out[3] = is_valid_event(CLK_NULL_EVENT);
			 enqueue_kernel(q, 0, ndrange_1D(1), 1, &u, 0, ^{ out[0] = out[1]; });
			 out[1] = 9; set_user_event_status(u, CL_COMPLETE); release_event(u);`, "", []int32{9, 9, 1, 0}},
		"a failed user event": {
			`clk_event_t u = create_user_event(), e;
			 enqueue_kernel(q, 0, ndrange_1D(1), 1, &u, &e, ^{ out[0] = 1; });
			 enqueue_kernel(q, 0, ndrange_1D(1), 1, &e, 0, ^{ out[1] = 1; });
			 enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[2] = 1; });
			 set_user_event_status(u, -7); release_event(u); release_event(e);`, "", []int32{0, 0, 1}},
		"a parent's event waits for children": {
			`clk_event_t e;
			 enqueue_kernel(q, 0, ndrange_1D(1), 0, 0, &e, ^{
				enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[0] = 6; }); });
			 enqueue_kernel(q, 0, ndrange_1D(1), 1, &e, 0, ^{ out[1] = out[0]; });
			 release_event(e);`, "", []int32{6, 6}},
		"profiling": {
			`clk_event_t e; global ulong *t = (global ulong *)(out + 4);
			 enqueue_kernel(q, 0, ndrange_1D(1), 0, 0, &e, ^{ enqueue_kernel(q, 0, ndrange_1D(1), ^{}); });
			 capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, t);
			 enqueue_kernel(q, 0, ndrange_1D(1), 1, &e, 0, ^{ out[0] = t[0] > 0; out[1] = t[1] >= t[0]; });
			 release_event(e);`, "", []int32{1, 1}},
		"large captures": {
			`struct { int v[200]; } s; for (int i = 0; i < 200; i++) s.v[i] = i;
			 enqueue_kernel(q, 0, ndrange_1D(200), ^{ atomic_add(&out[0], s.v[get_global_id(0)]); });`, "", []int32{19900}},
		"an empty range": {
			`clk_event_t e; out[0] = enqueue_kernel(q, 0, ndrange_1D(0), 0, 0, &e, ^{ out[1] = 1; });
			 enqueue_kernel(q, 0, ndrange_1D(1), 1, &e, 0, ^{ out[2] = 1; }); release_event(e);`, "", []int32{0, 0, 1}},
		"errors without -g": {
			`clk_event_t e; out[0] = enqueue_kernel(__builtin_astype(0ul, queue_t), 0, ndrange_1D(1), ^{ out[3] = 1; });
			 out[1] = enqueue_kernel(q, 0, ndrange_1D(1), 1, 0, &e, ^{ out[3] = 1; });
			 out[2] = enqueue_kernel(q, 0, ndrange_1D(1), ^(local void *x) { out[3] = 1; }, 0u);`, "", []int32{-101, -101, -101, 0}},
		"errors with -g": {
			`clk_event_t e = CLK_NULL_EVENT; out[0] = enqueue_kernel(__builtin_astype(0ul, queue_t), 0, ndrange_1D(1), ^{ out[6] = 1; });
			 out[1] = enqueue_kernel(q, 0, ndrange_1D(1), 1, 0, &e, ^{ out[6] = 1; });
			 out[2] = enqueue_kernel(q, 0, ndrange_1D(1), ^(local void *x) { out[6] = 1; }, 0u);
			 out[3] = enqueue_kernel(q, 0, ndrange_1D(1 << 20, 1 << 20), ^{ out[6] = 1; });
			 out[4] = enqueue_kernel(q, 0, ndrange_1D(1), 1, &e, 0, ^{ out[6] = 1; });
			 out[5] = enqueue_kernel(q, 0, ndrange_1D(1), ^(local void *x) { out[6] = 1; }, 1u << 30);`,
			"-g", []int32{-102, -57, -51, -160, -57, -5, 0}},
		"blocks called through variables": {
			`int (^twice)(int) = ^(int x) { return 2 * x; }; 
			 out[0] = twice(twice(10)) + 1;`, "", []int32{41}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fixture{TB: t, device: f.device, ctx: f.ctx, q: f.q, foreign: f.foreign}
			out := f.buffer(64)
			defer out.Release()
			clear(f.bytes(out))
			k := f.enqueuing("kernel void parent(global int *out) {\n"+q0+c.body+"\n}", c.options)
			require.Equal(t, hostqueue.Complete, f.family(k, 1, out))
			require.Equal(t, c.want, f.words(out)[:len(c.want)])
		})
	}
}

const chainSource = `
kernel void parent(global int *out, int n, queue_t a, queue_t b) {
	out[0]++;
	if (n > 1 && enqueue_kernel(n & 1 ? a : b, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ parent(out, n - 1, a, b); }))
		out[1]++;
}`

// TestLongChain: a chain of kernels takes no more room than one of them, on a stack or in a queue.
func TestLongChain(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	a, b := f.deviceQueue(0, 16<<10), f.deviceQueue(0, 16<<10)
	defer a.Release()
	defer b.Release()
	out := f.buffer(8)
	defer out.Release()
	clear(f.bytes(out))
	k := f.enqueuing(chainSource)
	f.setArgs(k, out, 10000, a, b)
	require.Equal(t, hostqueue.Complete, f.family(k, 1, out, 10000, a, b))
	require.Equal(t, []int32{10000, 0}, f.words(out))
}

// TestFullQueue: "CLK_ENQUEUE_FAILURE [...] if queue is full"; those that were accepted run.
func TestFullQueue(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	q := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 64<<10)
	defer q.Release()
	out := f.buffer(16)
	defer out.Release()
	clear(f.bytes(out))
	k := f.enqueuing(`kernel void parent(global int *out) {
		for (int i = 0; i < 1000; i++) {
			int e = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ atomic_inc(&out[2]); });
			if (e) { out[0]++; out[1] = e; } else out[3]++;
		}
	}`, "-g")
	for range 3 { // what one launch took is there for the next
		clear(f.bytes(out))
		require.Equal(t, hostqueue.Complete, f.family(k, 1, out))
		require.Equal(t, []int32{872, -161, 128, 128}, f.words(out))
	}
}

// TestNoDefaultQueue: a kernel finds out that there is none, and an on-device queue that is gone is no argument.
func TestNoDefaultQueue(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	out := f.buffer(16)
	defer out.Release()
	k := f.enqueuing(`kernel void parent(global int *out) {
		out[0] = is_valid_event(create_user_event());
		out[1] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[2] = 1; });
	}`)
	clear(f.bytes(out))
	require.Equal(t, hostqueue.Complete, f.family(k, 1, out))
	require.Equal(t, []int32{-101, 0}, f.words(out)[1:3])

	chain := f.enqueuing(chainSource)
	q := f.deviceQueue(0, 16<<10)
	f.setArgs(chain, out, 2, q, q)
	q.Release()
	_, st := f.q.NDRangeKernel(chain, &Range{Dims: 1, Global: [3]uint64{1}, HasGlobal: true}, Sync{})
	require.Equal(t, CL_INVALID_KERNEL_ARGS, st)
}

// TestUserEventOfAnotherFamily: a family that waits for a user event keeps nobody busy and nobody from going on; a kernel of another
// command may give the event its status, and both commands end.
func TestUserEventOfAnotherFamily(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	q := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 1<<20)
	defer q.Release()
	out, event := f.buffer(16), f.buffer(8)
	defer out.Release()
	defer event.Release()
	waits := f.enqueuing(`kernel void parent(global int *out, global ulong *event) {
		clk_event_t u = create_user_event();
		*event = *(private ulong *)&u;
		enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &u, 0, ^{ out[0] = 1; });
	}`)
	sets := f.enqueuing(`kernel void parent(global int *out, global ulong *event, int status) {
		ulong e = *event;
		clk_event_t u = *(private clk_event_t *)&e;
		set_user_event_status(u, status);
		set_user_event_status(u, -8); // it has one
		release_event(u);
		enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[1]++; });
	}`)
	goesOn := f.queue(0)
	defer goesOn.Release()
	asleep := regexp.MustCompile(`agent: (\d+) workers, (\d+) asleep`)
	for _, status := range []int{0, -7} {
		clear(f.bytes(out))
		f.setArgs(waits, out, event)
		e, st := goesOn.NDRangeKernel(waits, &Range{Dims: 1, Global: [3]uint64{1}, HasGlobal: true}, Sync{Event: true})
		require.Equal(t, CL_SUCCESS, st)
		goesOn.Flush()
		var dump string
		require.Eventually(t, func() bool {
			dump = f.device.Dump()
			n := asleep.FindStringSubmatch(dump)
			return strings.Contains(dump, "1 wait for user events that no kernel has given a status") && n[1] == n[2]
		}, time.Minute, time.Millisecond, "%s", &dump)
		require.Equal(t, hostqueue.Complete, f.family(sets, 1, out, event, status))
		require.Equal(t, hostqueue.Complete, f.status(e))
		require.Equal(t, []int32{int32(1 + status/7), 1}, f.words(out)[:2])
		e.Release()
	}
}

// TestTrapInChild: the command of the host fails, with a reason, and the next one runs.
func TestTrapInChild(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	q := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 1<<20)
	defer q.Release()
	out := f.buffer(16)
	defer out.Release()
	k := f.enqueuing(`kernel void parent(global int *out, int bad) {
		enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
			if (bad) *(global volatile int *)(ulong)8 = 1;
			enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[0]++; });
		});
	}`)
	clear(f.bytes(out))
	for _, bad := range []int{0, 1, 0} {
		want := hostqueue.Complete
		if bad != 0 {
			want = hostqueue.ErrOutOfResources
		}
		require.Equal(t, want, f.family(k, 1, out, bad))
	}
	require.EqualValues(t, 2, f.words(out)[0])
}

// TestDefaultDeviceQueue: there is one at most, which can be replaced, and a host command is no business of its.
func TestDefaultDeviceQueue(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	is := func(want *Queue) {
		t.Helper()
		h, st := answerOf(func(o Out) Status { return f.q.Info(CL_QUEUE_DEVICE_DEFAULT, o) })
		require.Equal(t, CL_SUCCESS, st)
		if want == nil {
			require.Zero(t, h)
		} else {
			require.EqualValues(t, want.Handle(), h)
		}
	}
	is(nil)
	a := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 16<<10)
	a.SetHandle(1)
	is(a)
	again := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 64<<10)
	require.Same(t, a, again)
	require.EqualValues(t, 2, a.References())
	b := f.deviceQueue(0, 20000)
	b.SetHandle(2)
	size, st := answerOf(func(o Out) Status { return b.Info(CL_QUEUE_SIZE, o) })
	require.Equal(t, CL_SUCCESS, st)
	require.EqualValues(t, 20000, size)
	require.Equal(t, CL_SUCCESS, f.ctx.SetDefaultDeviceQueue(f.device, b))
	is(b)
	require.Equal(t, CL_INVALID_COMMAND_QUEUE, f.ctx.SetDefaultDeviceQueue(f.device, nil))
	b.SetHandle(0)
	b.Release()
	is(nil)
	a.SetHandle(0)
	a.Release()
	a.Release()
	require.Equal(t, KindDeviceQueue, a.Kind())
}

// TestMostDeviceQueues: there are as many as CL_DEVICE_MAX_ON_DEVICE_QUEUES says beside a default one, and one that is released
// makes room.
func TestMostDeviceQueues(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	most, st := answerOf(func(o Out) Status { return f.device.Info(CL_DEVICE_MAX_ON_DEVICE_QUEUES, o) })
	require.Equal(t, CL_SUCCESS, st)
	queues := []*Queue{f.deviceQueue(0, 16<<10), f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 16<<10)}
	for range most - 1 {
		queues = append(queues, f.deviceQueue(0, 16<<10))
	}
	full := func() Status {
		q, st := f.ctx.CreateQueue(f.device, []uint64{CL_QUEUE_PROPERTIES, onDevice, 0})
		if q != nil {
			queues = append(queues, q)
		}
		return st
	}
	require.Equal(t, CL_OUT_OF_RESOURCES, full())
	queues[0].Release()
	queues = queues[1:]
	require.Equal(t, CL_SUCCESS, full())
	require.Equal(t, CL_OUT_OF_RESOURCES, full())
	for _, q := range queues {
		q.Release()
	}
}

const childrenSource = `
kernel void parent(global int *out, int n) {
	for (int i = 0; i < n; i++)
		if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ atomic_inc(&out[0]); }))
			out[1]++;
}`

// TestManyChildren: a hundred thousand from one parent, again and again in the same memory: the queue is empty in between, and
// the process does not grow.
func TestManyChildren(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	q := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 52<<20)
	defer q.Release()
	out := f.buffer(8)
	defer out.Release()
	k := f.enqueuing(childrenSource)
	before := uint64(0)
	for round := range 11 {
		clear(f.bytes(out))
		require.Equal(t, hostqueue.Complete, f.family(k, 1, out, 100000))
		require.Equal(t, []int32{100000, 0}, f.words(out))
		if round == 0 { // which has touched all there is
			before = heap()
		}
	}
	require.Less(t, heap(), before+1<<20)
}

// heap is how many bytes of Go's heap are alive.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkChildren is a parent that enqueues a hundred thousand children of one work-item: nanoseconds a child, beside those
// of the same kernel enqueued by the host.
func BenchmarkChildren(b *testing.B) {
	withCompiler(b)
	f := newFixture(b)
	f.needs("__opencl_c_device_enqueue")
	q := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 52<<20)
	defer q.Release()
	out := f.buffer(8)
	defer out.Release()
	const n = 100000
	one := &Range{Dims: 1, Global: [3]uint64{1}, HasGlobal: true, Local: [3]uint64{1}, HasLocal: true}
	launch := func(k *Kernel, times int) {
		for range times {
			_, st := f.q.NDRangeKernel(k, one, Sync{})
			require.Equal(b, CL_SUCCESS, st)
		}
		f.q.Finish()
	}
	device := f.enqueuing(childrenSource)
	f.setArgs(device, out, n)
	host := f.enqueuing("kernel void parent(global int *out) { atomic_inc(&out[0]); }")
	f.setArgs(host, out)
	for name, run := range map[string]func(){"device": func() { launch(device, 1) }, "host": func() { launch(host, n) }} {
		b.Run(name, func(b *testing.B) {
			run()
			before := processorTime(b)
			for b.Loop() {
				run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/child")
			b.ReportMetric(float64((processorTime(b)-before).Nanoseconds())/float64(b.N)/n, "cpu-ns/child")
		})
	}
}

// processorTime is what the process has used, all of its threads together.
func processorTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
