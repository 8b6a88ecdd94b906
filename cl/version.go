package cl

import (
	"crypto/sha256"
	"runtime/debug"
	"strconv"

	"aqueduct/roc/compiler/codeobject"
)

// DriverVersion is CL_DRIVER_VERSION: the release, and the version of its program binaries. Applications that keep binaries (hashcat)
// keep them by this text, and fail on one that is CL_INVALID_BINARY instead of building it again.
var DriverVersion = "0.1." + strconv.Itoa(codeobject.Version)

// driverUUID tells one build of the driver from another (cl_khr_device_uuid).
var driverUUID = func() (id [CL_UUID_SIZE_KHR]byte) {
	text := platformName + DriverVersion
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				text += s.Value
			}
		}
	}
	sum := sha256.Sum256([]byte(text))
	copy(id[:], sum[:])
	return id
}()
