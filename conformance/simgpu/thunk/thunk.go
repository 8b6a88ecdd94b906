//go:build simgpu

// Thunk is the simulated GPU in the shape of libhsakmt.so.1, through which AMD's HSA runtime reaches the kernel driver. Put before
// the real one with LD_LIBRARY_PATH, it makes an unmodified libhsa-runtime64.so.1 find the GPU, use it and believe in it.
//
// This package decodes C arguments; what is done is in package device. Environment: SIMGPU_CHIP (gfx906, gfx90a), SIMGPU_SEED (of the
// order in which waves and rings take turns), SIMGPU_STRICT=0 (mistakes that hardware would not notice pass), SIMGPU_LOG=1 (packets on
// standard error), SIMGPU_NODE (a file in place of the device node, which has to be there and open).
package main

/*
#include <stdlib.h>
#include <stdbool.h>
#include "hsakmttypes.h"
*/
import "C"

import (
	"fmt"
	"os"
	"strconv"
	"sync"

	"aqueduct/conformance/simgpu/device"
)

func main() {}

// gpu is the one GPU of the process. It outlives closing and opening again, as does hardware.
var gpu = sync.OnceValue(func() *device.GPU {
	seed, _ := strconv.ParseUint(os.Getenv("SIMGPU_SEED"), 0, 64)
	c := device.Config{Chip: chip(), Seed: seed, Strict: os.Getenv("SIMGPU_STRICT") != "0", Log: os.Getenv("SIMGPU_LOG") == "1"}
	g, err := device.New(c)
	if err != nil {
		fmt.Fprintln(os.Stderr, "simgpu:", err)
		os.Exit(1)
	}
	g.OnFault = describeFault
	return g
})

func chip() string {
	if c := os.Getenv("SIMGPU_CHIP"); c != "" {
		return c
	}
	return "gfx906"
}

//export hsaKmtOpenKFD
func hsaKmtOpenKFD() C.HSAKMT_STATUS {
	if node := os.Getenv("SIMGPU_NODE"); node != "" {
		f, err := os.OpenFile(node, os.O_RDWR, 0)
		if err != nil {
			return C.HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED
		}
		f.Close()
	}
	gpu()
	return C.HSAKMT_STATUS_SUCCESS
}

//export hsaKmtCloseKFD
func hsaKmtCloseKFD() C.HSAKMT_STATUS { return C.HSAKMT_STATUS_SUCCESS }

//export hsaKmtGetVersion
func hsaKmtGetVersion(v *C.HsaVersionInfo) C.HSAKMT_STATUS {
	v.KernelInterfaceMajorVersion, v.KernelInterfaceMinorVersion = 1, 8
	return C.HSAKMT_STATUS_SUCCESS
}

//export hsaKmtGetClockCounters
func hsaKmtGetClockCounters(node C.HSAuint32, c *C.HsaClockCounters) C.HSAKMT_STATUS {
	now := device.Now()
	c.CPUClockCounter, c.SystemClockCounter, c.SystemClockFrequencyHz = C.HSAuint64(now), C.HSAuint64(now), 1000000000
	c.GPUClockCounter = C.HSAuint64(now / 10)
	return C.HSAKMT_STATUS_SUCCESS
}
