package cl

import (
	"slices"
	"sync"

	"aqueduct/roc"
)

// Device is a device object (OpenCL API 3.0 section 4.2): an agent, or some of its compute units (section 4.3). Its uses are
// contexts and sub-devices.
type Device struct {
	Object
	platform *Platform
	roc      *roc.Device
	kind     uint64   // CL_DEVICE_TYPE
	parent   *Device  // of a sub-device, else nil
	scheme   []uint64 // CL_DEVICE_PARTITION_TYPE of a sub-device
	units    []int    // of a sub-device made by names, else nil
	names    struct {
		sync.Mutex              // guards taken
		taken      map[int]bool // units of sub-devices made by names
	}
}

func newDevice(p *Platform, r *roc.Device) *Device {
	d := &Device{platform: p, roc: r, kind: CL_DEVICE_TYPE_GPU}
	if r.Info().CPU {
		d.kind = CL_DEVICE_TYPE_CPU
	}
	r.OnCompile(d.compileOwn)
	d.initEternal(KindDevice)
	return d
}

// Info is clGetDeviceInfo.
func (d *Device) Info(param uint32, out Out) Status {
	if extension := extensionInfo[param]; extension != "" && !d.hasExtension(extension) {
		return CL_INVALID_VALUE
	}
	return deviceInfo.Get(d, param, out)
}

// baseAlign is CL_DEVICE_MEM_BASE_ADDR_ALIGN in bytes: the largest OpenCL C type is long16.
func (d *Device) baseAlign() uint64 { return 128 }

// has reports whether the agent's ISA has a feature.
func (d *Device) has(feature string) bool { return slices.Contains(d.roc.Info().Features, "+"+feature) }

// vectorBytes is the width of the agent's vector registers.
func (d *Device) vectorBytes(integer bool) int {
	switch {
	case d.has("avx512f"):
		return 64
	case d.has("avx2"), d.has("avx") && !integer:
		return 32
	case d.kind == CL_DEVICE_TYPE_GPU: // each work-item has a lane of its own
		return 4
	}
	return 16
}

// Dump says in words what the device is doing: for hangs.
func (d *Device) Dump() string { return d.roc.Dump() }

// root is d, or what it is part of.
func (d *Device) root() *Device {
	for d.parent != nil {
		d = d.parent
	}
	return d
}
