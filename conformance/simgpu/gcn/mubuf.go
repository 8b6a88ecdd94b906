package gcn

// bufferPlace is where a lane's access goes through a buffer's descriptor: four scalar registers with the base, the size, and whether
// memory is private, that is, interleaved by lane and word. Other descriptors are those of plain buffers.
func (w *Wave) bufferPlace(in *Instruction, lane int) place {
	d := w.S[in.src[2]:]
	if in.word[0]>>13&1 == 1 || in.word[0]>>16&1 == 1 {
		w.unsupported(in, "structured buffer, or one that loads to local memory")
	}
	offset := uint32(in.offset)
	if in.word[0]>>12&1 == 1 {
		offset += w.V[in.src[0]][lane]
	}
	base := uint64(d[0]) | uint64(d[1]&0xffff)<<32
	soffset := w.scalar(in, in.sdst, 'u')
	if swizzled, perLane := d[1]>>31 == 1, d[3]>>23&1 == 1; swizzled || perLane {
		return place{address: base + soffset, private: true, offset: offset}
	}
	return place{address: base + soffset + uint64(offset), none: offset >= d[2]}
}
