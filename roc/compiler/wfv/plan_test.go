package wfv

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVectorsBeyondALimitAreSkipped(t *testing.T) {
	const source = `
		kernel void tree(global float *p, local float *l) {
			uint i = get_local_id(0);
			l[i] = p[i]; barrier(CLK_LOCAL_MEM_FENCE);
			for (uint o = get_local_size(0) / 2; o > 0; o /= 2) {
				if (i < o) l[i] += l[i + o];
				barrier(CLK_LOCAL_MEM_FENCE); }
			p[i] = l[i]; }
		kernel void first(global float *p, local float *l) {
			uint i = get_local_id(0);
			l[i] = p[i]; barrier(CLK_LOCAL_MEM_FENCE);
			if (i > 0) p[i] = l[i - 1]; }`
	r := build(t, source, Options{Width: 16}).reports
	require.Positive(t, r["tree"].Notes.Guards)
	require.Zero(t, r["first"].Notes.Guards, "only lane 0 of the first vector is off")
}
