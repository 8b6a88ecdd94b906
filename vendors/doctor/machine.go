package main

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"aqueduct/roc"
	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/rocr"
)

// processor tells what the devices have to work with.
func processor() (f []finding) {
	devices, err := roc.Devices()
	if err != nil {
		return append(f, wrong("", "the embedded agent does not start: %v", err))
	}
	for _, d := range devices {
		i := d.Info()
		if !i.CPU {
			f = append(f, fine("%s of %s: %d compute units, %s of memory", i.Name, i.Vendor, i.ComputeUnits, bytes(i.GlobalMemory)))
			continue
		}
		f = append(f, fine("%s: %d of %d cores allowed by affinity and control group, %s of memory", i.Name, i.ComputeUnits, runtime.NumCPU(), bytes(i.GlobalMemory)))
		var has []string
		for _, name := range []string{"avx512f", "avx2", "fma", "avx", "sse4.2"} {
			if slices.Contains(i.Features, "+"+name) {
				has = append(has, name)
			}
		}
		f = append(f, fine("%s with %s", i.ISA, strings.Join(has, ", ")))
	}
	return f
}

// gpus tells what there is of AMD's GPUs and what a program would lack to use them.
func gpus() (f []finding) {
	if why := roc.WhyNoGPU(); why != nil {
		f = append(f, note("the driver offers no GPU: %v", why))
	}
	nodes, _ := filepath.Glob("/dev/dri/renderD*")
	if _, err := os.Stat("/sys/module/amdgpu"); err != nil {
		f = append(f, note("the amdgpu kernel driver is not loaded: there is no AMD GPU, or none that this kernel knows"))
	} else {
		f = append(f, fine("the amdgpu kernel driver is loaded"))
	}
	for _, node := range append([]string{"/dev/kfd"}, nodes...) {
		f = append(f, access(node))
	}
	if library, err := rocr.Library(); err != nil {
		f = append(f, note("%v", err))
	} else {
		f = append(f, fine("AMD's HSA runtime: %s", library))
	}
	for _, part := range []struct {
		what string
		find func() (string, error)
	}{{"AMD's device libraries", frontend.DeviceLibraries}, {"the linker", frontend.Linker}} {
		if path, err := part.find(); err != nil {
			f = append(f, note("no kernels for GPUs: %v", err))
		} else {
			f = append(f, fine("%s: %s", part.what, path))
		}
	}
	return f
}

// access tells whether this user may use a device node, and which group would let him.
func access(node string) finding {
	file, err := os.OpenFile(node, os.O_RDWR, 0)
	switch {
	case err == nil:
		file.Close()
		return fine("%s can be opened", node)
	case errors.Is(err, os.ErrNotExist):
		return note("%s is not there", node)
	case errors.Is(err, os.ErrPermission):
		return wrong("add this user to the group "+groupOf(node)+" (usermod -a -G) and log in again", "%s may not be opened", node)
	}
	return wrong("", "%v", err)
}

// groupOf names the group that owns a file.
func groupOf(path string) string {
	var s syscall.Stat_t
	if syscall.Stat(path, &s) != nil {
		return "that owns it"
	}
	id := strconv.Itoa(int(s.Gid))
	if g, err := user.LookupGroupId(id); err == nil {
		return g.Name
	}
	return id
}
