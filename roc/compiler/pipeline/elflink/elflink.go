// Package elflink makes a shared object of x86-64 object files: what a linker does, but in the process and in well under a
// millisecond, where starting one takes ten. It knows what LLVM's code generator emits for position-independent kernels;
// anything else is ErrUnsupported, and a real linker has to do it.
//
//  1. read: the object's sections, symbols and relocations.
//  2. plan: which symbols come from libraries, and which need a slot in the global offset table or a stub to jump through.
//  3. layout: three segments (read-only, code, data), addresses of everything.
//  4. write: the tables of the dynamic linker, and the sections with their relocations applied.
//
// Not done, since nothing here needs it: lazy binding, thread-local storage, initialisers, exception tables, merging of
// equal constants, debug information.
package elflink

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrUnsupported is wrapped by errors that say what only a real linker can do.
var ErrUnsupported = errors.New("not supported by the built-in linker")

// UndefinedError names symbols that neither the object nor a library defines.
type UndefinedError []string

func (e UndefinedError) Error() string { return fmt.Sprintf("undefined symbols: %v", []string(e)) }

// Link returns a shared object of objects that use nothing of each other. It exports their global symbols of default
// visibility, and takes undefined ones from libs, of which those it needs become DT_NEEDED.
func Link(objects [][]byte, libs []*Library) ([]byte, error) {
	l := &link{libs: libs, undefined: map[string]*symbol{}}
	for _, o := range objects {
		if err := l.read(o); err != nil {
			return nil, err
		}
	}
	for _, step := range []func() error{l.plan, l.layout, l.write} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return l.out, nil
}

type link struct {
	libs      []*Library
	sections  []*section
	undefined map[string]*symbol
	relocs    []reloc
	exports   []*symbol
	imports   []*symbol
	got       []*symbol // symbols with a slot in the global offset table
	plt       []*symbol // symbols with a stub
	tables
	out []byte
}

// object is an input by the indices it uses.
type object struct {
	sections []*section // nil for those left out
	symbols  []*symbol
}

type section struct {
	name    string
	segment int
	data    []byte // nil for zeroes
	size    uint64
	align   uint64
	addr    uint64
}

type symbol struct {
	name     string
	section  *section // nil if imported or absolute
	value    uint64
	size     uint64
	kind     elf.SymType
	imported bool
	version  int    // index in the version table, for imports
	got, plt uint64 // addresses, 0 for none
	index    uint32 // in the dynamic symbol table
}

func (s *symbol) addr() uint64 {
	if s.section == nil {
		return s.value
	}
	return s.section.addr + s.value
}

type reloc struct {
	in     *section
	offset uint64
	kind   elf.R_X86_64
	symbol *symbol
	addend int64
}

// Segments, in the order of the file.
const (
	readOnly = iota
	code
	data
	segments
)

func (l *link) read(file []byte) error {
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		return err
	}
	if f.Type != elf.ET_REL || f.Machine != elf.EM_X86_64 {
		return fmt.Errorf("%w: %v for %v", ErrUnsupported, f.Type, f.Machine)
	}
	in := &object{sections: make([]*section, len(f.Sections))}
	for i, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Name == ".eh_frame" {
			continue
		}
		if s.Flags&elf.SHF_TLS != 0 || s.Type != elf.SHT_PROGBITS && s.Type != elf.SHT_NOBITS {
			return fmt.Errorf("%w: section %s", ErrUnsupported, s.Name)
		}
		n := &section{name: s.Name, size: s.Size, align: max(s.Addralign, 1)}
		switch {
		case s.Flags&elf.SHF_EXECINSTR != 0:
			n.segment = code
		case s.Flags&elf.SHF_WRITE != 0:
			n.segment = data
		}
		if s.Type == elf.SHT_PROGBITS {
			if n.data, err = s.Data(); err != nil {
				return err
			}
		}
		in.sections[i] = n
		l.sections = append(l.sections, n)
	}
	if err := l.readSymbols(f, in); err != nil {
		return err
	}
	for _, s := range f.Sections {
		if s.Type == elf.SHT_RELA && int(s.Info) < len(in.sections) && in.sections[s.Info] != nil {
			if err := l.readRelocs(s, in, in.sections[s.Info]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *link) readSymbols(f *elf.File, in *object) error {
	symbols, err := f.Symbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return err
	}
	in.symbols = []*symbol{{}} // index 0 is no symbol
	for _, s := range symbols {
		n := &symbol{name: s.Name, value: s.Value, size: s.Size, kind: elf.ST_TYPE(s.Info)}
		bind := elf.ST_BIND(s.Info)
		switch {
		case s.Section == elf.SHN_UNDEF:
			if known := l.undefined[s.Name]; known != nil {
				n = known
			}
			n.imported = true
			l.undefined[s.Name] = n
		case s.Section == elf.SHN_ABS:
		case int(s.Section) >= len(in.sections):
			return fmt.Errorf("%w: symbol %s in section %v", ErrUnsupported, s.Name, s.Section)
		default:
			n.section = in.sections[s.Section]
			if n.section != nil && bind != elf.STB_LOCAL && elf.ST_VISIBILITY(s.Other) == elf.STV_DEFAULT {
				l.exports = append(l.exports, n)
			}
		}
		in.symbols = append(in.symbols, n)
	}
	return nil
}

func (l *link) readRelocs(s *elf.Section, o *object, in *section) error {
	text, err := s.Data()
	if err != nil {
		return err
	}
	for ; len(text) >= 24; text = text[24:] {
		info := binary.LittleEndian.Uint64(text[8:])
		r := reloc{in: in, offset: binary.LittleEndian.Uint64(text), kind: elf.R_X86_64(uint32(info)), addend: int64(binary.LittleEndian.Uint64(text[16:]))}
		if info>>32 >= uint64(len(o.symbols)) || r.offset+relocSize(r.kind) > uint64(len(in.data)) {
			return fmt.Errorf("relocation out of range in %s", in.name)
		}
		r.symbol = o.symbols[info>>32]
		l.relocs = append(l.relocs, r)
	}
	return nil
}

func relocSize(kind elf.R_X86_64) uint64 {
	if kind == elf.R_X86_64_64 || kind == elf.R_X86_64_PC64 {
		return 8
	}
	return 4
}

// plan finds what each relocation needs.
func (l *link) plan() error {
	var undefined UndefinedError
	for _, r := range l.relocs {
		s := r.symbol
		if s.imported && s.index == 0 {
			if s.index = 1; !l.resolve(s) { // the real index follows in layout
				undefined = append(undefined, s.name)
			}
			l.imports = append(l.imports, s)
		}
		if s.section == nil && !s.imported && r.kind != elf.R_X86_64_64 {
			return fmt.Errorf("%w: %v against %q, which has no place", ErrUnsupported, r.kind, s.name)
		}
		switch r.kind {
		case elf.R_X86_64_PC32, elf.R_X86_64_PLT32, elf.R_X86_64_PC64:
			if s.imported && s.plt == 0 {
				s.plt = 1
				l.plt = append(l.plt, s)
				l.needSlot(s)
			}
		case elf.R_X86_64_GOTPCREL, elf.R_X86_64_GOTPCRELX, elf.R_X86_64_REX_GOTPCRELX:
			l.needSlot(s)
		case elf.R_X86_64_64:
			if r.in.segment != data {
				return fmt.Errorf("%w: an address in read-only %s", ErrUnsupported, r.in.name)
			}
			l.dynamicRelocs++
		default:
			return fmt.Errorf("%w: %v", ErrUnsupported, r.kind)
		}
	}
	if len(undefined) > 0 {
		return undefined
	}
	return nil
}

func (l *link) needSlot(s *symbol) {
	if s.got == 0 {
		s.got = 1
		l.got = append(l.got, s)
		l.dynamicRelocs++
	}
}
