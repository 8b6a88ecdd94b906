package soft

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aqueduct/roc/hsa"
)

// Partition implements hsa.Agent: an agent with workers of its own, each of which runs on the CPU of its unit alone.
func (a *Agent) Partition(units []int) (hsa.Agent, error) {
	p := &Agent{info: a.info, part: true, stacks: a.stacks, memory: a.memory}
	for _, u := range units {
		if u < 0 || u >= len(a.cpus) {
			return nil, fmt.Errorf("soft: there is no compute unit %d", u)
		}
		p.cpus = append(p.cpus, a.cpus[u])
	}
	if len(units) == 0 {
		return nil, fmt.Errorf("soft: a partition without compute units")
	}
	p.info.ComputeUnits = uint32(len(units))
	p.start(a.pool.spin)
	return p, nil
}

// Affinity implements hsa.Agent.
func (a *Agent) Affinity(d hsa.Domain) [][]int {
	return affinityGroups("/sys/devices/system", a.cpus, d)
}

// affinityGroups groups CPUs, by their index in cpus, by the file below root that says with which others each shares d.
func affinityGroups(root string, cpus []int, d hsa.Domain) (groups [][]int) {
	at := map[string]int{} // index in groups
	for unit, cpu := range cpus {
		key := shared(root, cpu, d)
		if key == "" {
			return nil
		}
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], unit)
	}
	return groups
}

// shared says in words what of domain d the CPU is attached to: "" if it is not known.
func shared(root string, cpu int, d hsa.Domain) string {
	if d == hsa.DomainNUMA {
		nodes, _ := filepath.Glob(filepath.Join(root, "node", "node[0-9]*", "cpulist"))
		for _, file := range nodes {
			if slices.Contains(cpuList(content(file)), cpu) {
				return file
			}
		}
		return ""
	}
	level := map[hsa.Domain]string{hsa.DomainL4: "4", hsa.DomainL3: "3", hsa.DomainL2: "2", hsa.DomainL1: "1"}[d]
	caches := filepath.Join(root, "cpu", "cpu"+strconv.Itoa(cpu), "cache")
	entries, _ := os.ReadDir(caches)
	for _, e := range entries {
		file := func(name string) string { return content(filepath.Join(caches, e.Name(), name)) }
		if file("level") == level && file("type") != "Instruction" {
			return file("shared_cpu_list")
		}
	}
	return ""
}

// cpuList reads a list as "0-3,8".
func cpuList(text string) (cpus []int) {
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil {
			continue
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}
