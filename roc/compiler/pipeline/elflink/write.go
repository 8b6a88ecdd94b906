package elflink

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math"
)

var le = binary.LittleEndian

// dynamicEntry is a tag of the dynamic section, and the section whose address is its value, or else a number.
type dynamicEntry struct {
	tag   elf.DynTag
	at    *section
	value uint64
}

// makeDynamic lists the dynamic section's entries; their addresses are filled in when they are known.
func (l *link) makeDynamic(noVersions bool) {
	var e []dynamicEntry
	for _, lib := range l.versions.libs {
		e = append(e, dynamicEntry{tag: elf.DT_NEEDED, value: uint64(l.strings.add(lib.name))})
	}
	e = append(e,
		dynamicEntry{tag: elf.DT_HASH, at: &l.hash},
		dynamicEntry{tag: elf.DT_STRTAB, at: &l.dynstr},
		dynamicEntry{tag: elf.DT_STRSZ, value: uint64(len(l.strings))}, // no string is added after this
		dynamicEntry{tag: elf.DT_SYMTAB, at: &l.dynsym},
		dynamicEntry{tag: elf.DT_SYMENT, value: 24},
		dynamicEntry{tag: elf.DT_FLAGS, value: uint64(elf.DF_BIND_NOW)})
	if l.dynamicRelocs > 0 {
		e = append(e, dynamicEntry{tag: elf.DT_RELA, at: &l.rela},
			dynamicEntry{tag: elf.DT_RELASZ, value: uint64(24 * l.dynamicRelocs)},
			dynamicEntry{tag: elf.DT_RELAENT, value: 24})
	}
	if !noVersions {
		e = append(e, dynamicEntry{tag: elf.DT_VERSYM, at: &l.versym},
			dynamicEntry{tag: elf.DT_VERNEED, at: &l.verneed},
			dynamicEntry{tag: elf.DT_VERNEEDNUM, value: l.versions.needed()})
	}
	l.entries = append(e, dynamicEntry{tag: elf.DT_NULL})
}

// needed is the number of libraries of which a version is asked for.
func (v *versions) needed() (n uint64) {
	for _, names := range v.names {
		if len(names) > 0 {
			n++
		}
	}
	return n
}

// write makes the file.
func (l *link) write() error {
	for i, e := range l.entries {
		value := e.value
		if e.at != nil {
			value = e.at.addr
		}
		le.PutUint64(l.dynamic.data[16*i:], uint64(e.tag))
		le.PutUint64(l.dynamic.data[16*i+8:], value)
	}
	for i, s := range append(append([]*symbol{}, l.imports...), l.exports...) {
		b := l.dynsym.data[24*(i+1):]
		b[4] = elf.ST_INFO(elf.STB_GLOBAL, s.kind)
		if !s.imported {
			le.PutUint16(b[6:], sectionOf[s.section.segment])
			le.PutUint64(b[8:], s.addr())
			le.PutUint64(b[16:], s.size)
		}
	}
	for i, s := range l.plt {
		b := l.stubs.data[stubSize*i:]
		copy(b, []byte{0xff, 0x25, 0, 0, 0, 0, 0x66, 0x90}) // jmp *slot(%rip); nop
		le.PutUint32(b[2:], uint32(s.got-(s.plt+6)))
	}
	if err := l.relocate(); err != nil {
		return err
	}
	last := l.segment[data]
	l.out = make([]byte, last.offset+last.size)
	l.writeHeaders()
	l.writeSections()
	for _, s := range append(l.sections, &l.dynsym, &l.dynstr, &l.hash, &l.versym, &l.verneed, &l.rela, &l.stubs, &l.dynamic, &l.slots) {
		if s == nil || s.data == nil {
			continue
		}
		g := l.segment[s.segment]
		copy(l.out[g.offset+s.addr-g.addr:], s.data)
	}
	return nil
}

// relocate applies the relocations, and leaves to the dynamic linker those that depend on where things are loaded.
func (l *link) relocate() error {
	rela := l.rela.data
	dynamic := func(place uint64, kind elf.R_X86_64, s *symbol, addend uint64) {
		info := uint64(kind)
		if s.imported {
			info |= uint64(s.index) << 32
		}
		le.PutUint64(rela, place)
		le.PutUint64(rela[8:], info)
		le.PutUint64(rela[16:], addend)
		rela = rela[24:]
	}
	for _, s := range l.got {
		if s.imported {
			dynamic(s.got, elf.R_X86_64_GLOB_DAT, s, 0)
		} else {
			dynamic(s.got, elf.R_X86_64_RELATIVE, s, s.addr())
		}
	}
	for _, r := range l.relocs {
		s, place, at := r.symbol, r.in.addr+r.offset, r.in.data[r.offset:]
		target := s.addr() + uint64(r.addend)
		switch r.kind {
		case elf.R_X86_64_64:
			if s.imported {
				dynamic(place, elf.R_X86_64_64, s, uint64(r.addend))
			} else {
				dynamic(place, elf.R_X86_64_RELATIVE, s, target)
			}
			continue
		case elf.R_X86_64_PC64:
			le.PutUint64(at, target-place)
			continue
		case elf.R_X86_64_GOTPCREL, elf.R_X86_64_GOTPCRELX, elf.R_X86_64_REX_GOTPCRELX:
			target = s.got + uint64(r.addend)
		default:
			if s.imported {
				target = s.plt + uint64(r.addend)
			}
		}
		d := int64(target - place)
		if d < math.MinInt32 || d > math.MaxInt32 {
			return fmt.Errorf("%w: more than 2 GiB", ErrUnsupported)
		}
		le.PutUint32(at, uint32(d))
	}
	return nil
}

// writeHeaders writes the file's and the program's headers.
func (l *link) writeHeaders() {
	b := l.out
	copy(b, elf.ELFMAG)
	b[elf.EI_CLASS], b[elf.EI_DATA], b[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	le.PutUint16(b[16:], uint16(elf.ET_DYN))
	le.PutUint16(b[18:], uint16(elf.EM_X86_64))
	le.PutUint32(b[20:], uint32(elf.EV_CURRENT))
	le.PutUint64(b[32:], headerSize) // where the program headers are
	le.PutUint16(b[52:], headerSize)
	le.PutUint16(b[54:], phdrSize)
	le.PutUint16(b[56:], phdrs)
	b = b[headerSize:]
	header := func(kind elf.ProgType, flags elf.ProgFlag, offset, addr, size, memory, align uint64) {
		le.PutUint32(b, uint32(kind))
		le.PutUint32(b[4:], uint32(flags))
		for i, v := range []uint64{offset, addr, addr, size, memory, align} {
			le.PutUint64(b[8+8*i:], v)
		}
		b = b[phdrSize:]
	}
	for i, flags := range []elf.ProgFlag{elf.PF_R, elf.PF_R | elf.PF_X, elf.PF_R | elf.PF_W} {
		g := l.segment[i]
		header(elf.PT_LOAD, flags, g.offset, g.addr, g.size, g.memory, page)
	}
	d, g := l.dynamic, l.segment[data]
	header(elf.PT_DYNAMIC, elf.PF_R|elf.PF_W, g.offset+d.addr-g.addr, d.addr, d.size, d.size, 8)
	header(elf.PT_GNU_STACK, elf.PF_R|elf.PF_W, 0, 0, 0, 0, 16)
}

// sectionOf is the number of a section header in a segment, for symbols.
var sectionOf = [segments]uint16{readOnly: 1, code: 3, data: 4}

// writeSections appends the section headers: nothing at run time reads them, but nm, objdump, gdb and perf do.
func (l *link) writeSections() {
	names := stringTable{0}
	text := section{segment: code, addr: l.segment[code].addr, size: l.segment[code].size, align: 16}
	list := []struct {
		name  string
		kind  elf.SectionType
		flags elf.SectionFlag
		s     *section
		link  uint32
		entry uint64
	}{
		{".dynsym", elf.SHT_DYNSYM, elf.SHF_ALLOC, &l.dynsym, 2, 24},
		{".dynstr", elf.SHT_STRTAB, elf.SHF_ALLOC, &l.dynstr, 0, 0},
		{".text", elf.SHT_PROGBITS, elf.SHF_ALLOC | elf.SHF_EXECINSTR, &text, 0, 0},
		{".dynamic", elf.SHT_DYNAMIC, elf.SHF_ALLOC | elf.SHF_WRITE, &l.dynamic, 2, 16},
	}
	headers := make([]byte, 64) // the first is none
	add := func(name string, kind elf.SectionType, flags elf.SectionFlag, addr, offset, size uint64, link, info uint32, align, entry uint64) {
		headers = le.AppendUint32(headers, names.add(name))
		headers = le.AppendUint32(headers, uint32(kind))
		for _, v := range []uint64{uint64(flags), addr, offset, size} {
			headers = le.AppendUint64(headers, v)
		}
		headers = le.AppendUint32(le.AppendUint32(headers, link), info)
		headers = le.AppendUint64(le.AppendUint64(headers, align), entry)
	}
	for _, e := range list {
		g := l.segment[e.s.segment]
		info := uint32(0)
		if e.kind == elf.SHT_DYNSYM {
			info = 1 // of its symbols the first is local
		}
		add(e.name, e.kind, e.flags, e.s.addr, g.offset+e.s.addr-g.addr, e.s.size, e.link, info, e.s.align, e.entry)
	}
	const own = ".shstrtab"
	at := uint64(len(l.out))
	add(own, elf.SHT_STRTAB, 0, 0, at, uint64(len(names)+len(own)+1), 0, 0, 1, 0)
	l.out = append(l.out, names...)
	l.out = append(l.out, make([]byte, -len(l.out)&7)...)
	le.PutUint64(l.out[40:], uint64(len(l.out)))
	l.out = append(l.out, headers...)
	le.PutUint16(l.out[58:], 64) // size of a section header
	le.PutUint16(l.out[60:], uint16(len(list)+2))
	le.PutUint16(l.out[62:], uint16(len(list)+1)) // the one with the names
}
