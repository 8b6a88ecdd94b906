package cl

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestContextProperties(t *testing.T) {
	p := ThePlatform()
	platform := uint64(p.Handle())
	for name, c := range map[string]struct {
		properties []uint64
		want       Status
	}{
		"none":           {nil, CL_SUCCESS},
		"empty":          {[]uint64{0}, CL_SUCCESS},
		"platform":       {[]uint64{CL_CONTEXT_PLATFORM, platform, 0}, CL_SUCCESS},
		"user sync":      {[]uint64{CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0}, CL_SUCCESS},
		"other platform": {[]uint64{CL_CONTEXT_PLATFORM, platform + 1, 0}, CL_INVALID_PLATFORM},
		"no bool":        {[]uint64{CL_CONTEXT_INTEROP_USER_SYNC, 2, 0}, CL_INVALID_PROPERTY},
		"unknown":        {[]uint64{0x7777, 0, 0}, CL_INVALID_PROPERTY},
		"GL":             {[]uint64{CL_GL_CONTEXT_KHR, 0, 0}, CL_INVALID_PROPERTY},
		"twice":          {[]uint64{CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_PLATFORM, platform, 0}, CL_INVALID_PROPERTY},
	} {
		c1, st := p.CreateContext(c.properties, p.Devices(), nil)
		require.Equal(t, c.want, st, name)
		c2, st := p.CreateContextFromType(c.properties, CL_DEVICE_TYPE_ALL, nil)
		require.Equal(t, c.want, st, name)
		if c.want == CL_SUCCESS {
			require.Equal(t, c.properties, c1.properties)
			c1.Release()
			c2.Release()
		}
	}
	_, st := p.CreateContext(nil, nil, nil)
	require.Equal(t, CL_INVALID_VALUE, st)
}

func TestDeviceTypes(t *testing.T) {
	p := ThePlatform()
	kind := p.Devices()[0].kind
	for _, c := range []struct {
		kind uint64
		want Status
	}{
		{CL_DEVICE_TYPE_ALL, CL_SUCCESS}, {CL_DEVICE_TYPE_DEFAULT, CL_SUCCESS}, {kind, CL_SUCCESS},
		{kind | CL_DEVICE_TYPE_ACCELERATOR, CL_SUCCESS}, {CL_DEVICE_TYPE_CUSTOM, CL_DEVICE_NOT_FOUND},
		{0, CL_INVALID_DEVICE_TYPE}, {1 << 20, CL_INVALID_DEVICE_TYPE}, {kind | 1<<40, CL_INVALID_DEVICE_TYPE},
	} {
		_, st := p.DeviceIDs(c.kind)
		require.Equal(t, c.want, st, "%#x", c.kind)
	}
}

func TestContextDestructorsRunLastRegisteredFirst(t *testing.T) {
	f := newFixture(t)
	ctx, st := ThePlatform().CreateContext(nil, []*Device{f.device, f.device}, nil)
	require.Equal(t, CL_SUCCESS, st)
	require.Len(t, ctx.devices, 1, "duplicate devices are ignored")
	order := make(chan int, 3)
	for i := range 3 {
		ctx.SetDestructorCallback(func() { order <- i })
	}
	e := ctx.CreateUserEvent()
	ctx.Release()
	require.Empty(t, order, "an event still uses the context")
	e.Release()
	f.within("the destructors", func() {
		for i := range 3 {
			require.Equal(t, 2-i, <-order)
		}
	})
}

func TestErrorsReachTheContextOfTheirObject(t *testing.T) {
	var said []string
	ctx, st := ThePlatform().CreateContext(nil, ThePlatform().Devices(), func(text string) { said = append(said, text) })
	require.Equal(t, CL_SUCCESS, st)
	defer ctx.Release()
	q, st := ctx.CreateQueue(ctx.devices[0], nil)
	require.Equal(t, CL_SUCCESS, st)
	defer q.Release()
	e := ctx.CreateUserEvent()
	defer e.Release()
	NotifyError(&ctx.Object, "context")
	NotifyError(&q.Object, "queue")
	NotifyError(&e.Object, "event")
	NotifyError(&ThePlatform().Object, "platform")
	require.Equal(t, []string{"context", "queue", "event"}, said)
}

func TestDeviceClaimsWhatOpenCL3Asks(t *testing.T) {
	d := ThePlatform().Devices()[0]
	value := func(param uint32) []byte {
		v := deviceInfo[param](d)
		require.Equal(t, CL_SUCCESS, v.status)
		return v.data
	}
	uint32s := func(param uint32) uint64 {
		b := value(param)
		var n uint64
		for i, c := range b {
			n |= uint64(c) << (8 * i)
		}
		return n
	}
	// Minimum values of the full profile (OpenCL API 3.0 section 4.2, device queries).
	minima := map[uint32]uint64{
		CL_DEVICE_MAX_COMPUTE_UNITS: 1, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: 3, CL_DEVICE_MAX_WORK_GROUP_SIZE: 1,
		CL_DEVICE_MAX_PARAMETER_SIZE: 1024, CL_DEVICE_MEM_BASE_ADDR_ALIGN: 1024, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: 64 << 10,
		CL_DEVICE_MAX_CONSTANT_ARGS: 8, CL_DEVICE_LOCAL_MEM_SIZE: 32 << 10, CL_DEVICE_PRINTF_BUFFER_SIZE: 1 << 20,
		CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: 1,
		CL_DEVICE_MAX_MEM_ALLOC_SIZE:                 min(1<<30, max(uint32s(CL_DEVICE_GLOBAL_MEM_SIZE)/4, 32<<20)),
		CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:          1, CL_DEVICE_MAX_CLOCK_FREQUENCY: 1,
	}
	withImages := map[uint32]uint64{
		CL_DEVICE_MAX_READ_IMAGE_ARGS: 128, CL_DEVICE_MAX_WRITE_IMAGE_ARGS: 64, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS: 64,
		CL_DEVICE_IMAGE2D_MAX_WIDTH: 16384, CL_DEVICE_IMAGE2D_MAX_HEIGHT: 16384, CL_DEVICE_IMAGE3D_MAX_WIDTH: 2048,
		CL_DEVICE_IMAGE3D_MAX_HEIGHT: 2048, CL_DEVICE_IMAGE3D_MAX_DEPTH: 2048, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE: 65536,
		CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: 2048, CL_DEVICE_MAX_SAMPLERS: 16,
	}
	withEnqueue := map[uint32]uint64{
		CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES: CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT,
		CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
		CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:    256 << 10, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE: 16 << 10,
		CL_DEVICE_MAX_ON_DEVICE_QUEUES: 4, CL_DEVICE_MAX_ON_DEVICE_EVENTS: 1024,
	}
	if uint32s(CL_DEVICE_IMAGE_SUPPORT) != 0 {
		maps.Copy(minima, withImages)
	}
	if uint32s(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0 {
		maps.Copy(minima, withEnqueue)
	}
	if slices.Contains(d.CompilerExtensions(), "__opencl_c_program_scope_global_variables") {
		minima[CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE] = 64 << 10
	}
	for param, least := range minima {
		require.GreaterOrEqual(t, uint32s(param), least, "parameter %#x", param)
	}
	require.EqualValues(t, CL_FP_INF_NAN|CL_FP_ROUND_TO_NEAREST, uint32s(CL_DEVICE_SINGLE_FP_CONFIG)&(CL_FP_INF_NAN|CL_FP_ROUND_TO_NEAREST))
	// "This query must return CL_TRUE for devices that support the cl_khr_subgroups extension"
	if d.hasExtension("cl_khr_subgroups") {
		require.EqualValues(t, CL_TRUE, uint32s(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS))
		require.Equal(t, d.subGroups(uint32s(CL_DEVICE_MAX_WORK_GROUP_SIZE)), uint32s(CL_DEVICE_MAX_NUM_SUB_GROUPS))
	}
	for _, name := range d.CompilerExtensions() {
		require.Regexp(t, `^(cl_khr_|cl_ext_|cl_intel_|__opencl_c_)\w+$`, name)
		require.Regexp(t, `^(cl_(khr|ext|intel)_|__opencl_c_)\w+$`, name)
	}
}
