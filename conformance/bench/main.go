// Command bench compares the driver given with every other one registered in /etc/OpenCL/vendors: bench.c on each in turn,
// round after round so that both see the same machine, and each measurement as a ratio of medians. It prints a table with
// bars and draws the same as build/bench.svg. A driver that cannot run a measurement has none.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aqueduct/conformance"
)

//go:embed source/bench.c
var source []byte

const rounds = 3

// metric is one measurement on all drivers.
type metric struct {
	name, unit string
	values     map[string][]float64 // by driver
}

// median of the values of driver d, 0 if there are none.
func (m *metric) median(d string) float64 {
	v := slices.Sorted(slices.Values(m.values[d]))
	if len(v) == 0 {
		return 0
	}
	return v[len(v)/2]
}

// ratio says how much better a is than b, above 1 for better, whichever way the unit counts; 0 if one has no value.
func (m *metric) ratio(a, b string) float64 {
	x, y := m.median(a), m.median(b)
	if x == 0 || y == 0 {
		return 0
	}
	if strings.HasSuffix(m.unit, "/s") {
		return x / y
	}
	return y / x
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bench DRIVER.icd")
		os.Exit(2)
	}
	if err := compare(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compare(icd string) error {
	dir, err := os.MkdirTemp("", "aqueduct-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin, err := conformance.BuildSource(dir, "bench", source)
	if err != nil {
		return err
	}
	others, err := filepath.Glob("/etc/OpenCL/vendors/*.icd")
	if err != nil {
		return err
	}
	drivers := append([]string{icd}, slices.DeleteFunc(others, func(p string) bool { return filepath.Base(p) == filepath.Base(icd) })...)
	var metrics []*metric
	for round := range rounds {
		for _, d := range drivers {
			fmt.Fprintf(os.Stderr, "round %d of %d: %s\n", round+1, rounds, name(d))
			out, err := measure(bin, d)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n", name(d), err)
			}
			metrics = collect(metrics, name(d), out)
		}
	}
	for _, other := range drivers[1:] {
		table(metrics, name(icd), name(other))
	}
	picture := filepath.Join(filepath.Dir(icd), "bench.svg")
	if len(drivers) == 1 {
		fmt.Println("no other driver is installed: nothing to compare with")
		return nil
	}
	fmt.Println("picture:", picture)
	return os.WriteFile(picture, draw(metrics, name(icd), name(drivers[1])), 0o644)
}

func name(icd string) string { return strings.TrimSuffix(filepath.Base(icd), ".icd") }

// measure runs the benchmark once, with kernel caches of its own that start empty.
func measure(bin, icd string) ([]byte, error) {
	cache, err := os.MkdirTemp("", "bench-cache")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(cache)
	abs, err := filepath.Abs(icd)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(bin)
	cmd.Env = append(os.Environ(), "OCL_ICD_VENDORS="+abs, "XDG_CACHE_HOME="+cache, "POCL_CACHE_DIR="+cache)
	cmd.Stderr = os.Stderr
	return cmd.Output()
}

// collect adds the lines "name value unit" of one run.
func collect(metrics []*metric, driver string, out []byte) []*metric {
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		words := strings.Fields(s.Text())
		n := len(words)
		if n < 3 {
			continue
		}
		value, err := strconv.ParseFloat(words[n-2], 64)
		if err != nil {
			continue
		}
		label := strings.Join(words[:n-2], " ")
		i := slices.IndexFunc(metrics, func(m *metric) bool { return m.name == label })
		if i < 0 {
			i = len(metrics)
			metrics = append(metrics, &metric{name: label, unit: words[n-1], values: map[string][]float64{}})
		}
		metrics[i].values[driver] = append(metrics[i].values[driver], value)
	}
	return metrics
}

func table(metrics []*metric, a, b string) {
	fmt.Printf("%-30s %10s %10s %-16s %7s\n", "", a, b, "", "better")
	for _, m := range metrics {
		bar := strings.Repeat("█", int(min(40, m.ratio(a, b)*2)))
		fmt.Printf("%-30s %10.4g %10.4g %-16s %6.2f× %s\n", m.name, m.median(a), m.median(b), m.unit, m.ratio(a, b), bar)
	}
}
