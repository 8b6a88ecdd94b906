package cl

import (
	"maps"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// scratch is where the queries of askEvery answer: no stack, which may move while only an Addr knows where.
var scratch [1 << 16]byte

// askEvery asks for every parameter of a table, and for some that are none: the size alone, exactly, with more room, one byte
// short, and nowhere. A parameter that an object has no answer for has the same error however it is asked.
func askEvery[T any](t *testing.T, name string, table Table[T], get func(param uint32, out Out) Status) {
	at := Addr(uintptr(unsafe.Pointer(&scratch[0])))
	var size uintptr
	ask := func(param uint32, out Out, sized bool) Status {
		for i := range scratch {
			scratch[i] = 0xAB
		}
		if sized {
			out.SizeRet = at + Addr(len(scratch)-8)
		}
		st := get(param, out)
		if sized && st == CL_SUCCESS {
			size = *(*uintptr)(out.SizeRet.Pointer())
		}
		return st
	}
	for _, param := range slices.Sorted(maps.Keys(table)) {
		st := ask(param, Out{}, true)
		if st != CL_SUCCESS {
			require.Equal(t, st, ask(param, Out{Value: at, Size: 1 << 15}, false), "%s, parameter %#x, in place", name, param)
			require.Equal(t, st, ask(param, Out{}, false), "%s, parameter %#x, nowhere", name, param)
			continue
		}
		require.Less(t, size, uintptr(1<<15), "%s, parameter %#x", name, param)
		alone := size
		require.Equal(t, CL_SUCCESS, ask(param, Out{}, false), "%s, parameter %#x, nowhere", name, param)
		require.Equal(t, CL_SUCCESS, ask(param, Out{Value: at, Size: alone}, true), "%s, parameter %#x, exactly", name, param)
		require.Equal(t, alone, size, "%s, parameter %#x, says another size with the value", name, param)
		require.EqualValues(t, 0xAB, scratch[size], "%s, parameter %#x, writes beyond", name, param)
		require.Equal(t, CL_SUCCESS, ask(param, Out{Value: at, Size: alone + 7}, false), "%s, parameter %#x, with more room", name, param)
		if alone > 0 {
			require.Equal(t, CL_INVALID_VALUE, ask(param, Out{Value: at, Size: alone - 1}, false), "%s, parameter %#x, one byte short", name, param)
			require.EqualValues(t, 0xAB, scratch[0], "%s, parameter %#x, writes what does not fit", name, param)
		}
	}
	for _, unknown := range []uint32{0, 1, 0x0899, 0x7FFFFFFF, 0xFFFFFFFF} {
		require.Equal(t, CL_INVALID_VALUE, ask(unknown, Out{Value: at, Size: 1 << 15}, false), "%s, parameter %#x", name, unknown)
	}
}

func TestEveryParameterOfEveryQuery(t *testing.T) {
	f := newFixture(t, CL_QUEUE_PROFILING_ENABLE)
	askEvery(t, "platform", platformInfo, f.device.platform.Info)
	askEvery(t, "device", deviceInfo, f.device.Info)
	askEvery(t, "context", contextInfo, f.ctx.Info)
	askEvery(t, "queue", queueInfo, f.q.Info)

	m := f.buffer(512)
	defer m.Release()
	part := f.sub(m, 128, 128)
	defer part.Release()
	askEvery(t, "buffer", memInfo, m.Info)
	askEvery(t, "sub-buffer", memInfo, part.Info)
	if f.has("__opencl_c_images") {
		pixels, st := f.ctx.CreateImage(nil, 0, &ImageFormat{Order: CL_RGBA, Type: CL_FLOAT}, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 4, Height: 4}, nil)
		require.Equal(t, CL_SUCCESS, st)
		defer pixels.Release()
		askEvery(t, "image as memory", memInfo, pixels.Info)
		askEvery(t, "image", imageInfo, pixels.ImageInfo)
		s, st := f.ctx.CreateSampler(nil)
		require.Equal(t, CL_SUCCESS, st)
		defer s.Release()
		askEvery(t, "sampler", samplerInfo, s.Info)
	}

	p := f.program(addSource)
	defer p.Release()
	unbuilt := f.ctx.CreateProgramWithSource([]string{addSource})
	defer unbuilt.Release()
	for name, p := range map[string]*Program{"program": p, "unbuilt program": unbuilt} {
		askEvery(t, name, programInfo, p.Info)
		askEvery(t, name+"'s build", buildInfo, func(param uint32, out Out) Status { return p.BuildInfo(f.device, param, out) })
	}
	require.Equal(t, CL_INVALID_DEVICE, p.BuildInfo(&Device{}, CL_PROGRAM_BUILD_STATUS, Out{}))
	k := f.kernel(p, "add")
	defer k.Release()
	askEvery(t, "kernel", kernelInfo, k.Info)
	askEvery(t, "work-group", workGroupInfo, func(param uint32, out Out) Status { return k.WorkGroupInfo(nil, param, out) })
	ofRange := Table[struct{}]{CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE: nil, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: nil}
	alone := Table[struct{}]{CL_KERNEL_MAX_NUM_SUB_GROUPS: nil, CL_KERNEL_COMPILE_NUM_SUB_GROUPS: nil}
	if f.has("__opencl_c_subgroups") {
		askEvery(t, "sub-groups of a range", ofRange, func(param uint32, out Out) Status { return k.SubGroupInfo(f.device, param, []uint64{8, 4}, out) })
		askEvery(t, "sub-groups", alone, func(param uint32, out Out) Status { return k.SubGroupInfo(nil, param, nil, out) })
	}
	askEvery(t, "argument", argInfo, func(param uint32, out Out) Status { return k.ArgInfo(1, param, out) })
	require.Equal(t, CL_INVALID_ARG_INDEX, k.ArgInfo(2, CL_KERNEL_ARG_NAME, Out{}))
	require.Equal(t, CL_INVALID_DEVICE, k.WorkGroupInfo(&Device{}, CL_KERNEL_WORK_GROUP_SIZE, Out{}))

	e, st := f.q.EnqueueMarker(Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	defer e.Release()
	require.EqualValues(t, CL_COMPLETE, f.status(e))
	askEvery(t, "event", eventInfo, e.Info)
	askEvery(t, "profiled event", profilingInfo, e.ProfilingInfo)
	user := f.ctx.CreateUserEvent()
	defer user.Release()
	askEvery(t, "user event", eventInfo, user.Info)
	require.Equal(t, CL_PROFILING_INFO_NOT_AVAILABLE, user.ProfilingInfo(CL_PROFILING_COMMAND_END, Out{}))

	if !f.has("cl_intel_unified_shared_memory") {
		return
	}
	usm, st := f.ctx.HostMemAlloc(nil, 64, 0)
	require.Equal(t, CL_SUCCESS, st)
	askEvery(t, "allocation", memAllocInfo, func(param uint32, out Out) Status { return f.ctx.MemAllocInfo(usm, param, out) })
	require.Equal(t, CL_SUCCESS, f.ctx.MemFree(usm, false))
}
