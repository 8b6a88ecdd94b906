package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"aqueduct/cl"
	"aqueduct/roc/settings"
)

// init has the driver answer a signal, if a setting names one: the application hangs, and someone wants to know in what. No
// handler is installed otherwise.
func init() {
	n := settings.DumpSignal.Value()
	if n == 0 {
		return
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.Signal(n))
	go func() {
		for range asked {
			dump(os.Stderr)
		}
	}()
}

// dump says what every command queue, device and goroutine is doing. It takes the locks of queues and devices, one at a time: if
// one is never given back, the stacks, which come first, show who has it.
func dump(w io.Writer) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	fmt.Fprintf(w, "aqueduct: goroutines\n%s\n", stacks)
	queues := 0
	for o := range handles {
		// The object may be gone before it is found.
		switch p := find(o.Handle(), o.Kind()); {
		case p == nil:
		case o.Kind() == cl.KindQueue:
			queues++
			fmt.Fprintf(w, "aqueduct: command queue %#x: %s", o.Handle(), (*cl.Queue)(p).Dump())
		case o.Kind() == cl.KindDevice:
			fmt.Fprintf(w, "aqueduct: device %#x\n%s", o.Handle(), (*cl.Device)(p).Dump())
		}
	}
	fmt.Fprintf(w, "aqueduct: %d command queues\naqueduct: end of the dump\n", queues)
}
