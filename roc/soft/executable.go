package soft

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"aqueduct/filelimit"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"

	"github.com/ebitengine/purego"
)

// executable is a shared object loaded into the process.
type executable struct {
	agent  *Agent
	handle uintptr

	mu      sync.Mutex
	kernels []*kernel // guarded by mu; kept for packets, which the garbage collector does not see
}

// loads counts calls of Load.
var loads atomic.Uint64

// Load implements hsa.Agent: code is an ELF shared object.
func (a *Agent) Load(code []byte) (hsa.Executable, error) {
	fd, err := memfd("kernels", code)
	if err != nil {
		return nil, fmt.Errorf("soft: load: %w", err)
	}
	defer syscall.Close(fd)
	handle, err := purego.Dlopen(uniquePath(fd, loads.Add(1)), purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("soft: load: %w", err)
	}
	e := &executable{agent: a, handle: handle}
	a.loaded.Store(e, nil)
	return e, nil
}

// memfd returns a file in memory that holds data.
func memfd(name string, data []byte) (int, error) {
	const (
		sysMemfdCreate = 319
		cloexec        = 1
	)
	path, err := syscall.BytePtrFromString(name)
	if err != nil {
		return -1, err
	}
	r, _, errno := syscall.Syscall(sysMemfdCreate, uintptr(unsafe.Pointer(path)), cloexec, 0)
	if errno != 0 {
		return -1, errno
	}
	fd := int(r)
	err = filelimit.Guard(func() error {
		for len(data) > 0 {
			n, err := syscall.Write(fd, data)
			if err != nil {
				return err
			}
			data = data[n:]
		}
		return nil
	})
	if err != nil {
		syscall.Close(fd)
		return -1, err
	}
	return fd, nil
}

// uniquePath returns a path to open fd by that is different for each number n: the dynamic linker takes a path it has seen
// for the file it found there then, and numbers of closed files come back. The path spells the bits of n.
func uniquePath(fd int, n uint64) string {
	var b strings.Builder
	b.WriteString("/proc/self")
	for ; n > 0; n >>= 1 {
		b.WriteString([2]string{"/.", "//."}[n&1])
	}
	fmt.Fprintf(&b, "/fd/%d", fd)
	return b.String()
}

// Kernel implements hsa.Executable.
func (e *executable) Kernel(info *codeobject.KernelInfo) (uint64, error) {
	entry, err := purego.Dlsym(e.handle, info.Symbol)
	if err != nil {
		return 0, fmt.Errorf("soft: %w", err)
	}
	k := nativeKernel(entry, info)
	e.mu.Lock()
	e.kernels = append(e.kernels, k)
	e.mu.Unlock()
	return k.object(), nil
}

// Function implements hsa.Executable.
func (e *executable) Function(symbol string) (uint64, error) {
	address, err := purego.Dlsym(e.handle, symbol)
	if err != nil {
		return 0, fmt.Errorf("soft: %w", err)
	}
	return uint64(address), nil
}

// Destroy implements hsa.Executable.
func (e *executable) Destroy() {
	e.agent.loaded.Delete(e)
	purego.Dlclose(e.handle)
}
