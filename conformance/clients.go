package conformance

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed clients
var clients embed.FS

// PutClients puts the programs that drive real clients of OpenCL, as entries name them, into dir: scripts as they are, C++ compiled.
func PutClients(dir string, entries []Entry) error {
	files, err := fs.Sub(clients, "clients")
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	for _, e := range entries {
		bin := filepath.Join(dir, e.Binary)
		if strings.HasSuffix(e.Binary, ".py") {
			err = os.Chmod(bin, 0o755)
		} else {
			// Optimised little: it is the device that computes, and these headers take long.
			var out []byte
			if out, err = exec.Command("g++", "-O1", "-w", "-std=c++17", "-o", bin, bin+".cpp", "-lOpenCL").CombinedOutput(); err != nil {
				err = fmt.Errorf("g++ %s.cpp: %w\n%s", e.Binary, err, out)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Asked are the entries of which a pattern ENTRY or ENTRY/SUB-TEST asks for something; all if there are no patterns.
func Asked(entries []Entry, patterns []string) []Entry {
	if len(patterns) == 0 {
		return entries
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool {
		return !slices.ContainsFunc(patterns, func(p string) bool {
			name, _, _ := strings.Cut(p, "/")
			return Match(name, e.Name)
		})
	})
}
