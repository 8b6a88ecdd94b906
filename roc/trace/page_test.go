package trace

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPageRenders in a browser, from nothing but the file: the picture has bars, the tables have rows, and names are no mark-up.
func TestPageRenders(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	require.NoError(t, err, "make setup installs it")
	dir := t.TempDir()
	file := filepath.Join(dir, "report.html")
	require.NoError(t, Start(Options{Page: file}))
	base := Now()
	remove := Gauge("busy <workers>", func() int64 { return int64(Now() % 7) })
	for i := range uint64(300) {
		at := base + i*10_000
		name := [...]string{"first", `</script><b id="broken">second`, "third"}[i%3]
		Record(&Event{Kind: Chunk, ID: 1<<40 | i + 1, Track: uint32(i % 2), Name: name, Start: at + 1000, End: at + 9000, Groups: 4, Items: 64, Count: 1})
		Record(&Event{Kind: Command, ID: 1<<40 | i + 1, Track: 1, Type: "kernel", Name: name, Queued: at, Submitted: at, Completed: at + 9500,
			Global: [3]uint64{256, 1, 1}, Local: [3]uint64{1, 1, 1}})
		Record(&Event{Kind: Batch, Track: 1, Other: i + 1, Count: 1, Cut: "flush", Start: at, End: at + 9500})
	}
	Flush()
	Finish()
	remove()
	Stop()

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	picture := filepath.Join(dir, "page.png")
	dom, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--window-size=1200,900", "--virtual-time-budget=2000", "--screenshot="+picture, "--dump-dom", "file://"+file).Output()
	require.NoError(t, err)
	m := regexp.MustCompile(`data-drawn="(\d+)"`).FindSubmatch(dom)
	require.NotNil(t, m, "the script did not run to its end")
	bars, _ := strconv.Atoi(string(m[1]))
	require.Greater(t, bars, 300)
	require.NotContains(t, string(dom), `<b id="broken">`)
	require.Regexp(t, `<tr><td>first</td><td>800\.0 µs</td><td>100</td><td>8\.0 µs</td>`, string(dom))
	require.Contains(t, string(dom), "300 of 300 commands were flushed one by one")
	s, err := os.Stat(picture)
	require.NoError(t, err)
	require.Greater(t, s.Size(), int64(10_000))
}
