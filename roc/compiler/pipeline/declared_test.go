package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Sizes of more than 32 bits do not come back as small ones.
func TestVariablesBeyondAllBoundsAreRefused(t *testing.T) {
	for about, bodies := range map[string][]string{
		"private memory": {
			"kernel void k(global int *p) { int a[4000000000]; a[*p] = 1; *p = a[p[1]]; }",
			"kernel void k(global int *p) { int a[1073741825]; a[*p] = 1; *p = a[p[1]]; }",
			"kernel void k(global int *p) { int a[100000000], b[100000000], c[100000000]; a[*p] = b[*p] = c[*p] = 1; *p = a[p[1]] + b[p[2]] + c[p[3]]; }",
			"int f(int n, int m) { int a[200000000]; a[n] = 1; return a[m]; } kernel void k(global int *p) { *p = f(p[0], p[1]) + f(p[2], p[3]); }",
		},
		"local memory": {
			"kernel void k(global int *p) { local int a[4000000000]; a[*p] = 1; barrier(1); *p = a[p[1]]; }",
			"kernel void k(global int *p) { local int a[1073741825]; a[*p] = 1; barrier(1); *p = a[p[1]]; }",
			"kernel void k(global int *p) { local int a[200000000], b[200000000]; a[*p] = b[*p] = 1; barrier(1); *p = a[p[1]] + b[p[1]]; }",
		},
		"variables and tables": {
			"global int a[4000000000]; kernel void k(global int *p) { a[*p] = 1; }",
			"constant int a[100000000] = {1}; kernel void k(global int *p) { *p = a[*p]; }",
		},
	} {
		for _, source := range append(bodies, manyKernels(deferAbove+1)+bodies[0]) {
			res := buildDeferred(source)
			require.Nil(t, res.Program, source)
			require.Contains(t, res.Log, "error: ")
			require.Contains(t, res.Log, about)
		}
	}
}

func TestUnusedTablesCountForNothing(t *testing.T) {
	res := buildSource(t, "constant int a[100000000] = {1}; kernel void k(global int *p) { *p = 1; }", "")
	require.NotNil(t, res.Program, res.Log)
}
