package spirv

import (
	"encoding/binary"
	"slices"
)

// constant is a specialization constant (section 2.12).
type constant struct {
	at     int // its instruction's first word
	size   int // bytes; 0 for a boolean
	signed bool
}

func (r *reader) takeConstant(i instruction, short func(int) error) error {
	switch i.op {
	case opTypeInt, opTypeFloat:
		if err := short(2); err != nil {
			return err
		}
		put(&r.types, i.args[0], i)
	case opSpecConstant:
		if err := short(3); err != nil {
			return err
		}
		put(&r.constants, i.args[1], i)
	case opSpecConstantTrue, opSpecConstantFalse:
		if err := short(2); err != nil {
			return err
		}
		put(&r.constants, i.args[1], i)
	case opDecorate:
		if err := short(2); err != nil {
			return err
		}
		if i.args[1] != decorationSpecID {
			break
		}
		if err := short(3); err != nil {
			return err
		}
		if r.ids == nil {
			r.ids = map[uint32][]uint32{}
		}
		r.ids[i.args[2]] = append(r.ids[i.args[2]], i.args[0])
	}
	return nil
}

func put(m *map[uint32]instruction, id uint32, i instruction) {
	if *m == nil {
		*m = map[uint32]instruction{}
	}
	(*m)[id] = i
}

// specialised are the constants of each SpecId. What is decorated without being a scalar constant is none.
func (r *reader) specialised() map[uint32][]constant {
	out := map[uint32][]constant{}
	for id, targets := range r.ids {
		for _, target := range targets {
			i, ok := r.constants[target]
			if !ok {
				continue
			}
			c := constant{at: i.at}
			if i.op == opSpecConstant {
				t, ok := r.types[i.args[0]]
				if !ok {
					continue
				}
				c.size = int(t.args[1] / 8)
				c.signed = t.op == opTypeInt && len(t.args) > 2 && t.args[2] != 0
				if !slices.Contains([]int{1, 2, 4, 8}, c.size) || len(i.args) != 2+(c.size+3)/4 {
					continue
				}
			}
			out[id] = append(out[id], c)
		}
	}
	return out
}

// ConstantSize is the size of the specialization constant's value in bytes, that of a boolean being 1; false if there is no such
// constant.
func (m *Module) ConstantSize(id uint32) (int, bool) {
	cs := m.constants[id]
	if len(cs) == 0 {
		return 0, false
	}
	return max(cs[0].size, 1), true
}

// Bytes is the module with these values, by SpecId, for its specialization constants, as the translator knows it: in this machine's
// byte order, and without what it lacks. Values have the length that ConstantSize says.
func (m *Module) Bytes(values map[uint32][]byte) []byte {
	words := slices.Clone(m.words)
	for id, value := range values {
		for _, c := range m.constants[id] {
			if len(value) == max(c.size, 1) {
				c.set(words, value)
			}
		}
	}
	words = lacking(rewriteNewer(words))
	out := make([]byte, 0, 4*len(words))
	for _, w := range words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// set writes a value into the instruction: a literal of less than a word is extended to one (section 2.2.1).
func (c *constant) set(words []uint32, value []byte) {
	if c.size == 0 {
		op := uint32(opSpecConstantFalse)
		if value[0] != 0 {
			op = opSpecConstantTrue
		}
		words[c.at] = words[c.at]&^0xffff | op
		return
	}
	var full [8]byte
	if c.signed && value[c.size-1]&0x80 != 0 {
		full = [8]byte{255, 255, 255, 255, 255, 255, 255, 255}
	}
	copy(full[:], value)
	words[c.at+3] = binary.LittleEndian.Uint32(full[:])
	if c.size == 8 {
		words[c.at+4] = binary.LittleEndian.Uint32(full[4:])
	}
}
