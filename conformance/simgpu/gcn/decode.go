package gcn

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Format is an encoding of instructions.
type Format uint8

// Formats of gfx9, except for images, exports and interpolation.
const (
	SOP1 Format = iota
	SOP2
	SOPC
	SOPK
	SOPP
	SMEM
	VOP1
	VOP2
	VOPC
	VOP3
	VOP3P
	DS
	MUBUF
	FLAT
	SCRATCH
	GLOBAL
)

var formatNames = [...]string{"SOP1", "SOP2", "SOPC", "SOPK", "SOPP", "SMEM", "VOP1", "VOP2", "VOPC", "VOP3", "VOP3P", "DS", "MUBUF", "FLAT",
	"SCRATCH", "GLOBAL"}

func (f Format) String() string { return formatNames[f] }

// Source operands with a meaning of their own.
const (
	noOperand = -1
	srcSDWA   = 249
	srcDPP    = 250
	literal   = 255
	firstV    = 256 // vector registers follow
)

// Instruction is a decoded instruction.
type Instruction struct {
	Name   string
	format Format
	op     int
	size   int
	long   bool // the 64-bit encoding of a vector instruction

	dst    int    // register, scalar or vector by format
	sdst   int    // scalar register for carries and masks
	src    [3]int // operands as gfx9 numbers them, from 256 on vector registers
	lit    uint32
	offset int64

	abs, neg         uint8 // a bit for each source
	opsel, opselHigh uint8
	clamp            bool
	omod             uint8
	sdwa             *sdwa
	dpp              *dpp
	word             [2]uint32

	run  func(w *Wave, in *Instruction)
	lane *laneOp
}

// Program decodes instructions once.
type Program struct {
	sharedBase, privateBase uint64 // where flat addresses mean local and private memory: the upper 32 bits count

	names map[Format]map[int]string
	code  map[uint64]*Instruction
}

// NewProgram is for code of a chip, gfx906 or gfx90a, with the flat addresses of local and private memory.
func NewProgram(chip string, sharedBase, privateBase uint64) (*Program, error) {
	names, ok := map[string]map[Format]map[int]string{"gfx906": gfx906Names, "gfx90a": gfx90aNames}[chip]
	if !ok {
		return nil, fmt.Errorf("no instruction set of %s", chip)
	}
	return &Program{sharedBase, privateBase, names, map[uint64]*Instruction{}}, nil
}

func (p *Program) at(pc uint64, m Memory) *Instruction {
	in := p.code[pc]
	if in == nil {
		in = p.decode(pc, func(n uint64) uint32 { return binary.LittleEndian.Uint32(m.Access(pc+n, 4, Fetch)) })
		p.code[pc] = in
	}
	return in
}

// Forget drops what was decoded, as memory has changed.
func (p *Program) Forget() { clear(p.code) }

func bits(x uint32, low, n int) int { return int(x >> low & (1<<n - 1)) }

func (p *Program) decode(pc uint64, word func(at uint64) uint32) *Instruction {
	x := word(0)
	in := &Instruction{size: 4, src: [3]int{noOperand, noOperand, noOperand}}
	in.word[0] = x
	in.format = formatOf(x, pc)
	second := func() uint32 {
		if in.size == 4 {
			in.size = 8
			in.word[1] = word(4)
		}
		return in.word[1]
	}
	switch in.format {
	case VOP1, VOP2, VOPC:
		in.decodeShort(x, second)
	case VOP3, VOP3P:
		in.decodeLong(x, second())
	case SOP1, SOP2, SOPC, SOPK, SOPP:
		in.decodeScalar(x)
	default:
		in.decodeMemory(x, second())
	}
	in.Name = p.names[in.format][in.op]
	if in.Name == "" {
		panic(&Unsupported{pc, fmt.Sprintf("%v has no opcode %#x (%08x)", in.format, in.op, x)})
	}
	for k := range in.src { // v_madmk and its kin have a literal that is no operand
		if strings.HasPrefix(in.Name, "v_madmk") || strings.HasPrefix(in.Name, "v_madak") || in.src[k] == literal {
			in.lit = second()
		}
	}
	if in.Name == "s_setreg_imm32_b32" {
		in.lit = second()
	}
	in.bind(pc)
	return in
}

func formatOf(x uint32, pc uint64) Format {
	switch {
	case x>>31 == 0:
		switch x >> 25 {
		case 0x3f:
			return VOP1
		case 0x3e:
			return VOPC
		}
		return VOP2
	case x>>30 == 2:
		switch {
		case x>>23 == 0x17d:
			return SOP1
		case x>>23 == 0x17e:
			return SOPC
		case x>>23 == 0x17f:
			return SOPP
		case x>>28 == 0xb:
			return SOPK
		}
		return SOP2
	}
	switch x >> 26 {
	case 0x30:
		return SMEM
	case 0x34:
		if x>>23 == 0x1a7 {
			return VOP3P
		}
		return VOP3
	case 0x36:
		return DS
	case 0x37:
		return []Format{FLAT, SCRATCH, GLOBAL, FLAT}[bits(x, 14, 2)]
	case 0x38:
		return MUBUF
	}
	panic(&Unsupported{pc, fmt.Sprintf("no format of gfx9 begins with %08x", x)})
}

func (in *Instruction) decodeScalar(x uint32) {
	switch in.format {
	case SOP1:
		in.op, in.dst, in.src[0] = bits(x, 8, 8), bits(x, 16, 7), bits(x, 0, 8)
	case SOP2:
		in.op, in.dst, in.src[0], in.src[1] = bits(x, 23, 7), bits(x, 16, 7), bits(x, 0, 8), bits(x, 8, 8)
	case SOPC:
		in.op, in.src[0], in.src[1] = bits(x, 16, 7), bits(x, 0, 8), bits(x, 8, 8)
	case SOPK:
		in.op, in.dst, in.offset = bits(x, 23, 5), bits(x, 16, 7), int64(int16(x))
	case SOPP:
		in.op, in.offset = bits(x, 16, 7), int64(int16(x))
	}
}

func (in *Instruction) decodeShort(x uint32, second func() uint32) {
	in.src[0], in.sdst = bits(x, 0, 9), vcc
	switch in.format {
	case VOP1:
		in.op, in.dst = bits(x, 9, 8), bits(x, 17, 8)
	case VOP2:
		in.op, in.dst, in.src[1], in.src[2] = bits(x, 25, 6), bits(x, 17, 8), bits(x, 9, 8)+firstV, vcc
	case VOPC:
		in.op, in.src[1] = bits(x, 17, 8), bits(x, 9, 8)+firstV
	}
	switch in.src[0] {
	case srcSDWA:
		in.decodeSDWA(second())
	case srcDPP:
		in.decodeDPP(second())
	}
}

// decodeLong is for VOP3, whose lower opcodes are those of the short formats, and VOP3P.
func (in *Instruction) decodeLong(x, y uint32) {
	in.long = true
	in.dst, in.sdst = bits(x, 0, 8), bits(x, 8, 7)
	in.src = [3]int{bits(y, 0, 9), bits(y, 9, 9), bits(y, 18, 9)}
	in.abs, in.neg = uint8(bits(x, 8, 3)), uint8(bits(y, 29, 3))
	in.clamp = bits(x, 15, 1) == 1
	in.opsel = uint8(bits(x, 11, 4))
	if in.format == VOP3P {
		in.op = bits(x, 16, 7)
		in.opsel &= 7
		in.opselHigh = uint8(bits(y, 27, 2) | bits(x, 14, 1)<<2)
		return
	}
	in.op, in.omod = bits(x, 16, 10), uint8(bits(y, 27, 2))
	switch {
	case in.op < 0x100:
		in.format, in.sdst = VOPC, bits(x, 0, 8)
	case in.op < 0x140:
		in.format, in.op = VOP2, in.op-0x100
	case in.op < 0x1c0:
		in.format, in.op = VOP1, in.op-0x140
	}
}

func (in *Instruction) decodeMemory(x, y uint32) {
	switch in.format {
	case SMEM:
		in.op, in.dst, in.src[0] = bits(x, 18, 8), bits(x, 6, 7), bits(x, 0, 6)*2
		if bits(x, 17, 1) == 1 {
			in.offset = int64(int32(y<<11) >> 11)
		} else {
			in.src[1] = bits(y, 0, 7)
		}
		if bits(x, 14, 1) == 1 { // SOE: a scalar register beside the constant
			in.src[1] = bits(y, 25, 7)
		}
	case DS:
		in.op, in.offset = bits(x, 17, 8), int64(x&0xffff)
		in.src = [3]int{bits(y, 0, 8), bits(y, 8, 8), bits(y, 16, 8)}
		in.dst = bits(y, 24, 8)
	case MUBUF:
		in.op, in.offset = bits(x, 18, 7), int64(x&0xfff)
		in.src = [3]int{bits(y, 0, 8), bits(y, 8, 8), bits(y, 16, 5) * 4}
		in.dst, in.sdst = bits(y, 8, 8), bits(y, 24, 8) // sdst: the scalar offset
	default:
		in.op = bits(x, 18, 7)
		in.offset = int64(int32(x<<19) >> 19)
		if in.format == FLAT {
			in.offset = int64(x & 0xfff)
		}
		in.src = [3]int{bits(y, 0, 8), bits(y, 8, 8), bits(y, 16, 7)}
		in.dst = bits(y, 24, 8)
	}
}

// bind finds what executes the instruction.
func (in *Instruction) bind(pc uint64) {
	if in.lane = laneOps[in.Name]; in.lane != nil {
		in.run = runLanes
		if in.lane.sig[0] == 'm' {
			in.run = runCompare
		}
	} else if run := waveOps[in.Name]; run != nil {
		in.run = run
	} else if in.run = memoryOp(in); in.run == nil {
		panic(&Unsupported{pc, in.Name + " is not emulated"})
	}
	if carries(in.Name) && in.long { // these have a scalar result where others have modifiers
		in.abs, in.opsel = 0, 0
	}
}

func carries(name string) bool {
	for _, p := range []string{"v_add_co_", "v_sub_co_", "v_subrev_co_", "v_addc_co_", "v_subb_co_", "v_subbrev_co_", "v_div_scale_", "v_mad_u64_", "v_mad_i64_"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// waveOps are the instructions that are not done lane by lane.
var waveOps = map[string]func(w *Wave, in *Instruction){}
