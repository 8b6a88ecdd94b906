package codeobject

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Metadata is what a code object for AMD's GPUs says of itself in its note (LLVM's AMDGPUUsage, "Code Object V4 Metadata" and
// "Code Object V5 Metadata").
type Metadata struct {
	root map[string]any
}

const (
	machineAMDGPU = 224 // EM_AMDGPU
	noteMetadata  = 32  // NT_AMDGPU_METADATA
)

// ReadMetadata finds the metadata in a code object.
func ReadMetadata(code []byte) (*Metadata, error) {
	file, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		return nil, fmt.Errorf("code object: %w", err)
	}
	if file.Machine != machineAMDGPU {
		return nil, errors.New("code object: not for AMD's GPUs")
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
	explicit, hidden, err := arguments(e)
	if err != nil {
		return err
	}
	if len(explicit) != len(k.Args) {
		return fmt.Errorf("%d arguments, not %d", len(explicit), len(k.Args))
	}
	for i, a := range explicit {
		if a.offset != k.Args[i].Offset || a.size != k.Args[i].Size {
			return fmt.Errorf("argument %d: %d bytes at %d, not %d at %d", i, a.size, a.offset, k.Args[i].Size, k.Args[i].Offset)
		}
	}
	return k.hide(hidden)
}

// argument is what metadata says of one.
type argument struct {
	kind         string
	offset, size uint32
	fields       map[string]any // all of it
}

// arguments are those of a kernel. The hidden ones are behind the others.
func arguments(kernel map[string]any) (explicit, hidden []argument, err error) {
	list, _ := kernel[".args"].([]any)
	for _, entry := range list {
		fields, _ := entry.(map[string]any)
		kind, ok1 := fields[".value_kind"].(string)
		offset, ok2 := fields[".offset"].(uint64)
		size, ok3 := fields[".size"].(uint64)
		if !ok1 || !ok2 || !ok3 || offset > math.MaxInt32 || size > math.MaxInt32 {
			return nil, nil, fmt.Errorf("%w: .args", errMessagePack)
		}
		a := argument{kind, uint32(offset), uint32(size), fields}
		if strings.HasPrefix(kind, "hidden_") {
			hidden = append(hidden, a)
		} else if explicit = append(explicit, a); hidden != nil {
			return nil, nil, fmt.Errorf("%w: an argument behind the hidden ones", errMessagePack)
		}
	}
	return explicit, hidden, nil
}
