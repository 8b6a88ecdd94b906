package codeobject

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// kernelEntry is what a code object says of a kernel of two arguments, the hidden ones behind.
func kernelEntry() map[string]any {
	return map[string]any{
		".name": "k", ".symbol": "k.kd", ".kernarg_segment_size": uint64(280), ".group_segment_fixed_size": uint64(64),
		".private_segment_fixed_size": uint64(16), ".max_flat_workgroup_size": uint64(256), ".wavefront_size": uint64(64),
		".args": []any{
			entryOf("global_buffer", 0, 8), entryOf("by_value", 8, 12),
			entryOf("hidden_block_count_x", 24, 4), entryOf("hidden_block_count_y", 28, 4), entryOf("hidden_global_offset_x", 64, 8),
		},
	}
}

func entryOf(kind string, offset, size uint64) map[string]any {
	return map[string]any{".value_kind": kind, ".offset": offset, ".size": size}
}

func described() KernelInfo {
	return KernelInfo{Name: "k", Args: []ArgInfo{{Size: 8}, {Size: 12, Offset: 8}}, HiddenOffset: 24}
}

func TestCompleteTakesSizesAndSymbolFromTheCodeObject(t *testing.T) {
	m := &Metadata{map[string]any{"amdhsa.kernels": []any{kernelEntry()}}}
	k := described()
	require.NoError(t, m.Complete(&k))
	require.Equal(t, KernelInfo{Name: "k", Symbol: "k.kd", Args: k.Args, KernargSize: 280, HiddenOffset: 24, GroupSegmentSize: 64,
		PrivateSegmentSize: 16, MaxGroup: 256, Width: 64}, k)
}

func TestCompleteRefusesADescriptionThatDisagrees(t *testing.T) {
	for name, change := range map[string]func(k *KernelInfo, e map[string]any){
		"another offset":      func(k *KernelInfo, _ map[string]any) { k.Args[1].Offset = 16 },
		"another size":        func(k *KernelInfo, _ map[string]any) { k.Args[0].Size = 4 },
		"more arguments":      func(k *KernelInfo, e map[string]any) { e[".args"] = e[".args"].([]any)[:1] },
		"another name":        func(k *KernelInfo, _ map[string]any) { k.Name = "other" },
		"no symbol":           func(_ *KernelInfo, e map[string]any) { delete(e, ".symbol") },
		"no size":             func(_ *KernelInfo, e map[string]any) { delete(e, ".group_segment_fixed_size") },
		"a size beyond reach": func(_ *KernelInfo, e map[string]any) { e[".private_segment_fixed_size"] = uint64(1) << 40 },
		"an argument behind": func(_ *KernelInfo, e map[string]any) {
			e[".args"] = append(e[".args"].([]any), entryOf("by_value", 80, 4))
		},
		"hidden outside": func(_ *KernelInfo, e map[string]any) {
			e[".args"].([]any)[4] = entryOf("hidden_global_offset_x", 276, 8)
		},
		"hidden of no size": func(_ *KernelInfo, e map[string]any) {
			e[".args"].([]any)[4] = entryOf("hidden_global_offset_x", 64, 4)
		},
		"damaged arguments": func(_ *KernelInfo, e map[string]any) { e[".args"] = []any{"?", "?"} },
	} {
		t.Run(name, func(t *testing.T) {
			e, k := kernelEntry(), described()
			change(&k, e)
			require.Error(t, (&Metadata{map[string]any{"amdhsa.kernels": []any{e}}}).Complete(&k))
		})
	}
}

// note is an ELF note.
func note(name string, kind uint32, text string) []byte {
	name += "\x00"
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(name)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(b, kind)
	for _, part := range []string{name, text} {
		b = append(b, part...)
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
	}
	return b
}

func TestFindNotePassesOverOthers(t *testing.T) {
	ours := note("AMDGPU", noteMetadata, "text")
	others := append(note("GNU", noteMetadata, "longer text"), note("AMDGPU", 1, "x")...)
	require.Equal(t, "text", string(findNote(append(others, ours...))))
	require.Nil(t, findNote(others))
	for n := range len(ours) {
		require.Nil(t, findNote(ours[:n]), "%d bytes", n)
	}
}
