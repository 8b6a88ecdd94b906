package roc

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

// Setting is a number that an environment variable may change. All of them are in Settings.
type Setting struct {
	Name    string
	Default int
	Min     int
	Max     int
	Meaning string
}

// Settings are what of this package and the embedded agent can be set, for the driver to show.
var Settings = []Setting{
	{hwQueues, 4, 1, 64, "AQL queues of a device and priority, which command queues share"},
	{queueSize, 4096, 1024, 1 << 17, "packets in an AQL queue, rounded down to a power of two"},
	{batchSize, 64, 1, 1024, "commands collected before the device is told of them, when nothing asks for it earlier"},
	{workers, 0, 0, 1024, "worker threads of the embedded agent; 0 takes affinity and control group into account"},
	{spin, 30, 0, 1000, "microseconds a worker without work stays awake"},
	{stackSize, 8, 1, 512, "MiB of stack a kernel of the embedded agent has"},
}

const (
	hwQueues  = "AQUEDUCT_HW_QUEUES"
	queueSize = "AQUEDUCT_QUEUE_SIZE"
	batchSize = "AQUEDUCT_BATCH"
	workers   = "AQUEDUCT_WORKERS"
	spin      = "AQUEDUCT_SPIN"
	stackSize = "AQUEDUCT_STACK"
)

var readSettings = sync.OnceValue(parseSettings)

// parseSettings reads the environment. What does not parse or is out of range is told and left at its default.
func parseSettings() map[string]int {
	values := make(map[string]int, len(Settings))
	for _, s := range Settings {
		values[s.Name] = s.Default
		text, set := os.LookupEnv(s.Name)
		if !set {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < s.Min || n > s.Max {
			fmt.Fprintf(os.Stderr, "aqueduct: %s=%q ignored: not a number from %d to %d\n", s.Name, text, s.Min, s.Max)
			continue
		}
		values[s.Name] = n
	}
	return values
}

func setting(name string) int { return readSettings()[name] }
