package settings

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumbersOutOfRangeKeepTheDefault(t *testing.T) {
	for text, want := range map[string]int{"": 4, "1": 1, "64": 64, "0": 4, "65": 4, "-1": 4, "four": 4, "4.5": 4} {
		t.Setenv("AQUEDUCT_HW_QUEUES", text)
		require.Equal(t, want, HWQueues.Value(), "%q", text)
	}
}

func TestForcedNumbersAreZeroUnlessGiven(t *testing.T) {
	for text, want := range map[string]int{"": 0, "1": 1, "16": 16, "64": 64, "3": 0, "128": 0} {
		t.Setenv("AQUEDUCT_LANES", text)
		require.Equal(t, want, Lanes.Value(), "%q", text)
	}
}

func TestChoicesThatDoNotExistKeepTheDefault(t *testing.T) {
	for text, want := range map[string]string{"": "", "avx2": "avx2", "sse4.2": "sse4.2", "AVX2": "", "avx10": ""} {
		t.Setenv("AQUEDUCT_CPU_FEATURES", text)
		require.Equal(t, want, CPUFeatures.Value(), "%q", text)
	}
}

func TestEverySettingIsExplained(t *testing.T) {
	names := map[string]bool{}
	for _, s := range All {
		require.Regexp(t, `^AQUEDUCT_[A-Z_]+$`, s.Name)
		require.NotEmpty(t, s.Meaning, s.Name)
		require.NotEmpty(t, s.Default, s.Name)
		require.False(t, names[s.Name], "%s is there twice", s.Name)
		names[s.Name] = true
	}
}

func TestComplaints(t *testing.T) {
	for variable, want := range map[string][]string{
		"HOME=/":                     nil,
		"AQUEDUCT_HW_QUEUES=8":       nil,
		"AQUEDUCT_HW_QUEUES=":        nil,
		"AQUEDUCT_FUZZ_SEEDS=0-9":    nil,
		"AQUEDUCT_HW_QUEUES=x":       {`AQUEDUCT_HW_QUEUES="x" is ignored: not a number from 1 to 64`},
		"AQUEDUCT_EXPLAIN=yes":       {`AQUEDUCT_EXPLAIN="yes" is ignored: not one of 0, 1`},
		"AQUEDUCT_LANES=3":           {`AQUEDUCT_LANES="3" is ignored: not one of 1, 2, 4, 8, 16, 32, 64`},
		"AQUEDUCT_CPU_FEATURES=avx3": {`AQUEDUCT_CPU_FEATURES="avx3" is ignored: not one of sse4.2, avx2, avx512`},
		"AQUEDUCT_WORKER=2":          {"AQUEDUCT_WORKER is no setting: AQUEDUCT_WORKERS?"},
		"AQUEDUCT_CAHCE=off":         {"AQUEDUCT_CAHCE is no setting: AQUEDUCT_CACHE?"},
		"AQUEDUCT_SOMETHING=1":       {"AQUEDUCT_SOMETHING is no setting"},
	} {
		require.Equal(t, want, Complaints([]string{variable}), variable)
	}
}

// TestTextsHaveTheTable: after a change here, go generate.
func TestTextsHaveTheTable(t *testing.T) {
	for _, file := range []string{"../../README.md", "../../vendors/deb/aqueduct-doctor.1"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		whole, err := Insert(file, string(text))
		require.NoError(t, err)
		require.Equal(t, whole, string(text), "go generate ./roc/settings")
	}
	_, err := Insert("page.1", "no place")
	require.ErrorContains(t, err, "page.1")
}

func TestANameThatOthersKnowCountsWhereOursIsNotSet(t *testing.T) {
	t.Setenv("GPU_MAX_HW_QUEUES", "2")
	require.Equal(t, 2, HWQueues.Value())
	t.Setenv("AQUEDUCT_HW_QUEUES", "3")
	require.Equal(t, 3, HWQueues.Value())
	t.Setenv("AQUEDUCT_HW_QUEUES", "")
	t.Setenv("GPU_MAX_HW_QUEUES", "none")
	require.Equal(t, 4, HWQueues.Value())
}
