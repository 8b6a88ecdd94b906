package codeobject

import (
	"bytes"
	"debug/elf"
	"fmt"
	"math"
	"strings"
)

// GPUTarget is the Target of programs for a GPU of AMD's, by LLVM's name for its processor.
func GPUTarget(processor string) string { return "amdgcn-" + processor }

// Read reads a program binary: what Marshal wrote, or a code object for AMD's GPUs as clang or another driver makes it, of version 4 or 5.
// Any damage that shows gives an error.
func Read(data []byte) (*Program, error) {
	if bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		return describe(data)
	}
	return Unmarshal(data)
}

// describe makes a program of a code object, which describes its kernels itself.
func describe(code []byte) (*Program, error) {
	m, err := ReadMetadata(code)
	if err != nil {
		return nil, err
	}
	target, _ := m.root["amdhsa.target"].(string)
	_, processor, ok := strings.Cut(target, "--") // amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-
	if !ok {
		return nil, fmt.Errorf("%w: amdhsa.target", errMessagePack)
	}
	processor, _, _ = strings.Cut(processor, ":")
	p := &Program{Type: Executable, Target: GPUTarget(processor), Globals: variables(code), Code: code}
	kernels, _ := m.root["amdhsa.kernels"].([]any)
	for _, entry := range kernels {
		fields, _ := entry.(map[string]any)
		k, err := describeKernel(fields)
		if err != nil {
			return nil, fmt.Errorf("code object: kernel %s: %w", k.Name, err)
		}
		p.Kernels = append(p.Kernels, k)
	}
	return p, nil
}

func describeKernel(e map[string]any) (k KernelInfo, err error) {
	k.Name, _ = e[".name"].(string)
	explicit, _, err := arguments(e)
	if err != nil {
		return k, err
	}
	k.HasArgInfo = true
	for _, a := range explicit {
		info, err := a.describe()
		if err != nil {
			return k, err
		}
		k.HasArgInfo = k.HasArgInfo && info.Name != "" && info.TypeName != ""
		k.HiddenOffset = (info.Offset + info.Size + 7) &^ 7
		k.Args = append(k.Args, info)
	}
	k.ReqdWorkGroupSize = triple(e[".reqd_workgroup_size"])
	k.WorkGroupSizeHint = triple(e[".workgroup_size_hint"])
	k.VecTypeHint, _ = e[".vec_type_hint"].(string)
	if err := complete(&k, e); err != nil {
		return k, err
	}
	if k.HiddenOffset > (k.KernargSize+7)&^7 {
		return k, fmt.Errorf("%w: arguments outside the kernarg segment", errMessagePack)
	}
	return k, nil
}

// describe is an argument that is not hidden.
func (a *argument) describe() (ArgInfo, error) {
	text := func(name string) string {
		s, _ := a.fields[name].(string)
		return s
	}
	info := ArgInfo{Name: text(".name"), TypeName: text(".type_name"), Size: a.size, Offset: a.offset,
		AddressSpace: AddressPrivate, Access: AccessNone}
	for name, bit := range map[string]uint64{".is_const": QualifierConst, ".is_restrict": QualifierRestrict, ".is_volatile": QualifierVolatile} {
		if is, _ := a.fields[name].(bool); is {
			info.TypeQualifiers |= bit
		}
	}
	switch a.kind {
	case "by_value":
		return info, nil
	case "global_buffer":
		info.Kind, info.AddressSpace = ArgGlobal, AddressGlobal
		if text(".address_space") == "constant" {
			info.Kind, info.AddressSpace = ArgConstant, AddressConstant
		}
		if a.size != 8 {
			return info, fmt.Errorf("%w: a pointer of %d bytes", errMessagePack, a.size)
		}
		return info, nil
	case "dynamic_shared_pointer":
		align, ok := a.fields[".pointee_align"].(uint64)
		if !ok || align > math.MaxInt32 || align&(align-1) != 0 || a.size != 4 {
			return info, fmt.Errorf("%w: a pointer to local memory", errMessagePack)
		}
		info.Kind, info.AddressSpace, info.PointeeAlign = ArgLocal, AddressLocal, uint32(align)
		return info, nil
	}
	return info, fmt.Errorf("the device has no arguments of kind %s", a.kind)
}

// triple is a list of three numbers, zeros if it is not there.
func triple(v any) (n [3]uint32) {
	list, _ := v.([]any)
	for i := range min(len(list), len(n)) {
		x, _ := list[i].(uint64)
		n[i] = uint32(x)
	}
	return n
}

// variables is how many bytes of global memory the variables of a code object take.
func variables(code []byte) (size uint64) {
	file, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		return 0
	}
	for _, s := range file.Sections {
		data := s.Type == elf.SHT_PROGBITS || s.Type == elf.SHT_NOBITS && s.Name != ".relro_padding"
		if data && s.Flags&elf.SHF_ALLOC != 0 && s.Flags&elf.SHF_WRITE != 0 {
			size += s.Size
		}
	}
	return size
}
