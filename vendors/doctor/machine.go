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

	"github.com/ebitengine/purego"
)

// processor tells what the embedded agent has to work with.
func processor() (f []finding) {
	devices, err := roc.Devices()
	if err != nil {
		return append(f, wrong("", "the embedded agent does not start: %v", err))
	}
	for _, d := range devices {
		i := d.Info()
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

// hsaRuntimes are where AMD's HSA runtime is looked for.
var hsaRuntimes = []string{"libhsa-runtime64.so.1", "/opt/rocm/lib/libhsa-runtime64.so.1"}

// gpus tells what there is of AMD's GPUs and what a program would lack to use them.
func gpus() (f []finding) {
	f = append(f, note("this version of the driver offers no GPU; what follows is what one would need"))
	nodes, _ := filepath.Glob("/dev/dri/renderD*")
	if _, err := os.Stat("/sys/module/amdgpu"); err != nil {
		f = append(f, note("the amdgpu kernel driver is not loaded: there is no AMD GPU, or none that this kernel knows"))
	} else {
		f = append(f, fine("the amdgpu kernel driver is loaded"))
	}
	for _, node := range append([]string{"/dev/kfd"}, nodes...) {
		f = append(f, access(node))
	}
	for _, name := range hsaRuntimes {
		if _, err := purego.Dlopen(name, purego.RTLD_LAZY|purego.RTLD_LOCAL); err == nil {
			return append(f, fine("AMD's HSA runtime: %s", name))
		}
	}
	return append(f, note("AMD's HSA runtime (%s) is not installed", hsaRuntimes[0]))
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
