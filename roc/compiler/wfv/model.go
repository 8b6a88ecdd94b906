package wfv

import (
	"os"
	"strconv"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// TargetOf reads the features of a target machine.
func TargetOf(tm llvm.TargetMachine) Target {
	features, cpu := tm.Features(), tm.CPU()
	has := func(name string, cpus ...string) bool {
		if strings.Contains(","+features+",", ",+"+name+",") {
			return true
		}
		for _, c := range cpus {
			if cpu == c && !strings.Contains(","+features+",", ",-"+name+",") {
				return true
			}
		}
		return false
	}
	t := Target{
		AVX512: has("avx512vl", "x86-64-v4", "skylake-avx512", "cascadelake", "cooperlake", "icelake-client", "icelake-server", "tigerlake", "rocketlake", "sapphirerapids", "emeraldrapids", "graniterapids", "znver4", "znver5"),
	}
	t.Gather = !strings.HasPrefix(cpu, "znver") && has("avx2", "x86-64-v3", "skylake")
	return t
}

// chooseWidth is how many lanes a wide function has.
func (k *kernel) chooseWidth() int {
	if w := k.options.Width; w > 0 {
		k.report.Reason = "as asked for"
		return w
	}
	if e := os.Getenv("WFVW"); e != "" {
		n, _ := strconv.Atoi(e)
		return n
	}
	k.report.Reason = "default"
	return 16
}

// chooseRows is how many rows a tile has.
func (k *kernel) chooseRows() int {
	if r := k.options.Rows; r > 0 {
		return r
	}
	if e := os.Getenv("WFVR"); e != "" {
		n, _ := strconv.Atoi(e)
		return n
	}
	return 4
}
