package codeobject

import (
	"encoding/binary"
	"errors"
	"math"
)

// errMessagePack is returned for bytes that are not MessagePack, or use what metadata does not.
var errMessagePack = errors.New("damaged metadata")

// maxDepth bounds how deep maps and lists lie in each other.
const maxDepth = 16

// unpack reads one value of MessagePack (msgpack.org): a map[string]any, []any, string, uint64, int64, float64, bool or nil. It returns what is
// behind it.
func unpack(b []byte, depth int) (v any, rest []byte, err error) {
	if len(b) == 0 || depth > maxDepth {
		return nil, nil, errMessagePack
	}
	tag := b[0]
	b = b[1:]
	switch {
	case tag < 0x80:
		return uint64(tag), b, nil
	case tag < 0x90:
		return unpackMap(b, uint64(tag&0xf), depth)
	case tag < 0xa0:
		return unpackList(b, uint64(tag&0xf), depth)
	case tag < 0xc0:
		return unpackText(b, uint64(tag&0x1f))
	case tag >= 0xe0:
		return int64(int8(tag)), b, nil
	}
	switch tag {
	case 0xc0:
		return nil, b, nil
	case 0xc2, 0xc3:
		return tag == 0xc3, b, nil
	}
	size, ok := widths[tag]
	if !ok || len(b) < size {
		return nil, nil, errMessagePack
	}
	n := number(b[:size])
	b = b[size:]
	switch tag {
	case 0xca:
		return float64(math.Float32frombits(uint32(n))), b, nil
	case 0xcb:
		return math.Float64frombits(n), b, nil
	case 0xd0, 0xd1, 0xd2, 0xd3:
		shift := 64 - 8*size
		return int64(n<<shift) >> shift, b, nil
	case 0xd9, 0xda, 0xdb:
		return unpackText(b, n)
	case 0xdc, 0xdd:
		return unpackList(b, n, depth)
	case 0xde, 0xdf:
		return unpackMap(b, n, depth)
	}
	return n, b, nil
}

// widths are how many bytes the number behind a tag takes, by the tag: that of floats, integers, and the lengths of texts, lists and maps.
var widths = map[byte]int{0xca: 4, 0xcb: 8, 0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8, 0xd0: 1, 0xd1: 2, 0xd2: 4, 0xd3: 8,
	0xd9: 1, 0xda: 2, 0xdb: 4, 0xdc: 2, 0xdd: 4, 0xde: 2, 0xdf: 4}

// number reads a number of 1, 2, 4 or 8 bytes.
func number(b []byte) uint64 {
	var wide [8]byte
	copy(wide[8-len(b):], b)
	return binary.BigEndian.Uint64(wide[:])
}

func unpackText(b []byte, n uint64) (any, []byte, error) {
	if n > uint64(len(b)) {
		return nil, nil, errMessagePack
	}
	return string(b[:n]), b[n:], nil
}

func unpackList(b []byte, n uint64, depth int) (any, []byte, error) {
	if n > uint64(len(b)) { // each takes a byte at least
		return nil, nil, errMessagePack
	}
	list := make([]any, n)
	var err error
	for i := range list {
		if list[i], b, err = unpack(b, depth+1); err != nil {
			return nil, nil, err
		}
	}
	return list, b, nil
}

func unpackMap(b []byte, n uint64, depth int) (any, []byte, error) {
	if n > uint64(len(b)) {
		return nil, nil, errMessagePack
	}
	m := make(map[string]any, n)
	for range n {
		var key, value any
		var err error
		if key, b, err = unpack(b, depth+1); err != nil {
			return nil, nil, err
		}
		if value, b, err = unpack(b, depth+1); err != nil {
			return nil, nil, err
		}
		name, ok := key.(string)
		if !ok {
			return nil, nil, errMessagePack
		}
		m[name] = value
	}
	return m, b, nil
}
