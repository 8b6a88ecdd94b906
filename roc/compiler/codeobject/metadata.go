package codeobject

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Metadata is what a code object for AMD's GPUs says of itself in its note (LLVM's AMDGPUUsage, "Code Object V5 Metadata").
type Metadata struct {
	root map[string]any
}

// noteMetadata is NT_AMDGPU_METADATA.
const noteMetadata = 32

// ReadMetadata finds the metadata in a code object.
func ReadMetadata(code []byte) (*Metadata, error) {
	file, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		return nil, fmt.Errorf("code object: %w", err)
	}
	for _, s := range file.Sections {
		if s.Type != elf.SHT_NOTE {
			continue
		}
		notes, err := s.Data()
		if err != nil {
			return nil, fmt.Errorf("code object: %w", err)
		}
		if text := findNote(notes); text != nil {
			v, _, err := unpack(text, 0)
			root, ok := v.(map[string]any)
			if err != nil || !ok {
				return nil, errMessagePack
			}
			return &Metadata{root}, nil
		}
	}
	return nil, errors.New("code object: no metadata")
}

// findNote is the contents of the metadata's note among notes, nil if it is not there.
func findNote(notes []byte) []byte {
	for len(notes) >= 12 {
		name, size, kind := binary.LittleEndian.Uint32(notes), binary.LittleEndian.Uint32(notes[4:]), binary.LittleEndian.Uint32(notes[8:])
		at := 12 + (uint64(name)+3)&^3
		end := at + uint64(size)
		if end > uint64(len(notes)) {
			return nil
		}
		if kind == noteMetadata && string(notes[12:12+name]) == "AMDGPU\x00" {
			return notes[at:end]
		}
		notes = notes[min((end+3)&^3, uint64(len(notes))):]
	}
	return nil
}

// Formats are the format strings that the code object's calls of printf name (amdhsa.printf).
func (m *Metadata) Formats() (list []string) {
	entries, _ := m.root["amdhsa.printf"].([]any)
	for _, e := range entries {
		text, _ := e.(string)
		list = append(list, text)
	}
	return list
}

// Complete adds to a kernel's description what only the code object knows, and checks the rest.
func (m *Metadata) Complete(k *KernelInfo) error {
	kernels, _ := m.root["amdhsa.kernels"].([]any)
	for _, entry := range kernels {
		e, _ := entry.(map[string]any)
		if e[".name"] == k.Name {
			if err := complete(k, e); err != nil {
				return fmt.Errorf("code object: kernel %s: %w", k.Name, err)
			}
			return nil
		}
	}
	return fmt.Errorf("code object: there is no kernel %s", k.Name)
}

func complete(k *KernelInfo, e map[string]any) error {
	symbol, ok := e[".symbol"].(string)
	if !ok {
		return errMessagePack
	}
	k.Symbol = symbol
	for _, field := range []struct {
		name string
		to   *uint32
	}{
		{".kernarg_segment_size", &k.KernargSize}, {".group_segment_fixed_size", &k.GroupSegmentSize},
		{".private_segment_fixed_size", &k.PrivateSegmentSize}, {".max_flat_workgroup_size", &k.MaxGroup}, {".wavefront_size", &k.Width},
	} {
		n, ok := e[field.name].(uint64)
		if !ok || n > math.MaxUint32 {
			return fmt.Errorf("%w: %s", errMessagePack, field.name)
		}
		*field.to = uint32(n)
	}
	args, _ := e[".args"].([]any)
	hidden := uint32(0)
	for i, arg := range args {
		a, _ := arg.(map[string]any)
		offset, ok1 := a[".offset"].(uint64)
		size, ok2 := a[".size"].(uint64)
		if !ok1 || !ok2 {
			return errMessagePack
		}
		if i < len(k.Args) {
			if offset != uint64(k.Args[i].Offset) || size != uint64(k.Args[i].Size) {
				return fmt.Errorf("argument %d: %d bytes at %d, not %d at %d", i, size, offset, k.Args[i].Size, k.Args[i].Offset)
			}
			continue
		}
		k.Prints = k.Prints || a[".value_kind"] == "hidden_printf_buffer"
		if i == len(k.Args) { // the first hidden one is where they all start
			hidden = uint32(offset)
		}
	}
	if len(args) < len(k.Args) {
		return fmt.Errorf("%d arguments, not %d", len(args), len(k.Args))
	}
	if hidden != 0 {
		k.HiddenOffset = hidden
	}
	return nil
}
