package pipeline

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKernelsThatPrintAreVectorised(t *testing.T) {
	needsVectors(t)
	k := kernel(t, `void f(int i) { if (i & 1) printf("%d\n", i); } kernel void k(global int *p) { f(p[get_global_id(0)]); }`, "")
	require.True(t, k.Prints)
	require.Greater(t, k.Width, uint32(1))
	k = kernel(t, `kernel void k(global int *p) { if (p == 0) { if (p != 0) printf("never\n"); } p[get_global_id(0)] = 1; }`, "")
	require.False(t, k.Prints)
	require.Greater(t, k.Width, uint32(1))
}

func TestPrintfOfTheProgramsOwn(t *testing.T) {
	k := kernel(t, `int printf(int x) { return x + 1; } kernel void k(global int *p) { p[0] = printf(p[1]); }`, "-cl-std=CL1.1")
	require.False(t, k.Prints)
}

func TestPrintfOfTooMuchDoesNotCompile(t *testing.T) {
	res := buildSource(t, `kernel void k(double16 d) { printf("" `+strings.Repeat(", d", 500)+`); }`, "-w")
	require.Nil(t, res.Program)
	require.Contains(t, res.Log, "printf with 500 arguments")
}
