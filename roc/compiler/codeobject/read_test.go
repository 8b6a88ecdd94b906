package codeobject

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// kernelSource has two kernels, the first of which reads what hidden arguments there are.
const kernelSource = `
global int counter;
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void k(global const int *restrict in, char3 v, local double *l, constant float *c)
{
	*l = in[0] + v.x + c[0] + counter;
	((local ulong *)l)[1] = *(constant ulong *)__builtin_amdgcn_implicitarg_ptr();
}
kernel void none(void) {}
`

// compiled is kernelSource as clang makes a code object of it.
func compiled(t *testing.T, version int) []byte {
	to := filepath.Join(t.TempDir(), "k.co")
	clang := exec.Command("clang-19", "-x", "cl", "-cl-std=CL2.0", "-O1", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx906:xnack-", "-nogpulib",
		"-cl-kernel-arg-info", fmt.Sprintf("-mcode-object-version=%d", version), "-o", to, "-")
	clang.Stdin = strings.NewReader(kernelSource)
	out, err := clang.CombinedOutput()
	require.NoError(t, err, "%s", out)
	code, err := os.ReadFile(to)
	require.NoError(t, err)
	return code
}

func TestACodeObjectDescribesItsKernels(t *testing.T) {
	for _, version := range []int{4, 5} {
		p, err := Read(compiled(t, version))
		require.NoError(t, err)
		require.Equal(t, Executable, p.Type)
		require.Equal(t, "amdgcn-gfx906", p.Target)
		require.EqualValues(t, 4, p.Globals)
		require.Len(t, p.Kernels, 2)
		k := p.Kernels[0]
		require.Equal(t, []ArgInfo{
			{Name: "in", TypeName: "int*", Kind: ArgGlobal, Size: 8, AddressSpace: AddressGlobal, Access: AccessNone, TypeQualifiers: QualifierConst | QualifierRestrict},
			{Name: "v", TypeName: "char3", Size: 4, Offset: 8, AddressSpace: AddressPrivate, Access: AccessNone},
			{Name: "l", TypeName: "double*", Kind: ArgLocal, Size: 4, Offset: 12, PointeeAlign: 8, AddressSpace: AddressLocal, Access: AccessNone},
			{Name: "c", TypeName: "float*", Kind: ArgConstant, Size: 8, Offset: 16, AddressSpace: AddressConstant, Access: AccessNone, TypeQualifiers: QualifierConst},
		}, k.Args)
		require.Equal(t, [3]uint32{8, 2, 1}, k.ReqdWorkGroupSize)
		require.Equal(t, "k.kd", k.Symbol)
		require.True(t, k.HasArgInfo)
		require.EqualValues(t, 24, k.HiddenOffset)
		require.Empty(t, p.Kernels[1].Args)
		if version == 5 {
			require.Nil(t, k.Hidden, "they are as HiddenArgs")
			require.EqualValues(t, 24+HiddenSize, k.KernargSize)
			continue
		}
		require.Equal(t, []HiddenArg{{40, 8, 24}, {48, 8, 32}, {56, 8, 40}}, k.Hidden[:3])
		h := HiddenArgs{GlobalOffset: [3]uint64{5, 6, 7}, GridDims: 3, BlockCount: [3]uint32{1, 2, 3}}
		segment := make([]uint64, (k.KernargSize+7)/8)
		segment[2], segment[6] = 1234, 99
		k.Place(unsafe.Pointer(&segment[0]), &h)
		require.Equal(t, []uint64{1234, 5, 6, 7, 0}, segment[2:7], "nothing of what was there")
	}
}

func TestReadRefusesWhatIsNoProgram(t *testing.T) {
	code := compiled(t, 5)
	r := rand.New(rand.NewSource(1))
	for range 2000 { // what is damaged is refused or read, and nothing worse
		bad := append([]byte(nil), code[:1+r.Intn(len(code))]...)
		for range r.Intn(4) {
			bad[r.Intn(len(bad))] ^= 1 << r.Intn(8)
		}
		Read(bad)
	}
	program, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	_, err = Read(program)
	require.ErrorContains(t, err, "not for AMD's GPUs")
	_, err = Read([]byte("text"))
	require.ErrorIs(t, err, ErrInvalid)
}
