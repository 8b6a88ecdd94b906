package conformance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// Features are what a device has, by the names of its extensions, of its optional features of OpenCL C, of the
// CL_... queries that do not answer no, and of the CL_... bits in their answers. a_second_device is one that clinfo does not name.
type Features map[string]bool

// Device is what the report says of the device that was tested.
type Device struct {
	Platform, Name, Version, Driver string
	Features                        Features `json:"-"`
}

var rawLine = regexp.MustCompile(`^(?:\[\S+/(\d+|\*)\])?\s+(CL_\w+)\s*(.*)$`)

// LookAt asks clinfo what device number index of the first platform that icd registers is and has.
func LookAt(icd string, index int) (Device, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "clinfo", "--raw")
	cmd.Env = append(os.Environ(), "OCL_ICD_VENDORS="+icd)
	text, err := cmd.Output()
	if err != nil {
		return Device{}, fmt.Errorf("clinfo --raw on %s: %w", icd, err)
	}
	d := parseRaw(string(text), fmt.Sprint(index))
	if d.Name == "" {
		return d, fmt.Errorf("clinfo shows no device %d on %s", index, icd)
	}
	return d, nil
}

func parseRaw(text, index string) Device {
	d := Device{Features: Features{}}
	for _, line := range strings.Split(text, "\n") {
		m := rawLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		owner, name, value := m[1], m[2], strings.TrimSpace(m[3])
		ofPlatform := strings.HasPrefix(name, "CL_PLATFORM_")
		if !ofPlatform && owner != index {
			d.Features["a_second_device"] = d.Features["a_second_device"] || strings.HasPrefix(name, "CL_DEVICE_")
			continue
		}
		switch name {
		case "CL_PLATFORM_NAME":
			d.Platform = value
		case "CL_DEVICE_NAME":
			d.Name = value
		case "CL_DEVICE_VERSION":
			d.Version = value
		case "CL_DRIVER_VERSION":
			d.Driver = value
		}
		d.Features.add(name, value)
	}
	return d
}

// add enters a query and what is named in its answer, unless that is a no.
func (f Features) add(name, value string) {
	switch value {
	case "", "0", "CL_FALSE", "CL_NONE":
		return
	}
	f[name] = true
	for _, word := range strings.Fields(value) {
		word, _, _ = strings.Cut(word, ":")
		if strings.HasPrefix(word, "CL_") || strings.HasPrefix(word, "cl_") || strings.HasPrefix(word, "__opencl_c_") {
			f[word] = true
		}
	}
}
