package wfv

import (
	"fmt"
	"testing"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// TestLanesFitRows, as far as it is known before the launch how long they are.
func TestLanesFitRows(t *testing.T) {
	const tile = "local float t[1024]; int l = get_local_id(1) * get_local_size(0) + get_local_id(0); t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); b[i] = t[l];"
	const place = "size_t i = get_global_id(1) * w + get_global_id(0); "
	for name, c := range map[string]struct {
		attribute, body        string
		registers, inShortRows int // a value, and of a value where rows are short, in halves; 0: as elsewhere
	}{
		"tile":                     {"", place + tile, 2, 1},
		"rows of a known length":   {"__attribute__((reqd_work_group_size(64, 4, 1)))", "size_t i = get_group_id(1) * w + get_global_id(0) + get_local_id(1); b[i] = a[i];", 4, 0},
		"tile of groups":           {"", "size_t i = get_group_id(0) * 16 + get_local_id(0) + (get_group_id(1) * 16 + get_local_id(1)) * w; b[i] = a[i];", 2, 1},
		"groups that are merged":   {"", place + "b[i] = a[i];", 4, 0},
		"one dimension, a barrier": {"", "size_t i = get_global_id(0); local float t[1024]; int l = get_local_id(0); t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); b[i] = t[l];", 4, 0},
		"one dimension, groups":    {"", "size_t i = get_group_id(0) * 64 + get_local_id(0); b[i] = a[i];", 4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			source := fmt.Sprintf("%s kernel void k(global const float *a, global float *b, uint w) { %s }", c.attribute, c.body)
			for _, level := range []string{"avx512", "avx2"} {
				tm, err := kerneltest.TargetAt(level)
				require.NoError(t, err)
				p, err := compileAt(level, t.TempDir(), source, Options{})
				require.NoError(t, err)
				half := 4 // lanes in half a register
				if r := p.reports["k"]; TargetOf(tm).AVX512 {
					half = 8
					require.Equal(t, half*c.inShortRows, r.Narrow, r.Reason)
				} else {
					require.Zero(t, r.Narrow, "four lanes are too few")
				}
				require.Equal(t, half*c.registers, p.reports["k"].Width, p.reports["k"].Reason)
			}
		})
	}
}
