package filelimit

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// last is a signal that comes after a SIGXFSZ, as its number is higher and that came first.
const last = syscall.SIGWINCH

// The limit is that of a process, so there is one for the test. In a Go program the signal ends nothing, but it can be heard.
func TestAWriteBeyondTheLimitIsAnError(t *testing.T) {
	if path := os.Getenv("FILELIMIT_TEST"); path != "" {
		limit := syscall.Rlimit{Cur: 10, Max: 10}
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
		heard := make(chan os.Signal, 10)
		signal.Notify(heard, syscall.SIGXFSZ, last)
		f, err := os.Create(path)
		require.NoError(t, err)
		for range 2 { // the signal is not left for later
			err = Guard(func() error {
				_, err := f.Write(make([]byte, 20))
				return err
			})
			require.ErrorIs(t, err, syscall.EFBIG)
		}
		require.NoError(t, syscall.Kill(os.Getpid(), last))
		select {
		case s := <-heard:
			require.Equal(t, last, s)
		case <-time.After(time.Minute):
			t.Fatal("no signal is heard")
		}
		return
	}
	path := filepath.Join(t.TempDir(), "file")
	again := exec.Command(os.Args[0], "-test.run", t.Name())
	again.Env = append(os.Environ(), "FILELIMIT_TEST="+path)
	out, err := again.CombinedOutput()
	require.NoError(t, err, "%s", out)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 10, info.Size())
}
