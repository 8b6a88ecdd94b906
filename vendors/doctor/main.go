// Command aqueduct-doctor says whether OpenCL programs find the driver, which devices it offers and why others are not, and what
// to do about what is wrong. Its exit status is zero only when a kernel has run through the ICD loader and given the right
// result.
package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"aqueduct/roc/settings"
)

const usage = `usage:
  aqueduct-doctor               examine this machine
  aqueduct-doctor --settings    list the environment variables that change the driver
`

func main() {
	switch args := os.Args[1:]; {
	case len(args) == 0:
		if !examine() {
			os.Exit(1)
		}
	case len(args) == 1 && args[0] == "--settings":
		showSettings()
	default:
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
}

// examine prints the report and tells whether a kernel ran.
func examine() bool {
	p := printer{os.Stdout}
	p.section("Registration", registration())
	p.section("Compiler", compilerFindings())
	p.section("Processor", processor())
	p.section("AMD GPUs", gpus())
	p.section("Settings", environment())
	ran, findings := trial()
	p.section("A kernel through the ICD loader", findings)
	return ran
}

// environment tells what is set, and what of it is wrong.
func environment() (f []finding) {
	for _, s := range settings.All {
		if v, ok := os.LookupEnv(s.Name); ok {
			f = append(f, fine("%s=%s", s.Name, v))
		}
	}
	for _, line := range settings.Complaints(os.Environ()) {
		f = append(f, wrong("aqueduct-doctor --settings lists those there are", "%s", line))
	}
	if f == nil {
		f = append(f, fine("none: everything is at its default"))
	}
	return f
}

// showSettings prints the table of settings.
func showSettings() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "name\tin force\tdefault\tmeaning")
	for _, s := range settings.All {
		value := os.Getenv(s.Name)
		if value == "" {
			value = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, value, s.Default, s.Meaning)
	}
}
