package gcn

import mathbits "math/bits"

// sdwa is the second word of an instruction that works on bytes or halves of registers ("sub-dword addressing").
type sdwa struct {
	src [2]part
	dst part
	// unused says what becomes of the rest of the result's register: 0 zeros, 1 copies of the sign, 2 what it was.
	unused int
}

// part is a byte (0 to 3), a half (4, 5) or the whole (6) of a register.
type part struct {
	sel    int
	signed bool
}

// place is where the part is and how wide.
func (p part) place() (shift, width int) {
	switch {
	case p.sel < 4:
		return 8 * p.sel, 8
	case p.sel < 6:
		return 16 * (p.sel - 4), 16
	}
	return 0, 32
}

func (p part) apply(to *[Lanes]uint64) {
	shift, width := p.place()
	if width == 32 {
		return
	}
	for l := range to {
		x := to[l] >> shift & (1<<width - 1)
		if p.signed {
			x = uint64(uint32(int32(x<<(32-width)) >> (32 - width)))
		}
		to[l] = x
	}
}

func (s *sdwa) storeResult(from *[Lanes]uint64, to *Vector, mask uint64) {
	shift, width := s.dst.place()
	field := uint32(1<<width-1) << shift
	for e := mask; e != 0; e &= e - 1 {
		l := mathbits.TrailingZeros64(e)
		x := uint32(from[l]) << shift & field
		switch s.unused {
		case 1:
			if x>>(shift+width-1)&1 == 1 {
				x |= ^uint32(0) << shift &^ field
			}
		case 2:
			x |= to[l] &^ field
		}
		to[l] = x
	}
}

func (in *Instruction) decodeSDWA(y uint32) {
	s := &sdwa{unused: bits(y, 11, 2)}
	s.dst.sel = bits(y, 8, 3)
	s.src[0] = part{bits(y, 16, 3), bits(y, 19, 1) == 1}
	s.src[1] = part{bits(y, 24, 3), bits(y, 27, 1) == 1}
	in.src[0] = bits(y, 0, 8)
	if bits(y, 23, 1) == 0 {
		in.src[0] += firstV
	}
	if in.src[1] >= firstV && bits(y, 31, 1) == 1 {
		in.src[1] -= firstV
	}
	in.neg = uint8(bits(y, 20, 1) | bits(y, 28, 1)<<1)
	in.abs = uint8(bits(y, 21, 1) | bits(y, 29, 1)<<1)
	if in.format == VOPC {
		s.dst.sel = 6
		if bits(y, 15, 1) == 1 {
			in.sdst = bits(y, 8, 7)
		}
	} else {
		in.clamp, in.omod = bits(y, 13, 1) == 1, uint8(bits(y, 14, 2))
	}
	in.sdwa = s
}
