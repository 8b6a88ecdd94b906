package soft

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuotaOfControlGroups(t *testing.T) {
	for name, c := range map[string]struct {
		groups string
		files  map[string]string
		want   int
	}{
		"version 2":                 {"0::/a/b\n", map[string]string{"a/b/cpu.max": "250000 100000"}, 3},
		"version 2, none":           {"0::/a\n", map[string]string{"a/cpu.max": "max 100000"}, 0},
		"version 2, of a parent":    {"0::/a/b/c\n", map[string]string{"a/cpu.max": "100000 100000", "a/b/cpu.max": "400000 100000"}, 1},
		"version 2, of the root":    {"0::/\n", map[string]string{"cpu.max": "150000 100000"}, 2},
		"version 2, beside 1":       {"0::/a\n", map[string]string{"unified/a/cpu.max": "200000 100000"}, 2},
		"version 1":                 {"4:cpu,cpuacct:/x\n0::/\n", map[string]string{"cpu,cpuacct/x/cpu.cfs_quota_us": "50000", "cpu,cpuacct/x/cpu.cfs_period_us": "100000"}, 1},
		"version 1, by its link":    {"4:cpuacct,cpu:/x\n", map[string]string{"cpu/x/cpu.cfs_quota_us": "700000", "cpu/x/cpu.cfs_period_us": "100000"}, 7},
		"version 1, none":           {"4:cpu:/\n", map[string]string{"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, 0},
		"version 1, other resource": {"4:cpuset:/x\n", map[string]string{"cpu/x/cpu.cfs_quota_us": "100000", "cpu/x/cpu.cfs_period_us": "100000"}, 0},
		"nonsense":                  {"what\n", nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range c.files {
				file = filepath.Join(dir, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(text+"\n"), 0o644))
			}
			list := filepath.Join(dir, "list")
			require.NoError(t, os.WriteFile(list, []byte(c.groups), 0o644))
			require.Equal(t, c.want, quota(list, dir))
		})
	}
	require.Zero(t, quota("/nonexistent", "/nonexistent"))
	cpus := affinity()
	require.NotEmpty(t, cpus)
	require.LessOrEqual(t, cores(len(cpus)), len(cpus))
	require.Positive(t, cores(1))
}

func TestFeaturesHaveLLVMsNames(t *testing.T) {
	require.Equal(t, []string{"+sse2", "+avx2", "+bmi", "+sha", "+sse3", "+sse4.1", "+lzcnt", "+avx512vnni"},
		features("fpu sse2 avx2 bmi1 sha_ni pni sse4_1 abm avx512_vnni unknown"))
	require.Empty(t, features(""))
}

func TestInfoIsComplete(t *testing.T) {
	info := describe(3)
	require.NotEmpty(t, info.Name)
	require.EqualValues(t, 3, info.ComputeUnits)
	require.NotZero(t, info.GlobalMemory)
	require.LessOrEqual(t, info.GlobalMemory/4, info.MaxAlloc, "CL_DEVICE_MAX_MEM_ALLOC_SIZE is at least a quarter of the memory")
	require.GreaterOrEqual(t, info.LocalMemory, uint32(32<<10))
	require.NotZero(t, info.UUID)
	require.Equal(t, info.UUID, describe(1).UUID)
}
