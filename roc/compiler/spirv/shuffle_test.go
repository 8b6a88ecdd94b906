package spirv

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShufflesOfDifferentLengths(t *testing.T) {
	const u32, two, four, a, b, result, next = 1, 2, 4, 10, 11, 12, 100
	head := func() []uint32 {
		words := append([]uint32{magic, 1 << 16, 0, next, 0}, op(opTypeInt, u32, 32, 0)...)
		words = append(words, op(opTypeVector, two, u32, 2)...)
		words = append(words, op(opTypeVector, four, u32, 4)...)
		words = append(words, op(5, two, a)...)                 // a name, which is no value
		return append(words, op(opFunction, u32, 50, 0, 51)...) // what precedes it is not looked at here
	}
	shuffled := func(typeA, typeB uint32, components ...uint32) []uint32 {
		words := append(head(), op(1, typeA, a)...)
		words = append(words, op(1, typeB, b)...)
		return append(words, op(opVectorShuffle, append([]uint32{four, result, a, b}, components...)...)...)
	}
	for name, c := range map[string]struct {
		typeA, typeB uint32
		components   []uint32
		want         [][]uint32 // in place of the shuffle
	}{
		"of one length":    {four, four, []uint32{0, 7, 1, undefinedComponent}, [][]uint32{op(opVectorShuffle, four, result, a, b, 0, 7, 1, undefinedComponent)}},
		"the second short": {four, two, []uint32{0, 4, 5, undefinedComponent}, [][]uint32{op(opVectorShuffle, four, next, b, b, 0, 1, 1, 1), op(opVectorShuffle, four, result, a, next, 0, 4, 5, undefinedComponent)}},
		"the first short":  {two, four, []uint32{0, 1, 2, undefinedComponent}, [][]uint32{op(opVectorShuffle, four, next, a, a, 0, 1, 1, 1), op(opVectorShuffle, four, result, next, b, 0, 1, 4, undefinedComponent)}},
	} {
		words := shuffled(c.typeA, c.typeB, c.components...)
		want := append([]uint32(nil), words[:len(words)-5-len(c.components)]...)
		for _, w := range c.want {
			want = append(want, w...)
		}
		want[3] += uint32(len(c.want) - 1)
		require.Equal(t, want, lacking(words), name)
	}
}
