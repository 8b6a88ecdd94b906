package cl

import (
	"encoding/binary"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"aqueduct/hostqueue"
)

// Semaphores as file descriptors (cl_khr_external_semaphore). A CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR is an eventfd that counts
// signals: whoever has it, in this process or another, shares the payload. A CL_SEMAPHORE_HANDLE_SYNC_FD_KHR comes from another
// driver and becomes readable when what it stands for is complete. There are none of our own, which it takes a kernel driver to make.

// open gives s its payload: from handle, or of its own.
func (s *Semaphore) open(handle *property) Status {
	switch {
	case handle == nil && len(s.exports) == 0:
		return CL_SUCCESS
	case handle == nil:
		const flags = syscall.O_CLOEXEC | syscall.O_NONBLOCK | efdSemaphore
		fd, _, errno := syscall.Syscall(syscall.SYS_EVENTFD2, 0, flags, 0)
		if errno != 0 {
			return CL_OUT_OF_RESOURCES
		}
		s.shared = os.NewFile(fd, "semaphore")
		return CL_SUCCESS
	}
	fd := int(int32(handle.value))
	// CL_INVALID_PROPERTY if the value specified for a supported property name is not valid
	if handle.name == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR {
		s.syncFD = true
		if s.importSync(fd) != CL_SUCCESS {
			return CL_INVALID_PROPERTY
		}
		return CL_SUCCESS
	}
	name, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	if err != nil || !strings.HasPrefix(name, "anon_inode:[eventfd") || syscall.SetNonblock(fd, true) != nil {
		return CL_INVALID_PROPERTY
	}
	s.shared = os.NewFile(uintptr(fd), "semaphore") // "transfers ownership of the file descriptor"
	return CL_SUCCESS
}

// efdSemaphore is EFD_SEMAPHORE: a read takes one signal.
const efdSemaphore = 1

// importSync makes the payload what fd stands for: signaled once it is complete. "The special value -1 for fd is treated like a
// valid sync file descriptor referring to an object that has already signaled."
func (s *Semaphore) importSync(fd int) Status {
	t := newToken()
	if fd == -1 {
		t.fired.SetUserStatus(hostqueue.Complete, hostqueue.Leaves)
	} else {
		// CL_INVALID_VALUE if fd is invalid
		if syscall.SetNonblock(fd, true) != nil {
			return CL_INVALID_VALUE
		}
		f := os.NewFile(uintptr(fd), "sync")
		go func() {
			defer f.Close()
			t.fired.SetUserStatus(whenReadable(f, func(fd uintptr) bool { return poll(fd) == 1 }), hostqueue.Leaves)
		}()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signaled = t
	return CL_SUCCESS
}

// ReimportSync is clReImportSemaphoreSyncFdKHR.
func (s *Semaphore) ReimportSync(fd int) Status {
	// CL_INVALID_SEMAPHORE_KHR if a CL_SEMAPHORE_HANDLE_SYNC_FD_KHR handle was not imported when sema_object was created
	if !s.syncFD {
		return CL_INVALID_SEMAPHORE_KHR
	}
	return s.importSync(fd)
}

// Exports checks that s can be had as a handle of a type, for d (clGetSemaphoreHandleForTypeKHR).
func (s *Semaphore) Exports(d *Device, handleType uint32) Status {
	// CL_INVALID_DEVICE if sema_object belongs to a context that is not associated with device, or can not be shared with device
	if !slices.Contains(s.devices, d) {
		return CL_INVALID_DEVICE
	}
	// CL_INVALID_VALUE if the requested external semaphore handle type was not specified when sema_object was created
	if !slices.Contains(s.exports, uint64(handleType)) {
		return CL_INVALID_VALUE
	}
	return CL_SUCCESS
}

// Export is the file descriptor of a semaphore that has one, for the caller to close.
func (s *Semaphore) Export() (fd int, st Status) {
	conn, err := s.shared.SyscallConn()
	if err == nil {
		conn.Control(func(of uintptr) {
			dup, _, errno := syscall.Syscall(syscall.SYS_FCNTL, of, syscall.F_DUPFD_CLOEXEC, 0)
			if fd = int(dup); errno != 0 {
				err = errno
			}
		})
	}
	if err != nil {
		return 0, CL_OUT_OF_RESOURCES
	}
	return fd, CL_SUCCESS
}

// take returns a user event that is set when a signal of a shared semaphore has been taken, in the order of the calls.
func (s *Semaphore) take() *hostqueue.Command {
	taken := hostqueue.NewUser()
	s.Use()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takers = append(s.takers, taken)
	if len(s.takers) == 1 {
		go s.takeAll()
	}
	return taken
}

// takeAll takes signals until there is one for each of takers.
func (s *Semaphore) takeAll() {
	for more := true; more; {
		status := whenReadable(s.shared, func(fd uintptr) bool {
			var count [8]byte
			_, err := syscall.Read(int(fd), count[:])
			return err == nil
		})
		s.mu.Lock()
		taken := s.takers[0]
		s.takers = s.takers[1:]
		more = len(s.takers) > 0
		s.mu.Unlock()
		taken.SetUserStatus(status, hostqueue.Leaves)
		s.Unuse()
	}
}

// postAll signals the shared ones of ss.
func postAll(ss []*Semaphore) error {
	for _, s := range ss {
		if s.shared == nil {
			continue
		}
		if _, err := s.shared.Write(binary.NativeEndian.AppendUint64(nil, 1)); err != nil {
			return err
		}
	}
	return nil
}

// whenReadable returns once try, which is called whenever f may have become readable, succeeds. It takes no thread meanwhile.
func whenReadable(f *os.File, try func(fd uintptr) bool) hostqueue.Status {
	conn, err := f.SyscallConn()
	if err == nil {
		err = conn.Read(try)
	}
	if err != nil {
		return hostqueue.ErrOutOfResources
	}
	return hostqueue.Complete
}

// readable is 1 if f can be read now, else 0.
func readable(f *os.File) (n uint64) {
	if conn, err := f.SyscallConn(); err == nil {
		conn.Control(func(fd uintptr) { n = poll(fd) })
	}
	return n
}

// poll is readable for a file descriptor.
func poll(fd uintptr) uint64 {
	const pollIn = 1 // POLLIN
	p := struct {
		fd              int32
		events, revents int16
	}{int32(fd), pollIn, 0}
	var none syscall.Timespec
	syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&none)), 0, 0, 0)
	return uint64(p.revents & pollIn)
}
