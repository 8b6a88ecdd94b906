package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ebitengine/purego"
)

// vendorsDir is where the ICD loader looks for registration files unless OCL_ICD_VENDORS says otherwise.
const vendorsDir = "/etc/OpenCL/vendors"

const libraryName = "libaqueduct.so"

// registration looks at the files by which the ICD loader finds drivers: each names a shared library (cl_khr_icd, "Installable
// client drivers").
func registration() (f []finding) {
	place := vendorsDir
	if v := os.Getenv("OCL_ICD_VENDORS"); v != "" {
		place = v
		f = append(f, note("OCL_ICD_VENDORS=%s: only this is looked at", v))
	}
	files := []string{place}
	if info, err := os.Stat(place); err != nil {
		return append(f, wrong("install the driver, or let OCL_ICD_VENDORS name its .icd file", "%v", err))
	} else if info.IsDir() {
		files, _ = filepath.Glob(filepath.Join(place, "*.icd"))
	}
	ours := false
	for _, file := range files {
		library, found := registered(file)
		f = append(f, found)
		ours = ours || found.mark == "✓" && filepath.Base(library) == libraryName
	}
	if !ours {
		f = append(f, wrong("install the driver (make install), or let OCL_ICD_VENDORS name its .icd file",
			"no registration file in %s leads to %s", place, libraryName))
	}
	return f
}

// registered tells what one registration file leads to.
func registered(file string) (library string, f finding) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", wrong("make it readable", "%v", err)
	}
	library, _, _ = strings.Cut(strings.TrimSpace(string(text)), "\n")
	if library == "" {
		return "", wrong("its first line should be the path of a driver's library", "%s is empty", file)
	}
	// RTLD_LAZY, as loaders do: what the library itself lacks shows when it is called, not here.
	if _, err := purego.Dlopen(library, purego.RTLD_LAZY|purego.RTLD_LOCAL); err != nil {
		return library, wrong("reinstall that driver, or remove the file", "%s: %v", file, err)
	}
	return library, fine("%s: %s", file, library)
}
