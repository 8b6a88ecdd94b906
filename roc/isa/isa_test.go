package isa

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLevelsOnlyTakeAway(t *testing.T) {
	had := []string{"+sse2", "+sse4.2", "+avx", "+avx2", "+fma", "+f16c", "+bmi2", "+avx512f", "+avx512vl"}
	for level, want := range map[string][]string{
		"":       had,
		"avx512": had,
		"avx3":   had,
		"avx2":   {"+sse2", "+sse4.2", "+avx", "+avx2", "+fma", "+f16c", "+bmi2"},
		"sse4.2": {"+sse2", "+sse4.2", "+bmi2"},
	} {
		t.Setenv("AQUEDUCT_CPU_FEATURES", level)
		require.Equal(t, want, Within(had), level)
		require.Equal(t, []string{"+sse2"}, Within([]string{"+sse2"}), "a level gives nothing")
		for _, f := range Without() {
			require.Regexp(t, "^-", f, level)
		}
	}
}
