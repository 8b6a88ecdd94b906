package wfv_test

import (
	"testing"

	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/wfv"

	"github.com/stretchr/testify/require"
)

// TestThreeNumbersThatArePassedAsOneArePrinted: as C passes a ushort3, it is a double whose last bits nobody has set.
func TestThreeNumbersThatArePassedAsOneArePrinted(t *testing.T) {
	p := compile(t, `kernel void k(global ushort *a) {
	ushort i = get_global_id(0), j = a[i];
	printf("%v3hu %v3hhu\n", (ushort3)(i, j, i), (uchar3)(i, i, j)); }`, wfv.Options{})
	require.Greater(t, p.Reports["k"].Width, 1, p.Reports["k"].Reason)
	var text []byte
	require.NoError(t, p.Run(p.Kernels["k"], kerneltest.Launch{Global: [3]int{2}, Local: [3]int{2}, Text: &text}, []uint16{7, 8}))
	require.Equal(t, "0,7,0 0,0,7\n1,8,1 1,1,8\n", string(text))
}
