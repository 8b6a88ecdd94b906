package soft

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"aqueduct/roc/hsa"

	"github.com/stretchr/testify/require"
)

func TestCPULists(t *testing.T) {
	for text, want := range map[string][]int{
		"0": {0}, "0-3": {0, 1, 2, 3}, "0-1,8,10-11": {0, 1, 8, 10, 11}, "": nil, "nonsense": nil, "3-1": nil,
	} {
		require.Equal(t, want, cpuList(text), text)
	}
}

// TestUnitsAreGroupedByWhatTheyShare with a made-up machine: four CPUs, of which two share each second-level cache and all the
// third, on two nodes.
func TestUnitsAreGroupedByWhatTheyShare(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) {
		file := filepath.Join(root, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text+"\n"), 0o644))
	}
	for cpu := range 4 {
		for index, c := range []struct{ level, kind, shared string }{
			{"1", "Data", strconv.Itoa(cpu)},
			{"1", "Instruction", "0-3"},
			{"2", "Unified", []string{"0,2", "1,3"}[cpu%2]},
			{"3", "Unified", "0-3"},
		} {
			dir := "cpu/cpu" + strconv.Itoa(cpu) + "/cache/index" + strconv.Itoa(index) + "/"
			write(dir+"level", c.level)
			write(dir+"type", c.kind)
			write(dir+"shared_cpu_list", c.shared)
		}
	}
	write("node/node0/cpulist", "0-1")
	write("node/node1/cpulist", "2-3")
	for _, c := range []struct {
		cpus   []int
		domain hsa.Domain
		want   [][]int
	}{
		{[]int{0, 1, 2, 3}, hsa.DomainNUMA, [][]int{{0, 1}, {2, 3}}},
		{[]int{0, 1, 2, 3}, hsa.DomainL4, nil},
		{[]int{0, 1, 2, 3}, hsa.DomainL3, [][]int{{0, 1, 2, 3}}},
		{[]int{0, 1, 2, 3}, hsa.DomainL2, [][]int{{0, 2}, {1, 3}}},
		{[]int{0, 1, 2, 3}, hsa.DomainL1, [][]int{{0}, {1}, {2}, {3}}},
		{[]int{3, 1}, hsa.DomainL2, [][]int{{0, 1}}},
		{[]int{0, 9}, hsa.DomainL2, nil},
	} {
		require.Equal(t, c.want, affinityGroups(root, c.cpus, c.domain), "%v by %d", c.cpus, c.domain)
	}
}

// TestPartitionKeepsToItsCPUs: whatever a partition executes runs on its CPUs, however many threads wait for it.
func TestPartitionKeepsToItsCPUs(t *testing.T) {
	b := newBench(t, 2)
	for _, units := range [][]int{{}, {2}, {-1}} {
		_, err := b.agent.Partition(units)
		require.Error(t, err)
	}
	for unit := range 2 {
		a, err := b.agent.Partition([]int{unit})
		require.NoError(t, err)
		part := a.(*Agent)
		require.EqualValues(t, 1, part.Info().ComputeUnits)
		ran := make(chan []int, 1)
		part.SetHandler(func(uintptr) {})
		part.SetService(func(uint64) error { ran <- affinity(); return nil })
		q, err := part.NewQueue(64, hsa.PriorityNormal, nil)
		require.NoError(t, err)
		defer q.Destroy()
		for range 20 {
			at, ok := q.Reserve(1)
			require.True(t, ok)
			(*hsa.AgentDispatchPacket)(q.Packet(at)).Completion = 0
			q.Publish(at, hsa.Header(hsa.PacketAgentDispatch, true, hsa.ScopeSystem, hsa.ScopeSystem), 0)
			q.Doorbell(at, true)
			require.False(t, part.Help(all{}, nil), "who waits runs anywhere")
			select {
			case cpus := <-ran:
				require.Equal(t, []int{b.agent.cpus[unit]}, cpus)
			case <-time.After(deadline):
				t.Fatal("not run\n" + part.Dump())
			}
		}
	}
}
