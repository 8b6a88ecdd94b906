package cl

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExhaustedMemoryIsAnError: address space is asked for and never touched, until there is no more of it; then each way to ask
// has its own error, and all is well once some is given back.
func TestExhaustedMemoryIsAnError(t *testing.T) {
	f := newFixture(t)
	var told []string
	ctx, st := ThePlatform().CreateContext(nil, []*Device{f.device}, func(text string) { told = append(told, text) })
	require.Equal(t, CL_SUCCESS, st)
	size := f.device.roc.Info().MaxAlloc
	var all []*Mem
	for st == CL_SUCCESS {
		var m *Mem
		if m, st = ctx.CreateBuffer(nil, 0, size, nil); st == CL_SUCCESS {
			all = append(all, m)
		}
		require.Less(t, len(all), 64, "memory has an end")
	}
	require.Equal(t, CL_MEM_OBJECT_ALLOCATION_FAILURE, st)
	require.NotEmpty(t, all)

	if f.device.roc.Info().CPU { // GPUs have shared virtual memory elsewhere than their buffers
		require.Zero(t, ctx.SVMAlloc(0, size, 0))
		require.Len(t, told, 1)
	}
	if f.has("cl_ext_buffer_device_address") {
		_, st = ctx.CreateBuffer([]uint64{CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0}, 0, size, nil)
		require.Equal(t, CL_MEM_OBJECT_ALLOCATION_FAILURE, st)
	}
	if f.has("cl_intel_unified_shared_memory") {
		_, st = ctx.HostMemAlloc(nil, size, 0)
		require.Equal(t, CL_OUT_OF_RESOURCES, st)
		require.Len(t, told, 2)
	}
	for _, text := range told {
		require.NotContains(t, strings.TrimSpace(text), "\n")
	}
	q, st := ctx.CreateQueue(f.device, nil)
	require.Equal(t, CL_SUCCESS, st)
	e, st := q.FillBuffer(all[0], []byte{1}, 0, 64, Sync{Event: true})
	require.Equal(t, CL_SUCCESS, st)
	require.EqualValues(t, CL_COMPLETE, f.status(e), "what is there can be used")
	e.Release()
	q.Release()
	for _, m := range all {
		require.Equal(t, CL_SUCCESS, m.Release())
	}
	f.eventually(func() bool {
		m, st := ctx.CreateBuffer(nil, 0, size, nil)
		if st == CL_SUCCESS {
			m.Release()
		}
		return st == CL_SUCCESS
	}, "room again")
	require.Equal(t, CL_SUCCESS, ctx.Release())
}
