package elflink

import (
	"maps"
	"slices"
)

const (
	page       = 4096
	headerSize = 64
	phdrSize   = 56
	phdrs      = segments + 2 // and PT_DYNAMIC, PT_GNU_STACK
	stubSize   = 8            // jmp *slot(%rip), padded
)

// tables are sections that the link makes itself.
type tables struct {
	versions      versions
	dynamicRelocs int // entries of rela
	strings       stringTable
	dynsym, dynstr, hash, versym, verneed, rela, stubs,
	dynamic, slots section
	segment [segments]struct{ offset, addr, size, memory uint64 }
	entries []dynamicEntry
}

type stringTable []byte

// add returns the offset of s in the table.
func (t *stringTable) add(s string) uint32 {
	at := len(*t)
	*t = append(append(*t, s...), 0)
	return uint32(at)
}

// layout gives everything its address. In the file segments follow each other without gaps; in memory each starts on a new
// page, at the same place within it.
func (l *link) layout() error {
	l.makeTables()
	own := [segments][]*section{
		readOnly: {&l.dynsym, &l.dynstr, &l.hash, &l.versym, &l.verneed, &l.rela},
		code:     {&l.stubs},
		data:     {&l.dynamic, &l.slots},
	}
	offset, addr := uint64(0), uint64(0)
	for i := range own {
		g := &l.segment[i]
		g.offset, g.addr = offset, addr
		if i == readOnly {
			offset, addr = headerSize+phdrs*phdrSize, headerSize+phdrs*phdrSize
		}
		all := own[i]
		for _, zeroes := range []bool{false, true} { // zeroes come last: the file does not hold them
			for _, s := range l.sections {
				if s != nil && s.segment == i && (s.data == nil) == zeroes {
					all = append(all, s)
				}
			}
		}
		end := addr
		for _, s := range all {
			align := max(s.align, 1)
			start := (end + align - 1) &^ (align - 1)
			s.addr = start
			end = start + s.size
			if s.data != nil || s.size == 0 {
				addr = end
			}
		}
		offset = g.offset + addr - g.addr
		g.size, g.memory = addr-g.addr, end-g.addr
		addr = (end+page-1)&^(page-1) + offset%page
	}
	for i, s := range l.plt {
		s.plt = l.stubs.addr + uint64(i)*stubSize
	}
	for i, s := range l.got {
		s.got = l.slots.addr + uint64(i)*8
	}
	return nil
}

// makeTables sizes the tables, and fills those that hold no addresses.
func (l *link) makeTables() {
	l.strings = stringTable{0}
	names := make([]uint32, 0, len(l.imports)+len(l.exports))
	all := append(append([]*symbol{}, l.imports...), l.exports...)
	for i, s := range all {
		s.index = uint32(i + 1)
		names = append(names, l.strings.add(s.name))
	}
	sym := make([]byte, 24*(len(all)+1))
	versym := make([]byte, 2*(len(all)+1))
	hash := make([]byte, 0, 4*(2+2*(len(all)+1)))
	buckets := make([]uint32, len(all)+1)
	chain := make([]uint32, len(all)+1)
	for i, s := range all {
		le.PutUint32(sym[24*(i+1):], names[i])
		le.PutUint16(versym[2*(i+1):], 1)
		if s.imported {
			le.PutUint16(versym[2*(i+1):], uint16(s.version))
		}
		b := elfHash(s.name) % uint32(len(buckets))
		chain[i+1], buckets[b] = buckets[b], uint32(i+1)
	}
	hash = le.AppendUint32(le.AppendUint32(hash, uint32(len(buckets))), uint32(len(chain)))
	for _, v := range append(buckets, chain...) {
		hash = le.AppendUint32(hash, v)
	}
	need := l.makeVersions()
	l.makeDynamic(need == nil)
	table := func(segment int, b []byte, align uint64) section {
		return section{segment: segment, data: b, size: uint64(len(b)), align: align}
	}
	l.dynsym = table(readOnly, sym, 8)
	l.dynstr = table(readOnly, l.strings, 1)
	l.hash = table(readOnly, hash, 8)
	l.versym = table(readOnly, versym, 2)
	l.verneed = table(readOnly, need, 8)
	l.rela = table(readOnly, make([]byte, 24*l.dynamicRelocs), 8)
	l.stubs = table(code, make([]byte, stubSize*len(l.plt)), 16)
	l.dynamic = table(data, make([]byte, 16*len(l.entries)), 16)
	l.slots = table(data, make([]byte, 8*len(l.got)), 8)
}

// makeVersions builds the table of needed versions (Linux Standard Base, "Symbol Versioning"); nil if there are none.
func (l *link) makeVersions() (b []byte) {
	v := &l.versions
	var used []int
	for i := range v.libs {
		if len(v.names[i]) > 0 {
			used = append(used, i)
		}
	}
	for n, i := range used {
		next := uint32(16 + 16*len(v.names[i]))
		if n == len(used)-1 {
			next = 0
		}
		b = le.AppendUint16(le.AppendUint16(b, 1), uint16(len(v.names[i])))
		b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, l.strings.add(v.libs[i].name)), 16), next)
		left := len(v.names[i])
		for _, name := range slices.Sorted(maps.Keys(v.names[i])) {
			index := v.names[i][name]
			next := uint32(16)
			if left--; left == 0 {
				next = 0
			}
			b = le.AppendUint16(le.AppendUint16(le.AppendUint32(b, elfHash(name)), 0), uint16(index))
			b = le.AppendUint32(le.AppendUint32(b, l.strings.add(name)), next)
		}
	}
	return b
}

// elfHash is the System V ABI's hash of symbol names.
func elfHash(name string) uint32 {
	h := uint32(0)
	for i := range len(name) {
		h = h<<4 + uint32(name[i])
		h ^= h >> 24 & 0xf0
	}
	return h & 0x0fffffff
}
