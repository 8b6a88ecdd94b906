package roc

import (
	"testing"
	"unsafe"

	"aqueduct/roc/hsa"

	"github.com/stretchr/testify/require"
)

// On an agent that shares the host's memory and caches fences change nothing, so only this test knows if one is missing.
func TestFencesReachWhoeverLooks(t *testing.T) {
	const done = hsa.Signal(64)
	for _, c := range []struct {
		name       string
		completion hsa.Signal
		release    hsa.Scope
	}{
		{"what the host waits for is written back for it", done, hsa.ScopeSystem},
		{"the rest is written back for the agent", 0, hsa.ScopeAgent},
	} {
		t.Run(c.name, func(t *testing.T) {
			var packets tape
			w := encoder{queue: &packets, barrier: true}
			w.wait(nil, c.completion)
			w.blit(&Device{}, hsa.BlitCopy, nil, 1, c.completion)
			w.dispatch(&Dispatch{Kernel: &Kernel{}, Args: &Kernarg{}, Dims: 1}, nil, [3]uint64{1, 1, 1}, c.completion)
			require.Len(t, packets, 3)
			for i := range packets {
				header := uint16(packets[i][0])
				want := hsa.Header(hsa.Type(header), true, hsa.ScopeSystem, c.release)
				require.Equal(t, want, header, "packet %d", i)
				require.Equal(t, c.completion, (*hsa.KernelDispatchPacket)(unsafe.Pointer(&packets[i])).Completion, "packet %d", i)
			}
		})
	}
}

// Slots of a ring are used again: what their last packets had where the next ones have reserved fields must not stay.
func TestReservedFieldsOfPacketsAreZero(t *testing.T) {
	k := &Kernel{object: 4096}
	writes := map[string]func(w *encoder){
		"barrier": func(w *encoder) { w.wait([]hsa.Signal{1 << 20, 2 << 20}, 64) },
		"dispatch": func(w *encoder) {
			w.dispatch(&Dispatch{Kernel: k, Args: &Kernarg{}, Dims: 3, Local: [3]uint64{7, 7, 7}}, nil, [3]uint64{9, 9, 9}, 64)
		},
		"blit": func(w *encoder) { w.blit(&Device{}, hsa.BlitCopy, nil, 1, 64) },
		"call": func(w *encoder) { w.call(1<<60, 64) },
	}
	for before, first := range writes {
		for after, second := range writes {
			used, fresh := tape{}, tape{}
			first(&encoder{queue: &used, id: 1 << 50})
			second(&encoder{queue: &used})
			second(&encoder{queue: &fresh})
			require.Equal(t, fresh[0], used[0], "%s behind %s", after, before)
		}
	}
}

func TestALaunchHasTheGroupSegmentOfItsArguments(t *testing.T) {
	var packets tape
	w := encoder{queue: &packets}
	k := &Kernel{object: 4096}
	k.Info.PrivateSegmentSize = 48
	w.dispatch(&Dispatch{Kernel: k, Args: &Kernarg{local: 320}, Dims: 2, Local: [3]uint64{8, 4, 1}}, nil, [3]uint64{32, 8, 1}, 0)
	p := (*hsa.KernelDispatchPacket)(unsafe.Pointer(&packets[0]))
	require.EqualValues(t, 320, p.GroupSegmentSize)
	require.EqualValues(t, 48, p.PrivateSegmentSize)
	require.EqualValues(t, 4096, p.KernelObject)
	require.Equal(t, [3]uint16{8, 4, 1}, p.WorkgroupSize)
	require.Equal(t, [3]uint32{32, 8, 1}, p.GridSize)
	require.EqualValues(t, 2, p.Setup)
}
