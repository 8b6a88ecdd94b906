package gcn

import (
	"encoding/binary"
	mathbits "math/bits"
	"strings"
)

// local is n bytes of local memory. Hardware would read zeros beyond the end; here that ends the wave, as it is never meant.
func (w *Wave) local(in *Instruction, at uint32, n int) []byte {
	if uint64(at)+uint64(n) > uint64(len(w.Group.Local)) {
		panic(&Aperture{w.PC - uint64(in.size), in.Name, uint64(at)})
	}
	return w.Group.Local[at : at+uint32(n)]
}

// localReads and localWrites are named by what follows "ds_read_" and "ds_write_".
var localReads = map[string]transfer{
	"b32": {4, false, -1}, "b64": {8, false, -1}, "b96": {12, false, -1}, "b128": {16, false, -1},
	"u8": {1, false, -1}, "i8": {1, true, -1}, "u16": {2, false, -1}, "i16": {2, true, -1},
	"u8_d16": {1, false, 0}, "u8_d16_hi": {1, false, 1}, "i8_d16": {1, true, 0}, "i8_d16_hi": {1, true, 1},
	"u16_d16": {2, false, 0}, "u16_d16_hi": {2, false, 1},
}

var localWrites = map[string]transfer{
	"b32": {4, false, -1}, "b64": {8, false, -1}, "b96": {12, false, -1}, "b128": {16, false, -1},
	"b8": {1, false, -1}, "b16": {2, false, -1}, "b8_d16_hi": {1, false, 1}, "b16_d16_hi": {2, false, 1},
}

// localOp is what executes an instruction of local memory, nil if its name is not known.
func localOp(name string) func(w *Wave, in *Instruction) {
	name = strings.TrimPrefix(name, "ds_")
	verb, what, _ := strings.Cut(name, "_")
	switch verb {
	case "read":
		if t, ok := localReads[what]; ok {
			return func(w *Wave, in *Instruction) { w.readLocal(in, t) }
		}
	case "write":
		if t, ok := localWrites[what]; ok {
			return func(w *Wave, in *Instruction) { w.writeLocal(in, t) }
		}
	case "read2", "read2st64", "write2", "write2st64":
		width, stride := 4, uint32(1)
		if what == "b64" {
			width = 8
		}
		if strings.HasSuffix(verb, "st64") {
			stride = 64
		}
		if strings.HasPrefix(verb, "read") {
			return func(w *Wave, in *Instruction) { w.readLocalTwice(in, width, stride) }
		}
		return func(w *Wave, in *Instruction) { w.writeLocalTwice(in, width, stride) }
	}
	return localUpdate(name)
}

func (w *Wave) readLocal(in *Instruction, t transfer) {
	address := w.V[in.src[0]]
	for e := w.Exec(); e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		b := w.local(in, address[l]+uint32(in.offset), t.bytes)
		for k := 0; k < t.bytes; k += 4 {
			t.put(&w.V[in.dst+k/4][l], t.extend(b[k:min(k+4, t.bytes)]))
		}
	}
}

func (w *Wave) writeLocal(in *Instruction, t transfer) {
	for e := w.Exec(); e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		b := w.local(in, w.V[in.src[0]][l]+uint32(in.offset), t.bytes)
		for k := 0; k < t.bytes; k += 4 {
			x := w.V[in.src[1]+k/4][l]
			if t.half == 1 {
				x >>= 16
			}
			storeBytes(b[k:min(k+4, t.bytes)], x)
		}
	}
}

// twoOffsets are the two addresses of an instruction with two offsets of eight bits each.
func (in *Instruction) twoOffsets(width int, stride uint32) [2]uint32 {
	unit := uint32(width) * stride
	return [2]uint32{uint32(in.offset&255) * unit, uint32(in.offset>>8&255) * unit}
}

func (w *Wave) readLocalTwice(in *Instruction, width int, stride uint32) {
	address := w.V[in.src[0]]
	for e := w.Exec(); e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		for i, o := range in.twoOffsets(width, stride) {
			b := w.local(in, address[l]+o, width)
			for k := range width / 4 {
				w.V[in.dst+i*width/4+k][l] = binary.LittleEndian.Uint32(b[4*k:])
			}
		}
	}
}

func (w *Wave) writeLocalTwice(in *Instruction, width int, stride uint32) {
	for e := w.Exec(); e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		for i, o := range in.twoOffsets(width, stride) {
			b := w.local(in, w.V[in.src[0]][l]+o, width)
			for k := range width / 4 {
				binary.LittleEndian.PutUint32(b[4*k:], w.V[in.src[1+i]+k][l])
			}
		}
	}
}

// localUpdate is an atomic: NAME_TYPE, or NAME_rtn_TYPE if the old value is wanted.
func localUpdate(name string) func(w *Wave, in *Instruction) {
	cut := strings.LastIndexByte(name, '_')
	if cut < 0 {
		return nil
	}
	verb, typ := name[:cut], name[cut+1:]
	verb, returns := strings.CutSuffix(verb, "_rtn")
	if len(typ) < 3 {
		return nil
	}
	width := 32
	if strings.HasSuffix(typ, "64") {
		width = 64
	}
	compares := verb == "cmpst" || verb == "mskor"
	operation := map[string]string{"cmpst": "cmpswap", "wrxchg": "swap"}[verb]
	switch {
	case operation != "":
	case typ[0] == 'f':
		operation = verb + "_" + typ
	case verb == "min" || verb == "max":
		operation = map[byte]string{'i': "s", 'u': "u"}[typ[0]] + verb
	default:
		operation = verb
	}
	fn := updates[operation]
	if fn == nil || operation == "cmpswap" && typ[0] == 'f' {
		return nil
	}
	return func(w *Wave, in *Instruction) {
		address := w.V[in.src[0]]
		for e := w.Exec(); e != 0; e &= e - 1 {
			l := mathbits.TrailingZeros64(e)
			b := w.local(in, address[l]+uint32(in.offset), width/8)
			x, c := w.operand(in.src[1], l, width), uint64(0)
			if compares { // the first operand is what is compared, or the mask; the second is the value
				x, c = w.operand(in.src[2], l, width), x
			}
			var old uint64
			if width == 64 {
				old = binary.LittleEndian.Uint64(b)
				binary.LittleEndian.PutUint64(b, fn(old, x, c, width))
			} else {
				old = uint64(binary.LittleEndian.Uint32(b))
				binary.LittleEndian.PutUint32(b, uint32(fn(old, x, c, width)))
			}
			if returns {
				w.setOperand(in.dst, l, width, old)
			}
		}
	}
}

func init() {
	waveOps["ds_nop"] = func(*Wave, *Instruction) {}
	// These use the paths of local memory to move values between lanes, and no memory.
	waveOps["ds_bpermute_b32"] = func(w *Wave, in *Instruction) {
		address, data, e := w.V[in.src[0]], w.V[in.src[1]], w.Exec()
		for l := range Lanes {
			if e>>l&1 == 0 {
				continue
			}
			from := (address[l] + uint32(in.offset)) / 4 & 63
			w.V[in.dst][l] = data[from] & -uint32(e>>from&1) // inactive lanes give zero
		}
	}
	waveOps["ds_permute_b32"] = func(w *Wave, in *Instruction) {
		address, data, e := w.V[in.src[0]], w.V[in.src[1]], w.Exec()
		var r Vector
		for l := range Lanes {
			if e>>l&1 == 1 {
				r[(address[l]+uint32(in.offset))/4&63] = data[l]
			}
		}
		for l := range Lanes {
			if e>>l&1 == 1 {
				w.V[in.dst][l] = r[l]
			}
		}
	}
	waveOps["ds_swizzle_b32"] = func(w *Wave, in *Instruction) {
		data, e, pattern := w.V[in.src[0]], w.Exec(), int(in.offset)
		for l := range Lanes {
			if e>>l&1 == 0 {
				continue
			}
			var from int
			if pattern>>15&1 == 1 { // within groups of four
				from = l&^3 + pattern>>(2*(l&3))&3
			} else { // within groups of 32: and, or, xor
				from = l&^31 + (l&31&pattern | pattern>>5&31) ^ pattern>>10&31
			}
			w.V[in.dst][l] = data[from] & -uint32(e>>from&1)
		}
	}
	// One counter in local memory, changed by the number of active lanes.
	for name, sign := range map[string]int64{"ds_append": 1, "ds_consume": -1} {
		waveOps[name] = func(w *Wave, in *Instruction) {
			b := w.local(in, w.S[m0]&0xffff+uint32(in.offset), 4)
			old := binary.LittleEndian.Uint32(b)
			n := sign * int64(mathbits.OnesCount64(w.Exec()))
			binary.LittleEndian.PutUint32(b, uint32(int64(old)+n))
			for e := w.Exec(); e != 0; e &= e - 1 {
				w.V[in.dst][mathbits.TrailingZeros64(e)] = old
			}
		}
	}
}
