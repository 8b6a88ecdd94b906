// Command supported writes what the device of a driver reports into the README: supported DRIVER.icd README.md
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"aqueduct/conformance"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: supported DRIVER.icd README.md")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(icd, file string) error {
	icd, err := filepath.Abs(icd)
	if err != nil {
		return err
	}
	table, err := conformance.Supported(icd)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	whole, err := conformance.InsertSupported(string(text), table)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(whole), 0o644)
}
