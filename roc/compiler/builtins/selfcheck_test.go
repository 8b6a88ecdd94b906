package builtins_test

import (
	_ "embed"
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Programs that compare builtins with plain OpenCL C; they tell the line of what is wrong.
var (
	//go:embed testdata/vectors.cl
	vectorProgram string
	//go:embed testdata/atomics.cl
	atomicProgram string
)

func TestVectorsAreLoadedStoredShuffledSelectedAndComparedElementByElement(t *testing.T) {
	for _, n := range numbers {
		for _, w := range []int{2, 3, 4, 8, 16} {
			t.Run(fmt.Sprint(n.name, w), func(t *testing.T) {
				i, floating := map[uint]string{8: "char", 16: "short", 32: "int", 64: "long"}[n.bits], ""
				if n.floating {
					floating = fmt.Sprintf("#define FLOATING\n#define LEAST %s\n", map[uint]string{16: "0x1p-24h", 32: "0x1p-149f", 64: "0x1p-1074"}[n.bits])
				}
				source := fmt.Sprintf("#define T %s\n#define I %s\n#define U u%s\n#define N %d\n%s#line 1\n%s", n.name, i, i, w, floating, vectorProgram)
				line := int32(-1)
				load(t, source)("test", unsafe.Pointer(&line))
				require.Zero(t, line, "line of testdata/vectors.cl")
			})
		}
	}
}

func TestAtomicsReturnTheOldValueAndLeaveTheNew(t *testing.T) {
	memory, other, line := new([2]uint64), new([2]uint64), int32(-1)
	load(t, atomicProgram)("test", unsafe.Pointer(memory), unsafe.Pointer(other), unsafe.Pointer(&line))
	require.Zero(t, line, "line of testdata/atomics.cl")
}
