package runner

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aqueduct/conformance"
)

const passes = `begin $t; end $t passed; result $t pass`

// TestStatusOfSubTests: what a binary does, and what is known of its sub-tests thereafter.
func TestStatusOfSubTests(t *testing.T) {
	for _, c := range []struct {
		name, tests, each, after string
		want                     map[string]Status
	}{
		{"passes", "a b", passes, "saved", map[string]Status{"a": Pass, "b": Pass}},
		{"fails", "a b", `begin $t; if [ $t = a ]; then echo "ERROR: wrong"; end a FAILED; result a fail; bad=1; else end b passed; result b pass; fi`,
			"saved; exit $bad", map[string]Status{"a": Fail, "b": Pass}},
		{"skips", "a b", `begin $t; echo no such thing; end $t test not supported; result $t skip`, "saved", map[string]Status{"a": Skip, "b": Skip}},
		{"skips before it begins", "a b", `result $t skip`, "saved", map[string]Status{"a": Skip, "b": Skip}},
		{"writes no results", "a b c", `begin $t; case $t in a) end a passed;; b) echo -n "..."; end b FAILED;; c) end "c skipped (requires more)";; esac`,
			"exit 1", map[string]Status{"a": Pass, "b": Fail, "c": Skip}},
		{"crashes in the middle", "a b c", `begin $t; [ $t = b ] && kill -SEGV $$; end $t passed; result $t pass`, "saved",
			map[string]Status{"a": Pass, "b": Crash, "c": Pass}},
		{"crashes twice", "a b c", `begin $t; [ $t != c ] && kill -ABRT $$; end $t passed; result $t pass`, "saved",
			map[string]Status{"a": Crash, "b": Crash, "c": Pass}},
		{"crashes at the end", "a b", passes, "saved; kill -SEGV $$", map[string]Status{"a": Pass, "b": Pass, exit: Crash}},
		{"lies by its exit status", "a", passes, "saved; exit 3", map[string]Status{"a": Pass, exit: Fail}},
		{"contradicts itself", "a", `begin a; end a FAILED; result a pass`, "saved", map[string]Status{"a": Fail}},
		{"ends at once", "a b", "", "exit 1", map[string]Status{"a": NotRun, "b": NotRun}},
		{"says nothing", "a b", "", "exit 0", map[string]Status{"a": NotRun, "b": NotRun}},
		{"forgets one", "a b", `[ $t = b ] || { begin a; end a passed; result a pass; }`, "saved", map[string]Status{"a": Pass, "b": NotRun}},
		{"leaves a child", "a", passes, "saved; sleep 1000 &", map[string]Status{"a": Pass}},
		{"is one test", "", "echo fine", "", map[string]Status{"": Pass}},
		{"is one test that fails", "", "echo bad; exit 1", "", map[string]Status{"": Fail}},
		{"is one test that crashes", "", "kill -SEGV $$", "", map[string]Status{"": Crash}},
		{"is one test that skips", "", "exit 77", "", map[string]Status{"": Skip}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFakes(t)
			f.add("it", c.tests, c.each, c.after)
			got := map[string]Status{}
			for id, r := range f.run() {
				got[strings.TrimPrefix(strings.TrimPrefix(id, "it"), "/")] = r.Status
			}
			require.Equal(t, c.want, got)
		})
	}
}

// ample is a limit that something is to exceed, after a shell has begun and done a little on a busy machine.
const ample = 5 * time.Second

// TestHang: a sub-test that hangs is ended at its own deadline, with what it was doing, and those after it run.
func TestHang(t *testing.T) {
	f := newFakes(t)
	e := f.add("it", "a b c", `begin $t
if [ $t = b ]; then trap 'echo queue 7 waits; echo "aqueduct: end of the dump"' QUIT; while :; do read -t 0.05 <> <(:); done; fi
end $t passed; result $t pass`, "saved")
	e.Runs[0].Each = ample
	results := f.run()
	require.Equal(t, Pass, results["it/a"].Status)
	require.Equal(t, Pass, results["it/c"].Status)
	b := results["it/b"]
	require.Equal(t, Timeout, b.Status)
	require.Equal(t, "still running after 5s", b.Why)
	require.Contains(t, b.Evidence, "test_it", "the threads of the process")
	require.Contains(t, b.Evidence, "queue 7 waits", "the driver's account")
	log, err := os.ReadFile(filepath.Join(f.dir, "out", b.Log))
	require.NoError(t, err)
	require.Contains(t, string(log), "queue 7 waits")
}

// TestSignalOnlyToWhoeverCatchesIt: another driver's process would end of it, and its stacks would be lost.
func TestSignalOnlyToWhoeverCatchesIt(t *testing.T) {
	f := newFakes(t)
	e := f.add("it", "", "sleep 1000", "")
	e.Runs[0].Limit = ample
	r := f.run()["it"]
	require.Equal(t, Timeout, r.Status)
	require.Contains(t, r.Evidence, "sleep 1000", "children are part of what is going on")
	require.NotContains(t, r.Evidence, "account")
}

// TestTimeOfTheBinary: when it is over, what has not begun is not run.
func TestTimeOfTheBinary(t *testing.T) {
	f := newFakes(t)
	e := f.add("it", "a b c", `begin $t; [ $t = b ] && sleep 1000; end $t passed`, "")
	e.Runs[0].Limit = ample
	results := f.run()
	require.Equal(t, Pass, results["it/a"].Status)
	require.Equal(t, Timeout, results["it/b"].Status)
	require.Equal(t, NotRun, results["it/c"].Status)
}

// TestWhatIsThereDecides: binaries and sub-tests that are missing count as not run; sub-tests the manifest does not know run.
func TestWhatIsThereDecides(t *testing.T) {
	f := newFakes(t)
	f.add("gone", "a", passes, "saved")
	require.NoError(t, os.RemoveAll(filepath.Join(f.dir, "gone")))
	f.add("older", "a new", passes, "saved").Tests = conformance.Words{"a", "removed"}
	f.add("partly", "a b", passes, "saved").LeftOut = map[string]string{"b": "a reason"}
	f.entries = append(f.entries, conformance.Entry{Area: "Fakes", Name: "elsewhere", LeftOut: map[string]string{"*": "another system"}})
	results := f.run()
	want := map[string]Status{"gone/a": NotRun, "older/a": Pass, "older/new": Pass, "older/removed": NotRun, "partly/a": Pass,
		"partly/b": LeftOut, "elsewhere": LeftOut}
	require.Len(t, results, len(want))
	for id, status := range want {
		require.Equal(t, status, results[id].Status, id)
	}
	require.Equal(t, "a reason", results["partly/b"].Why)
}

// TestSkipIsExplained by what the device lacks of what the manifest says the sub-test needs.
func TestSkipIsExplained(t *testing.T) {
	f := newFakes(t)
	e := f.add("it", "a_half b", `begin $t; end $t test not supported; result $t skip`, "saved")
	e.Needs = map[string]conformance.Words{"*_half": {"cl_khr_fp16"}, "*": {"cl_khr_icd"}}
	c := f.config()
	c.Info.Device.Features = conformance.Features{"cl_khr_icd": true}
	report, err := Run(t.Context(), c)
	require.NoError(t, err)
	results := byID(t, report)
	a, b := results["it/a_half"], results["it/b"]
	require.Equal(t, []string{"cl_khr_fp16"}, a.Lacks)
	require.False(t, a.Unexplained())
	require.True(t, b.Unexplained())
	require.True(t, report.OK())
}

// TestResume: what has a result is not run again, what was cut off is.
func TestResume(t *testing.T) {
	f := newFakes(t)
	f.add("it", "a b c", `begin $t; echo $t >> ran; [ $t = b -a ! -e again ] && { touch again; sleep 1000; }; end $t passed; result $t pass`, "saved")
	c := f.config()
	ctx, cancel := context.WithCancel(t.Context())
	stop := filepath.Join(f.dir, "it", "again")
	go func() {
		for _, err := os.Stat(stop); err != nil; _, err = os.Stat(stop) {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	report, err := Run(ctx, c)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, report.Results, 1, "what had ended stands")
	require.Equal(t, 2, report.Info.Left)
	require.False(t, report.OK())
	require.Equal(t, "it/a", report.Results[0].ID())
	cut := append(mustRead(t, filepath.Join(c.Out, resultsName)), `{"Area":"Fakes","Entry":"it","Te`...)
	require.NoError(t, os.WriteFile(filepath.Join(c.Out, resultsName), cut, 0o644))
	c.Resume = true
	report, err = Run(t.Context(), c)
	require.NoError(t, err)
	results := byID(t, report)
	require.Len(t, results, 3)
	require.True(t, report.OK())
	require.Equal(t, "a\nb\nb\nc\n", string(mustRead(t, filepath.Join(f.dir, "it", "ran"))))
	c.Info.Mode = "full"
	_, err = Run(t.Context(), c)
	require.ErrorContains(t, err, "cannot resume")
}

func mustRead(t *testing.T, name string) []byte {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return text
}

// TestOnly: patterns choose entries and sub-tests.
func TestOnly(t *testing.T) {
	f := newFakes(t)
	f.add("one", "a ab b", passes, "saved")
	f.add("two", "a", passes, "saved")
	c := f.config()
	c.Only = []string{"on*/a*"}
	report, err := Run(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, report.Results, 2)
	c.Only = []string{"three"}
	_, err = Run(t.Context(), c)
	require.ErrorContains(t, err, "nothing to run")
}

// TestAlone: what is to be alone does not run beside anything.
func TestAlone(t *testing.T) {
	f := newFakes(t)
	for _, name := range []string{"x", "y", "z"} {
		e := f.add(name, "", `cd ..; touch in.$$; sleep 0.3; ls in.* | wc -l; rm in.$$`, "")
		e.Runs[0].Alone = name != "x"
	}
	for id, r := range f.run() {
		require.Equal(t, "1", r.Why, id)
	}
}

// TestEnvironment of the binaries: the driver by a directory, which every loader understands, the device, and the settings given.
func TestEnvironment(t *testing.T) {
	f := newFakes(t)
	f.add("it", "", `echo "$(ls $OCL_ICD_VENDORS) $CL_DEVICE_INDEX $CONFORMANCE_DEVICE $MORE $AQUEDUCT_DUMP_SIGNAL"`, "")
	c := f.config()
	c.Info.Index, c.Env = 2, []string{"MORE=x"}
	report, err := Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, "fake.icd 2 2 x 3", report.Results[0].Why)
}
