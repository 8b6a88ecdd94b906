package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"aqueduct/roc/compiler"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/settings"
)

// compilerFindings looks at what a build needs: the compiler process, clang, LLVM, the builtin library and the program cache.
func compilerFindings() (f []finding) {
	c := compiler.Environment()
	if out, err := exec.Command(c.Compiler, "--version").CombinedOutput(); err != nil {
		f = append(f, wrong("install it beside the driver, or let "+settings.Compiler.Name+" name it", "%s: %v", c.Compiler, reason(err, out)))
	} else {
		f = append(f, fine("%s: %s", c.Compiler, strings.TrimSpace(string(out))))
	}
	if clang, err := frontend.Clang(); err != nil {
		f = append(f, wrong("apt install clang-19", "%v", err))
	} else if out, err := exec.Command(clang, "--version").CombinedOutput(); err != nil {
		f = append(f, wrong("apt install --reinstall clang-19", "%s: %v", clang, reason(err, out)))
	} else {
		version, _, _ := strings.Cut(string(out), "\n")
		f = append(f, fine("%s: %s", clang, version))
	}
	if err := llvm.Load(); err != nil {
		f = append(f, wrong("apt install libllvm19", "%v", err))
	} else {
		f = append(f, fine("LLVM 19"))
	}
	if translator, err := frontend.Translator(); err != nil {
		f = append(f, note("%v: programs in SPIR-V are not offered (apt install llvm-spirv-15)", err))
	} else {
		f = append(f, fine("%s: programs may be SPIR-V", translator))
	}
	library := settings.Builtins.Value()
	if library == "" {
		library = filepath.Join(filepath.Dir(c.Compiler), "builtins")
	}
	if _, err := os.Stat(filepath.Join(library, "index")); err != nil {
		f = append(f, wrong("aqueductc builtins "+library+" makes it", "builtin library: %v", err))
	} else {
		f = append(f, fine("builtin library in %s", library))
	}
	return append(f, cacheFinding(c))
}

func reason(err error, out []byte) string {
	if text := strings.TrimSpace(string(out)); text != "" {
		return text
	}
	return err.Error()
}

// cacheFinding tells whether programs can be kept, by keeping something.
func cacheFinding(c compiler.Config) finding {
	if c.CacheDir == "" {
		return note("the program cache is off: every program is compiled anew")
	}
	err := os.MkdirAll(c.CacheDir, 0o700)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(c.CacheDir, "probe-"); err == nil {
			probe.Close()
			err = os.Remove(probe.Name())
		}
	}
	if err != nil {
		return wrong("make it writable, or let "+settings.Cache.Name+" name a folder that is: until then every program is compiled anew",
			"program cache: %v", err)
	}
	var files, size int64
	filepath.WalkDir(c.CacheDir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				files++
				size += info.Size()
			}
		}
		return nil
	})
	return fine("program cache in %s: %d programs, %s of at most %s", c.CacheDir, files, bytes(uint64(size)), bytes(uint64(c.CacheLimit)))
}

// bytes writes a size as people do.
func bytes(n uint64) string {
	const units = "KMGTPE"
	if n < 1<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	v, i := float64(n)/(1<<10), 0
	for ; v >= 1<<10 && i < len(units)-1; i++ {
		v /= 1 << 10
	}
	return fmt.Sprintf("%.1f %ciB", v, units[i])
}
