package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// doctor runs the program that make build left, with the driver beside it and some variables changed.
func doctor(t *testing.T, variables ...string) (text string, healthy bool) {
	program, err := filepath.Abs("../../build/aqueduct-doctor")
	require.NoError(t, err)
	_, err = os.Stat(program)
	require.NoError(t, err, "run make build first")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), "OCL_ICD_VENDORS="+filepath.Join(filepath.Dir(program), "aqueduct.icd"), "AQUEDUCT_CACHE="+t.TempDir())
	cmd.Env = append(cmd.Env, variables...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, ctx.Err(), "%s", out)
	return string(out), err == nil
}

func TestHealthyMachine(t *testing.T) {
	text, healthy := doctor(t)
	require.True(t, healthy, text)
	require.Contains(t, text, "right result")
	require.NotContains(t, text, "✗", text)
}

func TestWhatIsWrongIsTold(t *testing.T) {
	dir := t.TempDir()
	icd := func(name, content string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
		return "OCL_ICD_VENDORS=" + file
	}
	for name, c := range map[string]struct {
		variables []string
		healthy   bool
		says      []string
	}{
		"registration leads nowhere": {[]string{icd("lost.icd", "/nowhere/libaqueduct.so\n")}, false,
			[]string{"✗ " + filepath.Join(dir, "lost.icd"), "/nowhere/libaqueduct.so", "reinstall that driver", "none of them Aqueduct"}},
		"registration is empty": {[]string{icd("empty.icd", "")}, false, []string{"is empty", "no registration file"}},
		"no registration":       {[]string{"OCL_ICD_VENDORS=/nowhere/at/all"}, false, []string{"✗ stat /nowhere/at/all", "install the driver"}},
		"no compiler": {[]string{"AQUEDUCT_COMPILER=/nowhere/aqueductc"}, false,
			[]string{"✗ /nowhere/aqueductc: ", "install it beside the driver", "clBuildProgram: status -3: the compiler is not available"}},
		"no clang":               {[]string{"AQUEDUCT_CLANG=/nowhere/clang"}, false, []string{"✗ clang 19 is not installed", "apt install clang-19"}},
		"cache cannot be kept":   {[]string{"AQUEDUCT_CACHE=/proc/cache"}, true, []string{"✗ program cache: ", "make it writable"}},
		"cache is off":           {[]string{"AQUEDUCT_CACHE=off"}, true, []string{"the program cache is off"}},
		"a setting is misspelt":  {[]string{"AQUEDUCT_WORKER=1"}, true, []string{"✗ AQUEDUCT_WORKER is no setting: AQUEDUCT_WORKERS?"}},
		"a setting has no sense": {[]string{"AQUEDUCT_WORKERS=many"}, true, []string{`AQUEDUCT_WORKERS="many" is ignored`}},
	} {
		t.Run(name, func(t *testing.T) {
			text, healthy := doctor(t, c.variables...)
			require.Equal(t, c.healthy, healthy, text)
			for _, s := range c.says {
				require.Contains(t, text, s)
			}
		})
	}
}

func TestDeviceNodes(t *testing.T) {
	require.Equal(t, "·", access("/dev/no-such-node").mark)
	require.Equal(t, "✓", access("/dev/null").mark)
	var f finding
	asNobody(func() { f = access("/etc/shadow") })
	require.Equal(t, "✗", f.mark)
	require.Contains(t, f.text, "/etc/shadow may not be opened")
	require.Contains(t, f.advice, "add this user to the group "+groupOf("/etc/shadow")+" (usermod -a -G)")
}

// asNobody calls f as a user whom modes keep out, which they do not root.
func asNobody(f func()) {
	if os.Getuid() != 0 {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never again another's: the thread ends here
		const nobody = 65534
		syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, nobody)
		f()
	}()
	<-done
}

func TestSizesAsPeopleWriteThem(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1.0 KiB", 1536: "1.5 KiB", 25 << 30: "25.0 GiB"} {
		require.Equal(t, want, bytes(n))
	}
}
