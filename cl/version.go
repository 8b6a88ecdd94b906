package cl

import (
	"crypto/sha256"
	"runtime/debug"
)

// DriverVersion is CL_DRIVER_VERSION.
const DriverVersion = "0.1"

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
