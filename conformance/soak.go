package conformance

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

//go:embed soak
var soak embed.FS

// BuildSoak builds the soak test into dir and returns the entry that runs it for a time, from a seed.
func BuildSoak(dir string, length time.Duration, seed int) ([]Entry, error) {
	files, err := fs.Sub(soak, "soak")
	if err != nil {
		return nil, err
	}
	src := filepath.Join(dir, "src")
	if err := os.CopyFS(src, programs); err != nil {
		return nil, err
	}
	if err := os.CopyFS(filepath.Join(src, "programs"), files); err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(files, "soak.c")
	if err != nil {
		return nil, err
	}
	if _, err := BuildSource(dir, "soak", text); err != nil {
		return nil, err
	}
	return []Entry{{Area: "Soak", Name: "soak", Binary: "soak", Runs: []Run{{In: Modes, Limit: length + 2*time.Minute,
		Flags: Words{strconv.FormatFloat(length.Seconds(), 'f', 0, 64), strconv.Itoa(seed)}}}}}, nil
}
