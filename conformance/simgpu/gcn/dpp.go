package gcn

// dpp is the second word of an instruction whose first operand comes from another lane ("data-parallel primitives").
type dpp struct {
	control           int
	rowMask, bankMask int  // groups of 16 and of 4 lanes that are written
	boundZero         bool // lanes without a source read zero, instead of not being written
}

func (in *Instruction) decodeDPP(y uint32) {
	in.src[0] = bits(y, 0, 8) + firstV
	in.neg = uint8(bits(y, 20, 1) | bits(y, 22, 1)<<1)
	in.abs = uint8(bits(y, 21, 1) | bits(y, 23, 1)<<1)
	in.dpp = &dpp{control: bits(y, 8, 9), boundZero: bits(y, 19, 1) == 1, bankMask: bits(y, 24, 4), rowMask: bits(y, 28, 4)}
}

// source is the lane that lane l reads, negative if there is none.
func (d *dpp) source(l int) int {
	row, at := l&^15, l&15
	inRow := func(to int) int {
		if to < 0 || to > 15 {
			return -1
		}
		return row + to
	}
	n := d.control & 15
	switch c := d.control; {
	case c < 0x100: // quad_perm
		return l&^3 + c>>(2*(l&3))&3
	case c > 0x100 && c < 0x110: // row_shl
		return inRow(at + n)
	case c > 0x110 && c < 0x120: // row_shr
		return inRow(at - n)
	case c > 0x120 && c < 0x130: // row_ror
		return row + (at-n)&15
	case c == 0x130: // wave_shl:1
		return [2]int{l + 1, -1}[l/63]
	case c == 0x134: // wave_rol:1
		return (l + 1) & 63
	case c == 0x138: // wave_shr:1
		return l - 1
	case c == 0x13c: // wave_ror:1
		return (l - 1) & 63
	case c == 0x140: // row_mirror
		return row + 15 - at
	case c == 0x141: // row_half_mirror
		return l&^7 + 7 - l&7
	case c == 0x142: // row_bcast:15: the last lane of the row before
		return row - 1
	case c == 0x143: // row_bcast:31
		if l < 32 {
			return -1
		}
		return 31
	}
	return -1
}

// moveLanes puts each lane's source in its place and gives the lanes to be written.
func (w *Wave) moveLanes(d *dpp, x *[Lanes]uint64, mask uint64) uint64 {
	old, active := *x, mask
	for l := range x {
		if d.rowMask>>(l/16)&1 == 0 || d.bankMask>>(l/4%4)&1 == 0 {
			mask &^= 1 << l
			continue
		}
		from := d.source(l)
		if from >= 0 && active>>from&1 == 1 {
			x[l] = old[from]
			continue
		}
		x[l] = 0
		if !d.boundZero {
			mask &^= 1 << l
		}
	}
	return mask
}
