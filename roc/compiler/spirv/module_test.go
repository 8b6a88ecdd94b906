package spirv

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var device = &Support{
	Capabilities:    []uint32{CapabilityAddresses, CapabilityKernel, CapabilityInt64},
	Extensions:      []string{ExtensionLinkOnceODR},
	InstructionSets: []string{SetOpenCL},
}

// op encodes an instruction.
func op(code uint32, args ...uint32) []uint32 {
	return append([]uint32{uint32(len(args)+1)<<16 | code}, args...)
}

// text encodes a string.
func text(s string) (words []uint32) {
	b := append([]byte(s), 0)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	for ; len(b) > 0; b = b[4:] {
		words = append(words, binary.LittleEndian.Uint32(b))
	}
	return words
}

// module is a module of version 1.minor with these instructions.
func module(order binary.AppendByteOrder, minor uint32, instructions ...[]uint32) (out []byte) {
	words := append([]uint32{magic, 1<<16 | minor<<8, 0, 100, 0}, slices.Concat(instructions...)...)
	for _, w := range words {
		out = order.AppendUint32(out, w)
	}
	return out
}

var memoryModel = op(opMemoryModel, addressingPhysical, memoryModelOpenCL)

func TestModulesAreAcceptedInEitherByteOrder(t *testing.T) {
	instructions := [][]uint32{op(opCapability, CapabilityKernel), op(opExtension, text(ExtensionLinkOnceODR)...),
		op(opExtInstImport, append([]uint32{1}, text(SetOpenCL)...)...), memoryModel, op(opEntryPoint, append([]uint32{executionModelKernel, 2}, text("k")...)...)}
	little, err := Parse(module(binary.LittleEndian, 2, instructions...), device)
	require.NoError(t, err)
	require.EqualValues(t, 2, little.Minor)
	big, err := Parse(module(binary.BigEndian, 2, instructions...), device)
	require.NoError(t, err)
	require.Equal(t, little, big)
	require.Equal(t, module(binary.LittleEndian, 2, instructions...), big.Bytes(nil))
}

func TestModulesThatCannotBeConsumed(t *testing.T) {
	header := func(at int, value uint32) []byte {
		m := module(binary.LittleEndian, 0, memoryModel)
		binary.LittleEndian.PutUint32(m[4*at:], value)
		return m
	}
	le := func(instructions ...[]uint32) []byte { return module(binary.LittleEndian, 0, instructions...) }
	for name, m := range map[string][]byte{
		"nothing":                {},
		"a header cut short":     le()[:16],
		"half a word":            append(le(memoryModel), 0),
		"another magic":          header(0, 1),
		"version 2":              header(1, 2<<16),
		"a newer version":        header(1, 1<<16|(MaxMinor+1)<<8),
		"no ids":                 header(3, 0),
		"too many ids":           header(3, 1<<31),
		"a schema":               header(4, 1),
		"an empty instruction":   le(memoryModel, []uint32{0}),
		"an instruction too far": le(memoryModel, []uint32{2 << 16}),
		"no memory model":        le(op(opCapability, CapabilityKernel)),
		"two memory models":      le(memoryModel, memoryModel),
		"32-bit addresses":       le(op(opMemoryModel, 1, memoryModelOpenCL)),
		"GLSL's memory model":    le(op(opMemoryModel, addressingPhysical, 1)),
		"a shader":               le(memoryModel, op(opEntryPoint, 5, 1, 0)),
		"another capability":     le(op(opCapability, CapabilityPipes), memoryModel),
		"another extension":      le(op(opExtension, text("SPV_OTHER")...), memoryModel),
		"an endless string":      le(op(opExtension, 0x41414141), memoryModel),
		"another set":            le(op(opExtInstImport, append([]uint32{1}, text("GLSL.std.450")...)...), memoryModel),
		"a short decoration":     le(memoryModel, op(opDecorate, 1, decorationSpecID)),
		"a short constant":       le(memoryModel, op(opSpecConstant, 1, 2)),
		"a short capability":     le(op(opCapability), memoryModel),
	} {
		_, err := Parse(m, device)
		require.Error(t, err, name)
	}
}

func TestConstantsAreFoundByTheirSpecID(t *testing.T) {
	const i8, u16, f64, text, missing = 1, 2, 3, 4, 99
	m, err := Parse(module(binary.LittleEndian, 0, memoryModel,
		op(opDecorate, 10, decorationSpecID, 0), op(opDecorate, 11, decorationSpecID, 1), op(opDecorate, 12, decorationSpecID, 2), op(opDecorate, 13, decorationSpecID, 3),
		op(opDecorate, missing, decorationSpecID, 4), op(opDecorate, 14, decorationSpecID, 5), op(opDecorate, 15, decorationSpecID, 6), op(opDecorate, 16, decorationSpecID, 3),
		op(opTypeInt, i8, 8, 1), op(opTypeInt, u16, 16, 0), op(opTypeFloat, f64, 64),
		op(opSpecConstantTrue, 20, 10), op(opSpecConstant, i8, 11, 5), op(opSpecConstant, u16, 12, 6), op(opSpecConstant, f64, 13, 0, 0),
		op(opSpecConstant, missing, 14, 7), op(opSpecConstant, i8, 15, 7, 7), op(opSpecConstantFalse, 20, 16)), device)
	require.NoError(t, err)
	for id, want := range map[uint32]int{0: 1, 1: 1, 2: 2, 3: 8} {
		size, ok := m.ConstantSize(id)
		require.True(t, ok, id)
		require.Equal(t, want, size, id)
	}
	for _, id := range []uint32{4, 5, 6, 7} {
		_, ok := m.ConstantSize(id)
		require.False(t, ok, "%d: undefined, of an unknown type, of a wrong length, not there", id)
	}
	before := m.Bytes(nil)
	changed := m.Bytes(map[uint32][]byte{0: {0}, 1: {0x80}, 2: {0xff, 0xff}, 3: {1, 2, 3, 4, 5, 6, 7, 8}})
	require.Equal(t, before, m.Bytes(nil), "the module itself stays as it is")
	var words []uint32
	for i := 0; i < len(changed); i += 4 {
		if w := binary.LittleEndian.Uint32(changed[i:]); w != binary.LittleEndian.Uint32(before[i:]) {
			words = append(words, w)
		}
	}
	require.Equal(t, []uint32{3<<16 | opSpecConstantFalse, 0xffffff80, 0xffff, 0x04030201, 0x08070605}, words, "signed literals are extended")
}

func TestScalarNullsBecomeConstants(t *testing.T) {
	types := [][]uint32{memoryModel, op(opTypeBool, 1), op(opTypeInt, 2, 8, 0), op(opTypeFloat, 3, 64), op(opTypeVector, 4, 2, 2)}
	null := func(of ...uint32) (out [][]uint32) {
		for _, t := range of {
			out = append(out, op(opConstantNull, t, t+10))
		}
		return append(slices.Clone(types), out...)
	}
	m, err := Parse(module(binary.LittleEndian, 0, null(1, 2, 3, 4)...), device)
	require.NoError(t, err)
	want := append(slices.Clone(types), op(opConstantFalse, 1, 11), op(opConstant, 2, 12, 0), op(opConstant, 3, 13, 0, 0), op(opConstantNull, 4, 14))
	require.Equal(t, module(binary.LittleEndian, 0, want...), m.Bytes(nil))
}

func FuzzParse(f *testing.F) {
	f.Add(module(binary.LittleEndian, 0, op(opCapability, CapabilityKernel), memoryModel))
	f.Add(module(binary.BigEndian, 1, memoryModel, op(opDecorate, 1, decorationSpecID, 0), op(opTypeInt, 2, 32, 1), op(opSpecConstant, 2, 1, 5)))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data, device)
		if err != nil {
			return
		}
		values := map[uint32][]byte{}
		for id := range m.constants {
			size, _ := m.ConstantSize(id)
			values[id] = make([]byte, size)
		}
		again, err := Parse(m.Bytes(values), device)
		require.NoError(t, err)
		require.Len(t, again.words, len(m.words))
	})
}
