//go:build simgpu

package main

/*
#include <stdbool.h>
#include <stdint.h>
#include "hsakmttypes.h"
#include "topology.h"
*/
import "C"

import "aqueduct/conformance/simgpu/device"

func init() {
	C.simgpu_apertures(device.VRAM, device.LocalAperture, device.PrivateAperture)
	units, engines := device.Units(chip())
	C.simgpu_units(C.unsigned(units), C.unsigned(engines))
}

// simgpuLookup is for pointer.c, as the interface has const pointers, which Go cannot export.
//
//export simgpuLookup
func simgpuLookup(at C.uint64_t, address, size, host, user *C.uint64_t, flags, node, kind, mapped *C.uint32_t) C.bool {
	r, ok := gpu().Lookup(uint64(at))
	if !ok {
		return false
	}
	*address, *size, *host, *user = C.uint64_t(r.Address), C.uint64_t(r.Size), C.uint64_t(r.HostAddress()), C.uint64_t(r.User)
	*flags, *node, *kind, *mapped = C.uint32_t(r.Flags), C.uint32_t(r.Node), C.uint32_t(r.Kind), 0
	if r.Mapped {
		*mapped = 1
	}
	return true
}
