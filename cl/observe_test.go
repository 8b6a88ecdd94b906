package cl

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"aqueduct/roc/trace"
	"aqueduct/roc/trace/check"

	"github.com/stretchr/testify/require"
)

// TestTimelineOfCommands: kernels, those enqueued by kernels, transfers, callbacks and builds are in it, in their places, with what
// they wait for.
func TestTimelineOfCommands(t *testing.T) {
	withCompiler(t)
	file := filepath.Join(t.TempDir(), "trace.json")
	require.NoError(t, trace.Start(trace.Options{Timeline: file, Limit: 1 << 30}))
	defer trace.Stop()
	f := newFixture(t)
	f.needs("__opencl_c_device_enqueue")
	onDevice := f.deviceQueue(CL_QUEUE_ON_DEVICE_DEFAULT, 1<<20)
	defer onDevice.Release()
	parent := f.enqueuing(`kernel void parent(global int *out) {
		enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64), ^{ out[get_global_id(0)] = 1; }); }`)
	m := f.buffer(4096)
	defer m.Release()
	require.EqualValues(t, CL_SUCCESS, f.family(parent, 1, m))

	other := f.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
	defer other.Release()
	gate := f.ctx.CreateUserEvent()
	defer gate.Release()
	host := make([]byte, 4096)
	var last *Event
	for range 50 {
		wait := Sync{Wait: []*Event{gate}, Event: true}
		if last != nil {
			wait.Wait = append(wait.Wait, last)
		}
		e, st := other.ReadBuffer(m, false, 0, 4096, unsafe.Pointer(&host[0]), wait)
		require.Equal(t, CL_SUCCESS, st)
		if last != nil {
			last.Release()
		}
		last = e
		f.setArgs(parent, m)
		if _, st = f.q.NDRangeKernel(parent, &Range{Dims: 1, Global: [3]uint64{1}, HasGlobal: true}, Sync{}); st != CL_SUCCESS {
			require.Equal(t, CL_SUCCESS, st)
		}
	}
	called := make(chan struct{})
	require.Equal(t, CL_SUCCESS, last.SetCallback(CL_COMPLETE, func(int32) { close(called) }))
	waited := make(chan struct{})
	go func() {
		other.Finish()
		close(waited)
	}()
	f.eventually(func() bool {
		stacks := make([]byte, 1<<20)
		return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "hostqueue.(*Queue).await(")
	}, "a thread that waits")
	require.Equal(t, CL_SUCCESS, gate.SetUserStatus(CL_COMPLETE))
	f.within("the end of the commands", func() {
		<-waited
		f.q.Finish()
		<-called
	})
	last.Release()
	trace.Stop()

	text, err := os.ReadFile(file)
	require.NoError(t, err)
	events, err := check.Timeline(text)
	require.NoError(t, err)
	count := map[string]int{}
	for _, e := range events {
		phase, name := e["ph"].(string), e["name"].(string)
		count[phase+" "+name]++
		if args, _ := e["args"].(map[string]any); phase == "X" && e["pid"] == 1.0 && name == "parent" {
			require.Equal(t, "1", args["global size"])
			require.Equal(t, "the driver", args["local size chosen by"])
			require.Contains(t, []any{"flush", "wait", "event", "foreign", "size", "idle"}, args["batch cut by"])
		}
	}
	require.Equal(t, 50, count["X read buffer"])
	require.Equal(t, 2*51, count["X parent"], "in its queue, and on the thread that ran it")
	require.Equal(t, 51, count["b parent"])
	require.Equal(t, 49, count["s waits for"])
	require.Equal(t, 49, count["f waits for"])
	require.NotZero(t, count["X batch"])
	require.NotZero(t, count["X finish"])
}
