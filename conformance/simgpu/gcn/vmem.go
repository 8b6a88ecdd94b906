package gcn

import (
	"encoding/binary"
	mathbits "math/bits"
	"strings"
)

// noScalar says that a global or scratch access has no scalar address.
const noScalar = 0x7f

// transfer is how memory and registers correspond.
type transfer struct {
	bytes  int
	signed bool // a shorter value is extended by its sign
	half   int  // -1: the whole register; 0, 1: a value of 16 bits in the low or high half, the other stays
}

// transfers are named by what follows "load_" and "store_".
var transfers = map[string]transfer{
	"ubyte": {1, false, -1}, "sbyte": {1, true, -1}, "ushort": {2, false, -1}, "sshort": {2, true, -1},
	"byte": {1, false, -1}, "short": {2, false, -1},
	"dword": {4, false, -1}, "dwordx2": {8, false, -1}, "dwordx3": {12, false, -1}, "dwordx4": {16, false, -1},
	"ubyte_d16": {1, false, 0}, "ubyte_d16_hi": {1, false, 1}, "sbyte_d16": {1, true, 0}, "sbyte_d16_hi": {1, true, 1},
	"short_d16": {2, false, 0}, "short_d16_hi": {2, false, 1}, "byte_d16_hi": {1, false, 1},
}

// memoryOp is what executes an instruction that accesses memory, nil if its name is not known.
func memoryOp(in *Instruction) func(w *Wave, in *Instruction) {
	if in.format == DS {
		return localOp(in.Name)
	}
	kind, rest, _ := strings.Cut(in.Name, "_")
	if kind != "flat" && kind != "global" && kind != "scratch" && kind != "buffer" {
		return nil
	}
	verb, what, _ := strings.Cut(rest, "_")
	switch verb {
	case "load":
		if t, ok := transfers[what]; ok {
			return func(w *Wave, in *Instruction) { w.loadMemory(in, t) }
		}
	case "store":
		if t, ok := transfers[what]; ok {
			return func(w *Wave, in *Instruction) { w.storeMemory(in, t) }
		}
	case "atomic":
		if fn, width := updateOf(what); fn != nil {
			return func(w *Wave, in *Instruction) { w.updateMemory(in, fn, width, strings.HasPrefix(what, "cmpswap")) }
		}
	}
	return nil
}

func init() {
	// There are no caches to write back or to invalidate.
	for _, name := range []string{"buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_wbl2", "buffer_invl2"} {
		waveOps[name] = func(*Wave, *Instruction) {}
	}
}

// place is where a lane's access goes.
type place struct {
	address uint64
	private bool   // address is the first byte of the wave's private memory for the lane's word 0: words are interleaved
	offset  uint32 // in private or local memory
	local   bool
	none    bool // beyond the end of a buffer: reads give zero, writes do nothing
}

func (w *Wave) place(in *Instruction, lane int) place {
	switch in.format {
	case MUBUF:
		return w.bufferPlace(in, lane)
	case SCRATCH:
		offset := uint32(in.offset)
		if in.src[2] == noScalar {
			offset += w.V[in.src[0]][lane]
		} else {
			offset += w.S[in.src[2]]
		}
		return place{address: w.s64(flatScratch), private: true, offset: offset}
	case GLOBAL:
		if in.src[2] != noScalar {
			return place{address: w.s64(in.src[2]) + uint64(w.V[in.src[0]][lane]) + uint64(in.offset)}
		}
		return place{address: w.vector64(in.src[0], lane) + uint64(in.offset)}
	}
	a := w.vector64(in.src[0], lane) + uint64(in.offset)
	switch a >> 32 {
	case w.Program.sharedBase >> 32:
		return place{local: true, offset: uint32(a)}
	case w.Program.privateBase >> 32:
		return place{address: w.s64(flatScratch), private: true, offset: uint32(a)}
	}
	return place{address: a}
}

// bytes is the memory of n bytes at a place, from byte k of the access on. Private memory is contiguous only within a word.
func (w *Wave) bytes(in *Instruction, p place, lane, k, n int, kind Access) []byte {
	switch {
	case p.local:
		return w.local(in, p.offset+uint32(k), n)
	case p.private:
		o := uint64(p.offset + uint32(k))
		return w.Memory.Access(p.address+o>>2*4*Lanes+uint64(4*lane)+o&3, uint64(n), kind)
	}
	return w.Memory.Access(p.address+uint64(k), uint64(n), kind)
}

// pieces calls do for each part of an access that lies in one piece of memory and one register.
func (w *Wave) pieces(in *Instruction, p place, lane, n int, kind Access, do func(k int, b []byte)) {
	if p.private && p.offset&3 != 0 && n+int(p.offset&3) > 4 { // words that are not aligned, byte by byte
		for k := range n {
			do(k, w.bytes(in, p, lane, k, 1, kind))
		}
		return
	}
	if p.private {
		for k := 0; k < n; k += 4 {
			do(k, w.bytes(in, p, lane, k, min(4, n-k), kind))
		}
		return
	}
	b := w.bytes(in, p, lane, 0, n, kind)
	for k := 0; k < n; k += 4 {
		do(k, b[k:min(k+4, n)])
	}
}

func (w *Wave) loadMemory(in *Instruction, t transfer) {
	var r [4]Vector
	for e := w.Exec(); e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		p := w.place(in, l)
		if p.none {
			continue
		}
		w.pieces(in, p, l, t.bytes, Read, func(k int, b []byte) { r[k/4][l] |= t.extend(b) << (8 * (k & 3)) })
	}
	// Registers change only when all lanes have read, as the address may be in them.
	for e := w.Exec(); e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		for k := range (t.bytes + 3) / 4 {
			t.put(&w.V[in.dst+k][l], r[k][l])
		}
	}
}

func (t transfer) extend(b []byte) uint32 {
	switch len(b) {
	case 1:
		if t.signed {
			return uint32(int32(int8(b[0])))
		}
		return uint32(b[0])
	case 2:
		x := binary.LittleEndian.Uint16(b)
		if t.signed {
			return uint32(int32(int16(x)))
		}
		return uint32(x)
	}
	return binary.LittleEndian.Uint32(b)
}

func (t transfer) put(to *uint32, x uint32) {
	switch t.half {
	case 0:
		x = *to&^0xffff | x&0xffff
	case 1:
		x = *to&0xffff | x<<16
	}
	*to = x
}

func (w *Wave) storeMemory(in *Instruction, t transfer) {
	data := in.src[1]
	if in.format == MUBUF {
		data = in.dst
	}
	for e := w.Exec(); e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		p := w.place(in, l)
		if p.none {
			continue
		}
		w.pieces(in, p, l, t.bytes, Write, func(k int, b []byte) {
			x := w.V[data+k/4][l] >> (8 * (k & 3))
			if t.half == 1 {
				x >>= 16
			}
			storeBytes(b, x)
		})
	}
}

func storeBytes(b []byte, x uint32) {
	switch len(b) {
	case 1:
		b[0] = byte(x)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(x))
	default:
		binary.LittleEndian.PutUint32(b, x)
	}
}

func (w *Wave) updateMemory(in *Instruction, fn update, width int, compares bool) {
	data, returns := in.src[1], in.word[0]>>16&1 == 1 // GLC
	dst := in.dst
	if in.format == MUBUF {
		data, returns = in.dst, in.word[0]>>14&1 == 1
	}
	for e := w.Exec(); e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		p := w.place(in, l)
		if p.none {
			continue
		}
		b := w.bytes(in, p, l, 0, width/8, Atomic)
		if (p.address+uint64(p.offset))&uint64(width/8-1) != 0 {
			panic(&Fault{p.address, true})
		}
		old := exchange(b, width, func(old uint64) uint64 {
			x, c := w.operand(data, l, width), uint64(0)
			if compares {
				c = w.operand(data+width/32, l, width)
			}
			return fn(old, x, c, width)
		})
		if returns {
			w.setOperand(dst, l, width, old)
		}
	}
}

// operand is a lane of one register or, for 64 bits, of two.
func (w *Wave) operand(n, lane, width int) uint64 {
	if width == 64 {
		return w.vector64(n, lane)
	}
	return uint64(w.V[n][lane])
}

func (w *Wave) setOperand(n, lane, width int, x uint64) {
	if width == 64 {
		w.setVector64(n, lane, x)
	} else {
		w.V[n][lane] = uint32(x)
	}
}
