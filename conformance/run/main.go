// Command run runs the manifest on a driver and writes what it saw: results.jsonl, report.html, junit.xml and the logs. Its exit
// status is 0 when nothing failed, crashed, hung or was missing, 1 when something did, 2 when it could not run at all.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"aqueduct/conformance"
	"aqueduct/conformance/runner"
)

type options struct {
	config   runner.Config
	manifest string
	against  string
	length   time.Duration // of the soak test
	seed     int           // of the soak test
}

func main() {
	var o options
	var only, env, sets string
	c := &o.config
	flag.StringVar(&c.Info.ICD, "icd", "/etc/OpenCL/vendors/aqueduct.icd", "registration `file` of the driver")
	flag.IntVar(&c.Info.Index, "device", 0, "`number` of the device to test")
	flag.StringVar(&o.manifest, "manifest", "cts", "which part of the manifest: cts, programs, clients or soak")
	flag.StringVar(&c.Dir, "binaries", "", "`directory` of the built binaries; only those of the CTS are built elsewhere")
	flag.StringVar(&c.Info.Mode, "mode", "quick", strings.Join(conformance.Modes, " or "))
	flag.StringVar(&only, "only", "", "`patterns` ENTRY or ENTRY/SUB-TEST of what to run, separated by spaces")
	flag.StringVar(&env, "env", "", "`settings` NAME=VALUE for the binaries, separated by spaces")
	flag.IntVar(&c.Jobs, "jobs", 0, "processes at once; 0 for one a processor")
	flag.Float64Var(&c.Slack, "slack", 1, "`factor` on all limits of time, for slow machines and simulated devices")
	flag.StringVar(&sets, "out", "", "`directory` of results; by default one named after the driver in build/conformance")
	flag.BoolVar(&c.Resume, "resume", false, "go on with the run that is there")
	flag.StringVar(&o.against, "against", "", "`directory` of the results to compare with; by default those of the run before")
	flag.DurationVar(&o.length, "length", 5*time.Second, "how long the soak test runs")
	flag.IntVar(&o.seed, "seed", 1, "`number` from which the soak test makes its programs")
	flag.Parse()
	c.Only, c.Env, c.Out = strings.Fields(only), strings.Fields(env), sets
	ok, err := o.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func (o *options) run() (bool, error) {
	c := &o.config
	if err := o.fill(); err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp)
	switch o.manifest {
	case "programs":
		c.Dir = temp
		c.Entries, err = conformance.BuildPrograms(temp)
	case "soak":
		c.Dir = temp
		c.Entries, err = conformance.BuildSoak(temp, o.length, o.seed)
	case "clients":
		c.Dir = temp
		if c.Entries, err = conformance.Manifest(o.manifest); err == nil {
			c.Entries = conformance.Asked(c.Entries, c.Only)
			err = conformance.PutClients(temp, c.Entries)
		}
	default:
		c.Entries, err = conformance.Manifest(o.manifest)
	}
	if err != nil {
		return false, err
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	report, err := runner.Run(ctx, c)
	if report == nil {
		return false, err
	}
	return report.OK() && err == nil, o.write(report, err)
}

// fill completes the configuration from what is there.
func (o *options) fill() error {
	c := &o.config
	icd, err := filepath.Abs(c.Info.ICD)
	if err != nil {
		return err
	}
	c.Info.ICD = icd
	if c.Jobs == 0 {
		c.Jobs = runtime.NumCPU()
	}
	if c.Info.Device, err = conformance.LookAt(icd, c.Info.Index); err != nil {
		return err
	}
	c.Info.Host = runner.Host(runtime.NumCPU())
	if c.Out == "" {
		name := strings.TrimSuffix(filepath.Base(icd), ".icd")
		if c.Info.Index > 0 {
			name += strconv.Itoa(c.Info.Index)
		}
		c.Out = filepath.Join("build/conformance", o.manifest, name+"-"+c.Info.Mode)
	}
	if c.Out, err = filepath.Abs(c.Out); err != nil {
		return err
	}
	if c.Dir, err = filepath.Abs(c.Dir); err != nil {
		return err
	}
	c.Show = runner.Plain(os.Stdout)
	if width := terminalWidth(os.Stdout); width > 0 {
		c.Show = runner.Bar(os.Stdout, width)
	}
	return nil
}

// write writes the reports and says in a few lines what came of the run.
func (o *options) write(report *runner.Report, stopped error) error {
	c := &o.config
	against := o.against
	if against == "" {
		against = c.Out + ".previous"
	}
	other, err := runner.Load(against)
	if err != nil && o.against != "" {
		return err
	}
	for name, f := range map[string]func(io.Writer) error{
		"report.html": func(w io.Writer) error { return report.HTML(w, other) },
		"junit.xml":   report.JUnit,
	} {
		file, err := os.Create(filepath.Join(c.Out, name))
		if err != nil {
			return err
		}
		if err := f(file); err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	if other != nil {
		changes := runner.Changes(other, report)
		for i, ch := range changes {
			if i == 40 {
				fmt.Printf("  and %d more\n", len(changes)-i)
				break
			}
			fmt.Printf("  %-10s → %-10s %s\n", orNone(ch.Was), orNone(ch.Is), ch.ID)
		}
	}
	fmt.Printf("%s, %s: %v\n%s\n", report.Info.Device.Platform, report.Info.Device.Name, report.Count(), filepath.Join(c.Out, "report.html"))
	return stopped
}

func orNone(s runner.Status) runner.Status {
	if s == "" {
		return "absent"
	}
	return s
}
