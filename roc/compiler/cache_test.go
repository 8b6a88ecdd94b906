package compiler

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func itoa(n int) string { return strconv.Itoa(n) }

// entries lists the files of a client's cache.
func entries(t *testing.T, c *Client) (paths []string) {
	require.NoError(t, filepath.WalkDir(c.Config.CacheDir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}

// reopened is a client of another process: same cache, no compiler running, and none that could be started.
func reopened(c *Client) *Client {
	config := *c.Config
	return &Client{Config: &config}
}

func TestCachedProgramsNeedNoCompiler(t *testing.T) {
	c := newClient(t)
	first, _, err := build(t, c, "#warning careful\n"+add, "")
	require.NoError(t, err)
	again := reopened(c)
	p, log, err := build(t, again, "#warning careful\n"+add, "")
	require.NoError(t, err)
	require.Equal(t, first, p)
	require.Contains(t, log, "careful")
	require.Nil(t, again.running)
}

func TestEveryInputOfABuildIsInTheKey(t *testing.T) {
	c := newClient(t)
	for _, x := range [][2]string{{add, ""}, {add + " ", ""}, {add, "-DX"}} {
		_, log, err := build(t, c, x[0], x[1])
		require.NoError(t, err, log)
	}
	require.Len(t, entries(t, c), 3)
}

func TestAnEditedHeaderIsAMiss(t *testing.T) {
	c := newClient(t)
	header := filepath.Join(t.TempDir(), "h.h")
	write := func(text string) {
		require.NoError(t, os.WriteFile(header, []byte(text), 0o644))
		past := time.Now().Add(-time.Hour) // the cache tells by contents, not by time
		require.NoError(t, os.Chtimes(header, past, past))
	}
	const source = "#include \"h.h\"\nkernel void KERNEL(global int *p) { *p = 1; }"
	options := "-I " + strconv.Quote(filepath.Dir(header))
	for _, name := range []string{"a", "b", "a"} {
		write("#define KERNEL " + name + "\n")
		for range 2 {
			p, log, err := build(t, c, source, options)
			require.NoError(t, err, log)
			require.Equal(t, name, p.Kernels[0].Name)
		}
		again := reopened(c)
		p, _, err := build(t, again, source, options)
		require.NoError(t, err)
		require.Equal(t, name, p.Kernels[0].Name)
		require.Nil(t, again.running, "not from the cache")
	}
}

func TestAHeaderChangedDuringTheBuildIsNotCached(t *testing.T) {
	c := newClient(t)
	header := filepath.Join(t.TempDir(), "h.h")
	require.NoError(t, os.WriteFile(header, []byte("\n"), 0o644))
	soon := time.Now().Add(time.Hour) // as if while clang read it, however long that takes to begin
	require.NoError(t, os.Chtimes(header, soon, soon))
	_, log, err := build(t, c, "#include \"h.h\"\n"+add, "-I "+strconv.Quote(filepath.Dir(header)))
	require.NoError(t, err, log)
	require.Empty(t, entries(t, c))
}

func TestDamagedEntriesAreBuiltAnew(t *testing.T) {
	c := newClient(t)
	first, _, err := build(t, c, add, "")
	require.NoError(t, err)
	path := entries(t, c)[0]
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, damage := range []func([]byte) []byte{
		func(b []byte) []byte { return nil },
		func(b []byte) []byte { return b[:10] },
		func(b []byte) []byte { return b[:len(b)-1] },
		func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		func(b []byte) []byte { b[30] ^= 1; return b },
		func(b []byte) []byte { b[7]++; return b },
		func(b []byte) []byte { b[20] = 255; return b },
	} {
		require.NoError(t, os.WriteFile(path, damage(append([]byte(nil), whole...)), 0o600))
		p, log, err := build(t, c, add, "")
		require.NoError(t, err, log)
		require.Equal(t, first, p)
	}
}

func TestAnUnwritableCacheCostsOnlySpeed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{"", "/proc/nothing", file} {
		c := &Client{Config: &Config{Compiler: aqueductc, CacheDir: dir, Timeout: time.Minute}}
		_, log, err := build(t, c, add, "")
		require.NoError(t, err, log)
		c.Close()
	}
}

func TestTheLongestUnusedEntriesAreEvicted(t *testing.T) {
	c := openCache(t.TempDir(), 1000)
	for i := range 20 {
		path := filepath.Join(c.dir, "aa", itoa(i))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, make([]byte, 100), 0o600))
		used := time.Now().Add(time.Duration(i-100) * time.Minute)
		require.NoError(t, os.Chtimes(path, used, used))
	}
	c.evict()
	left, err := filepath.Glob(filepath.Join(c.dir, "aa", "*"))
	require.NoError(t, err)
	require.Len(t, left, 9)
	for i := 11; i < 20; i++ {
		require.FileExists(t, filepath.Join(c.dir, "aa", itoa(i)))
	}
}

func TestAnEntryThatIsNoFileIsNotWaitedFor(t *testing.T) {
	c := newClient(t)
	first, _, err := build(t, c, add, "")
	require.NoError(t, err)
	path := entries(t, c)[0]
	require.NoError(t, os.Remove(path))
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	p, log, err := build(t, c, add, "")
	require.NoError(t, err, log)
	require.Equal(t, first, p)
}
