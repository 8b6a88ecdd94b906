package cl

import (
	"sync"

	"aqueduct/roc"
)

// Platform is the one platform of the driver (OpenCL API 3.0 section 4.1).
type Platform struct {
	Object
	devices []*Device
	absent  error // why devices that might be there are not
}

// ThePlatform is that platform. Its devices are looked for at the first call.
var ThePlatform = sync.OnceValue(func() *Platform {
	p := new(Platform)
	p.initEternal(KindPlatform)
	found, err := roc.Devices()
	p.absent = err
	for _, d := range found {
		p.devices = append(p.devices, newDevice(p, d))
	}
	return p
})

// Devices are all devices, the default one first.
func (p *Platform) Devices() []*Device { return p.devices }

const (
	platformName       = "Aqueduct"
	platformVersion    = "OpenCL 3.0 Aqueduct"
	platformICDSuffix  = "AQ"
	numericVersion     = 3 << 22 // 3.0.0 as a cl_version
	platformProfile    = "FULL_PROFILE"
	platformVendorName = "Aqueduct"
)

var platformInfo = Table[*Platform]{
	CL_PLATFORM_PROFILE:                 func(*Platform) Value { return String(platformProfile) },
	CL_PLATFORM_VERSION:                 func(*Platform) Value { return String(platformVersion) },
	CL_PLATFORM_NUMERIC_VERSION:         func(*Platform) Value { return Uint(uint32(numericVersion)) },
	CL_PLATFORM_NAME:                    func(*Platform) Value { return String(platformName) },
	CL_PLATFORM_VENDOR:                  func(*Platform) Value { return String(platformVendorName) },
	CL_PLATFORM_EXTENSIONS:              func(p *Platform) Value { return String(names(p.extensions())) },
	CL_PLATFORM_EXTENSIONS_WITH_VERSION: func(p *Platform) Value { return NameVersions(p.extensions()) },
	// "Returns the resolution of the host timer in nanoseconds": of CLOCK_MONOTONIC.
	CL_PLATFORM_HOST_TIMER_RESOLUTION:                   func(*Platform) Value { return Ulong(uint64(1)) },
	CL_PLATFORM_ICD_SUFFIX_KHR:                          func(*Platform) Value { return String(platformICDSuffix) },
	CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR: func(*Platform) Value { return Uints(externalMemory...) },
	CL_PLATFORM_SEMAPHORE_TYPES_KHR:                     binarySemaphores[*Platform],
	CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR:       func(*Platform) Value { return Uints(semaphoreImports...) },
	CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:       func(*Platform) Value { return Uints(semaphoreExports...) },
	CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR:         func(*Platform) Value { return Ulong(uint64(commandBufferPlatform)) },
}

// Info is clGetPlatformInfo.
func (p *Platform) Info(param uint32, out Out) Status { return platformInfo.Get(p, param, out) }

// DeviceIDs is clGetDeviceIDs, less what it checks of the pointers (OpenCL API 3.0 section 4.2).
func (p *Platform) DeviceIDs(kind uint64) ([]*Device, Status) {
	const known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM
	// CL_INVALID_DEVICE_TYPE if device_type is not a valid value
	if kind == 0 || kind != CL_DEVICE_TYPE_ALL && kind&^known != 0 {
		return nil, CL_INVALID_DEVICE_TYPE
	}
	var out []*Device
	for i, d := range p.devices {
		if kind&d.kind != 0 || kind&CL_DEVICE_TYPE_DEFAULT != 0 && i == 0 {
			out = append(out, d)
		}
	}
	// CL_DEVICE_NOT_FOUND if no OpenCL devices that matched device_type were found
	if len(out) == 0 {
		return nil, CL_DEVICE_NOT_FOUND
	}
	return out, CL_SUCCESS
}
