// Package spirv reads SPIR-V modules as far as an OpenCL driver has to understand them before it hands them to a translator: is
// this a module, can it be consumed, and which specialization constants has it (SPIR-V specification, version 1.6).
package spirv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// MaxMinor is the newest version of SPIR-V: 1.0 up to 1.MaxMinor are accepted.
const MaxMinor = 6

// Module is a module that is well-formed: instructions fill it, and what it declares to need is there.
type Module struct {
	words     []uint32 // in this machine's order, header included
	Minor     uint32   // version 1.Minor
	constants map[uint32][]constant
}

// ErrMalformed is what is wrong with bytes that are no module.
var ErrMalformed = errors.New("not a SPIR-V module")

// Words of the header (section 2.3).
const (
	magic       = 0x07230203
	headerWords = 5
	maxBound    = 4194303 // "Universal limits", section 2.17
)

// Instructions and operands that are looked at (section 3).
const (
	opExtension         = 10
	opExtInstImport     = 11
	opMemoryModel       = 14
	opEntryPoint        = 15
	opCapability        = 17
	opTypeBool          = 20
	opTypeInt           = 21
	opTypeFloat         = 22
	opSpecConstantTrue  = 48
	opSpecConstantFalse = 49
	opSpecConstant      = 50
	opDecorate          = 71

	decorationSpecID     = 1
	addressingPhysical   = 2 // Physical64
	memoryModelOpenCL    = 2
	executionModelKernel = 6
)

// instruction is one instruction of a module.
type instruction struct {
	op   uint32
	at   int // index of its first word
	args []uint32
}

// Is reports whether data begins as a module does, in either byte order.
func Is(data []byte) bool {
	return len(data) >= 4 && (binary.LittleEndian.Uint32(data) == magic || binary.BigEndian.Uint32(data) == magic)
}

// Parse reads a module for a device that has the capabilities and extensions of s; nil is one that has all. An error tells why it cannot be consumed.
func Parse(data []byte, s *Support) (*Module, error) {
	words, err := toWords(data)
	if err != nil {
		return nil, err
	}
	m := &Module{words: words}
	version, bound, schema := words[1], words[3], words[4]
	m.Minor = version >> 8 & 0xff
	switch {
	case version>>16 != 1 || version&0xff != 0:
		return nil, fmt.Errorf("%w: version word %#x", ErrMalformed, version)
	case m.Minor > MaxMinor:
		return nil, fmt.Errorf("SPIR-V 1.%d is newer than 1.%d", m.Minor, MaxMinor)
	case bound == 0 || bound > maxBound:
		return nil, fmt.Errorf("%w: %d ids", ErrMalformed, bound)
	case schema != 0:
		return nil, fmt.Errorf("%w: instruction schema %d", ErrMalformed, schema)
	}
	r := reader{module: m, support: s}
	for at := headerWords; at < len(words); {
		n := int(words[at] >> 16)
		if n == 0 || n > len(words)-at {
			return nil, fmt.Errorf("%w: the instruction at word %d has %d words", ErrMalformed, at, n)
		}
		if err := r.take(instruction{words[at] & 0xffff, at, words[at+1 : at+n]}); err != nil {
			return nil, fmt.Errorf("at word %d: %w", at, err)
		}
		at += n
	}
	if !r.memoryModel {
		return nil, fmt.Errorf("%w: no memory model", ErrMalformed)
	}
	m.constants = r.specialised()
	return m, nil
}

// toWords puts a module's bytes in this machine's order.
func toWords(data []byte) ([]uint32, error) {
	if len(data) < 4*headerWords || len(data)%4 != 0 || !Is(data) {
		return nil, ErrMalformed
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if order.Uint32(data) != magic {
		order = binary.BigEndian
	}
	words := make([]uint32, len(data)/4)
	for i := range words {
		words[i] = order.Uint32(data[4*i:])
	}
	return words, nil
}

// reader goes through a module once.
type reader struct {
	module      *Module
	support     *Support
	memoryModel bool
	types       map[uint32]instruction // OpTypeInt, OpTypeFloat
	constants   map[uint32]instruction // OpSpecConstant, …True, …False
	ids         map[uint32][]uint32    // targets of each SpecId
}

func (r *reader) take(i instruction) error {
	short := func(n int) error {
		if len(i.args) < n {
			return fmt.Errorf("%w: instruction %d is cut short", ErrMalformed, i.op)
		}
		return nil
	}
	switch i.op {
	case opCapability:
		if err := short(1); err != nil {
			return err
		}
		if r.support != nil && !slices.Contains(r.support.Capabilities, i.args[0]) {
			return fmt.Errorf("capability %d is not supported", i.args[0])
		}
	case opExtension:
		name, _, ok := literal(i.args)
		if !ok {
			return fmt.Errorf("%w: a string has no end", ErrMalformed)
		}
		if r.support != nil && !slices.Contains(r.support.Extensions, name) {
			return fmt.Errorf("extension %q is not supported", name)
		}
	case opExtInstImport:
		if err := short(2); err != nil {
			return err
		}
		name, _, ok := literal(i.args[1:])
		if !ok {
			return fmt.Errorf("%w: a string has no end", ErrMalformed)
		}
		if r.support != nil && !slices.Contains(r.support.InstructionSets, name) {
			return fmt.Errorf("instruction set %q is not supported", name)
		}
	case opMemoryModel:
		if err := short(2); err != nil {
			return err
		}
		if i.args[0] != addressingPhysical || i.args[1] != memoryModelOpenCL || r.memoryModel {
			return errors.New("the memory model must be OpenCL's with physical addresses of 64 bits")
		}
		r.memoryModel = true
	case opEntryPoint:
		if err := short(3); err != nil {
			return err
		}
		if i.args[0] != executionModelKernel {
			return fmt.Errorf("execution model %d is not supported", i.args[0])
		}
	case opTypeBool, opTypeInt, opTypeFloat, opSpecConstant, opSpecConstantTrue, opSpecConstantFalse, opDecorate:
		return r.takeConstant(i, short)
	}
	return nil
}

// literal decodes a string (section 2.2.1): UTF-8, ended by a zero byte, the last word filled with zeros.
func literal(words []uint32) (text string, used int, ok bool) {
	var b []byte
	for n, w := range words {
		for range 4 {
			if w&0xff == 0 {
				return string(b), n + 1, true
			}
			b = append(b, byte(w))
			w >>= 8
		}
	}
	return "", 0, false
}
