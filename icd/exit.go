package main

// extern int aq_recording;
import "C"

import (
	"time"

	"aqueduct/roc/trace"
)

// exitPatience bounds how long the end of the process may wait for what is written then.
const exitPatience = 3 * time.Second

// finishAtExit has the end of the process write what is recorded, if anything is.
func finishAtExit() {
	if trace.On() {
		C.aq_recording = 1
	}
}

// aq_finish is called by a thread that may be one of the driver's, with locks of the driver's: it only waits, and not for ever.
//
//export aq_finish
func aq_finish() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		trace.Finish()
	}()
	select {
	case <-done:
	case <-time.After(exitPatience):
	}
}
