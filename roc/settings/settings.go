// Package settings is the one table of what environment variables change in the driver and its compiler process. Whoever uses
// a setting asks it for its value; the table also makes the help, and tells of variables that nobody reads.
package settings

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Setting is an environment variable of the driver.
type Setting struct {
	Name    string
	Default string // in words where it depends on the machine
	Meaning string
	Tests   bool // for tests and curiosity only: of no use to users

	check func(text string) error // nil: any text will do
}

// The settings, by who reads them. Numbers of which none is given keep their default.
var (
	Devices    = text("AQUEDUCT_DEVICES", "cpu, and gpu where there is /dev/kfd", "devices that are offered, in this order: cpu, gpu or both with a comma")
	HWQueues   = number("AQUEDUCT_HW_QUEUES", 4, 1, 64, "AQL queues of a device and priority, which command queues share; else what AMD's GPU_MAX_HW_QUEUES says").or("GPU_MAX_HW_QUEUES")
	QueueSize  = number("AQUEDUCT_QUEUE_SIZE", 4096, 1024, 1<<17, "packets in an AQL queue, rounded down to a power of two")
	Batch      = number("AQUEDUCT_BATCH", 64, 1, 1024, "commands collected before the device is told of them, when nothing asks for it earlier")
	CopyEngine = number("AQUEDUCT_COPY_ENGINE", 1<<20, 0, 1<<40, "bytes from which a copy between the host's memory and a GPU's goes through a copy engine, and not a kernel; 0: none does")
	Workers    = number("AQUEDUCT_WORKERS", 0, 0, 1024, "worker threads of the embedded agent; 0: as affinity and control group allow")
	Spin       = number("AQUEDUCT_SPIN", 30, 0, 1000, "microseconds that a worker without work stays awake")
	Stack      = number("AQUEDUCT_STACK", 8, 1, 512, "MiB of stack that a kernel of the embedded agent has")

	CPUFeatures = choice("AQUEDUCT_CPU_FEATURES", "all that the processor has", []string{"sse4.2", "avx2", "avx512"}, "highest vector instructions that kernels are compiled for, where the processor has them: sse4.2, avx2 or avx512")

	Compiler     = text("AQUEDUCT_COMPILER", "aqueductc beside the driver", "executable of the compiler process")
	Builtins     = text("AQUEDUCT_BUILTINS", "builtins beside the compiler", "folder of the builtin library")
	Clang        = text("AQUEDUCT_CLANG", "clang 19, where Debian has it or in PATH", "the clang that parses OpenCL C")
	Translator   = text("AQUEDUCT_TRANSLATOR", "llvm-spirv-15, where Debian has it or in PATH", "the translator of SPIR-V modules")
	Cache        = text("AQUEDUCT_CACHE", "~/.cache/aqueduct", "folder of the program cache; off: none")
	CacheSize    = number("AQUEDUCT_CACHE_SIZE", 1024, 1, 1<<20, "MiB of programs above which the cache drops the longest unused")
	BuildTimeout = number("AQUEDUCT_BUILD_TIMEOUT", 1800, 1, 86400, "seconds after which a build fails")
	Stages       = text("AQUEDUCT_STAGES", "none", "folder where the compiler leaves what it has of each program at every stage, in LLVM's language; turn the program cache off")
	Explain      = flag("AQUEDUCT_EXPLAIN", "1: the compiler says for each kernel how it was vectorised, on standard error")

	DumpSignal = number("AQUEDUCT_DUMP_SIGNAL", 0, 0, 31, "signal on which the driver tells standard error what its queues and threads are doing; 0: none")

	Trace     = text("AQUEDUCT_TRACE", "none", "file for a timeline of what the driver does, for ui.perfetto.dev or chrome://tracing; %p in it: the process")
	TraceRate = number("AQUEDUCT_TRACE_RATE", 3000, 0, 1<<30, "commands a second of processor time that the timeline has at most, with gaps above; 0: all, whatever it costs")
	TraceSize = number("AQUEDUCT_TRACE_SIZE", 1024, 1, 1<<20, "MiB that the timeline has at most")

	Stats    = flag("AQUEDUCT_STATS", "1: statistics on standard error when the process ends: kernels, transfers, batches, waiting")
	Report   = text("AQUEDUCT_REPORT", "none", "file for a page that shows timeline, statistics and advice, written when the process ends; %p in it: the process")
	Log      = text("AQUEDUCT_LOG", "none", "level[,area] of a log: error, warning, info or debug; queue, batch, compiler or callback")
	LogFile  = text("AQUEDUCT_LOG_FILE", "standard error", "file the log is appended to; %p in it: the process")
	Watchdog = number("AQUEDUCT_WATCHDOG", 0, 0, 86400, "seconds without progress of a queue with commands after which the driver says on standard error who waits for whom; 0: never")

	Lanes = oneOf("AQUEDUCT_LANES", []string{"1", "2", "4", "8", "16", "32", "64"}, "forces the vector width of kernels; turn the program cache off")
	Rows  = forced("AQUEDUCT_ROWS", 1, 64, "forces how many rows of a kernel run interleaved; turn the program cache off")
)

// All are the settings in the order of their definition.
var All []*Setting

func add(s Setting) *Setting {
	All = append(All, &s)
	return &s
}

// Number is a setting that takes a whole number.
type Number struct {
	*Setting
	otherwise int
	also      string // a variable that others know, which counts where Name is not set
}

// or is n with such a variable.
func (n Number) or(also string) Number {
	n.also = also
	return n
}

func number(name string, otherwise, min, max int, meaning string) Number {
	return Number{add(Setting{Name: name, Default: strconv.Itoa(otherwise), Meaning: meaning, check: func(text string) error {
		if v, err := strconv.Atoi(text); err != nil || v < min || v > max {
			return fmt.Errorf("not a number from %d to %d", min, max)
		}
		return nil
	}}), otherwise, ""}
}

// forced is a number for tests; zero when not given.
func forced(name string, min, max int, meaning string) Number {
	n := number(name, 0, min, max, meaning)
	n.Default, n.Tests = "chosen for each kernel", true
	return n
}

// Value is the number in force.
func (n Number) Value() int {
	text := os.Getenv(n.Name)
	if text == "" && n.also != "" {
		text = os.Getenv(n.also)
	}
	if n.check(text) != nil {
		return n.otherwise
	}
	v, _ := strconv.Atoi(text)
	return v
}

// Text is a setting that takes anything, or one of few values.
type Text struct{ *Setting }

func text(name, otherwise, meaning string) Text {
	return Text{add(Setting{Name: name, Default: otherwise, Meaning: meaning})}
}

// Value is the text in force, "" for the default.
func (t Text) Value() string {
	v := os.Getenv(t.Name)
	if t.check != nil && t.check(v) != nil {
		return ""
	}
	return v
}

// choice is a text that is one of few.
func choice(name, otherwise string, values []string, meaning string) Text {
	t := text(name, otherwise, meaning)
	t.check = among(values...)
	return t
}

// Flag is a setting that is on or off.
type Flag struct{ *Setting }

func flag(name, meaning string) Flag {
	return Flag{add(Setting{Name: name, Default: "0", Meaning: meaning, check: among("0", "1")})}
}

// On reports whether the flag is set.
func (f Flag) On() bool { return os.Getenv(f.Name) == "1" }

// oneOf is a number for tests that takes few values; zero when not given.
func oneOf(name string, values []string, meaning string) Number {
	n := forced(name, 1, 64, meaning)
	n.check = among(values...)
	return n
}

func among(values ...string) func(string) error {
	return func(text string) error {
		if !slices.Contains(values, text) {
			return fmt.Errorf("not one of %s", strings.Join(values, ", "))
		}
		return nil
	}
}

const (
	prefix  = "AQUEDUCT_"
	ofTests = prefix + "FUZZ_" // read by tests, which set them
)

// Complaints are what is wrong with the variables of an environment, one line each: values that are ignored, and names with
// our prefix that nobody reads.
func Complaints(environ []string) (lines []string) {
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, prefix) || strings.HasPrefix(name, ofTests) {
			continue
		}
		i := slices.IndexFunc(All, func(s *Setting) bool { return s.Name == name })
		switch {
		case i < 0:
			line := name + " is no setting"
			if near := nearest(name); near != "" {
				line += ": " + near + "?"
			}
			lines = append(lines, line)
		case All[i].check != nil && value != "":
			if err := All[i].check(value); err != nil {
				lines = append(lines, fmt.Sprintf("%s=%q is ignored: %v", name, value, err))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// nearest is the setting that name is most like, "" if none is much like it.
func nearest(name string) (best string) {
	least := len(name)/3 - 1 // beyond that it is another word
	for _, s := range All {
		if d := distance(name, s.Name); d < least {
			best, least = s.Name, d
		}
	}
	return best
}

// distance is how many letters have to be put in, left out or changed to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := corner
			if a[i] != b[j] {
				d = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}
