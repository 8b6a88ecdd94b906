package device

import (
	"encoding/binary"
	"sync/atomic"
)

// sdma is a copy engine. Its ring holds packets of different lengths; doorbell and read pointer count bytes.
type sdma struct {
	*queue
	pointers uint64 // the page of read and write pointer
	at       uint64
	copied   uint64 // bytes of the copy at hand
}

// Opcodes of packets.
const (
	sdmaNop       = 0
	sdmaCopy      = 1
	sdmaFence     = 5
	sdmaTrap      = 6
	sdmaPoll      = 8
	sdmaAtomic    = 10
	sdmaFill      = 11
	sdmaTimestamp = 13
	sdmaCacheOp   = 17

	copyLinear = 0
	copyRect   = 4
	atomicAdd  = 47
)

func (s *sdma) advance() bool {
	written := atomic.LoadUint64(s.doorbell)
	if written == neverRung || s.at >= written {
		return false
	}
	words := 0
	ok := s.guarded(func() {
		packet := make([]uint32, 16) // longer than any; the ring may wrap within
		for i := range packet {
			packet[i] = *word32(s.ring + (s.at+4*uint64(i))%s.size)
		}
		words = s.execute(packet)
	})
	switch {
	case !ok || words == partly:
		return true
	case words == 0:
		return false
	}
	s.at += uint64(4 * words)
	atomic.StoreUint64(s.read, s.at)
	return true
}

// partly is in place of a packet's length that there is more to do of it.
const partly = -1

// execute does a packet and gives its length in words, 0 if it must wait, or partly. Of long copies it does a random part, so that others
// can be seen to read what is not there yet.
func (s *sdma) execute(p []uint32) int {
	address := func(i int) uint64 { return uint64(p[i]) | uint64(p[i+1])<<32 }
	g := s.gpu
	switch op, sub := p[0]&0xff, p[0]>>8&0xff; {
	case op == sdmaNop:
		return 1 + int(p[0]>>16&0x3fff)
	case op == sdmaCopy && sub == copyLinear:
		n := uint64(p[1]&0x3fffff) + 1
		if s.copied == 0 {
			g.logf("queue %d: copy %d bytes from %#x to %#x", s.id, n, address(3), address(5))
		}
		part := min(n-s.copied, page*(1+g.random.Uint64N(32)))
		s.copy(address(5)+s.copied, address(3)+s.copied, part)
		if s.copied += part; s.copied < n {
			return partly
		}
		s.copied = 0
		return 7
	case op == sdmaCopy && sub == copyRect:
		s.copyRect(p)
		return 13
	case op == sdmaFence:
		atomic.StoreUint32(word32At(g.access(address(1), 4, true)), p[3])
		return 4
	case op == sdmaTrap:
		g.Raise(p[1] & 0xfffffff)
		return 2
	case op == sdmaPoll:
		// A register, or the flush of the host's path to the GPU's memory, is as it should be at once.
		memory, flush := p[0]>>31 == 1, p[0]>>26&1 == 1
		if memory && !flush && !polled(atomic.LoadUint32(word32At(g.access(address(1), 4, false)))&p[4], p[3], p[0]>>28&7) {
			return 0
		}
		return 6
	case op == sdmaAtomic && p[0]>>25 == atomicAdd:
		atomic.AddUint64(g.word64(address(1), true), address(3))
		return 8
	case op == sdmaFill:
		n := uint64(p[4]&0x3fffff)&^3 + 4
		b := g.access(address(1), n, true)
		for i := 0; i < len(b); i += 4 {
			binary.LittleEndian.PutUint32(b[i:], p[3])
		}
		s.ordered(address(1), 0, n)
		return 5
	case op == sdmaTimestamp:
		atomic.StoreUint64(g.word64(address(1), true), Clock())
		return 3
	case op == sdmaCacheOp:
		return 5
	default:
		s.halted = true
		g.report("queue %d: copy engines have no packet %d.%d (%08x)", s.id, op, sub, p[0])
		return 0
	}
}

// polled is whether a comparison of the copy engine holds.
func polled(value, reference, function uint32) bool {
	switch function {
	case 1:
		return value < reference
	case 2:
		return value <= reference
	case 3:
		return value == reference
	case 4:
		return value != reference
	case 5:
		return value >= reference
	case 6:
		return value > reference
	}
	return true
}

func (s *sdma) copy(to, from, n uint64) {
	copy(s.gpu.access(to, n, true), s.gpu.access(from, n, false))
	s.ordered(to, from, n)
}

// copyRect copies part of one pitched volume into another.
func (s *sdma) copyRect(p []uint32) {
	element := uint64(1) << (p[0] >> 29)
	type volume struct {
		base, x, y, z, pitch, slice uint64
	}
	at := func(i int) volume {
		return volume{uint64(p[i]) | uint64(p[i+1])<<32, uint64(p[i+2] & 0x3fff), uint64(p[i+2] >> 16 & 0x3fff), uint64(p[i+3] & 0x7ff),
			uint64(p[i+3]>>13) + 1, uint64(p[i+4]&0xfffffff) + 1}
	}
	from, to := at(1), at(6)
	width, height, depth := uint64(p[11]&0x3fff)+1, uint64(p[11]>>16&0x3fff)+1, uint64(p[12]&0x7ff)+1
	row := func(v volume, y, z uint64) uint64 {
		return v.base + ((v.z+z)*v.slice+(v.y+y)*v.pitch+v.x)*element
	}
	for z := range depth {
		for y := range height {
			s.copy(row(to, y, z), row(from, y, z), width*element)
		}
	}
}
