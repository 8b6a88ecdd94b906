package roc

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"
)

// ErrSmall is returned by Import for a file that has less than was asked for.
var ErrSmall = errors.New("roc: the file is smaller than that")

// Import makes the first size bytes of the file behind fd, a memfd or another that can be mapped, memory that whoever else maps
// it shares. fd stays the caller's. Only agents that share the host's memory can.
func (d *Device) Import(fd int, size uint64) (*Memory, error) {
	if !d.Info().CPU {
		return nil, errors.New("roc: the agent does not share the host's memory")
	}
	var s syscall.Stat_t
	if err := syscall.Fstat(fd, &s); err != nil {
		return nil, fmt.Errorf("roc: import: %w", err)
	}
	if s.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, errors.New("roc: import: not a file of memory")
	}
	if uint64(s.Size) < size { // beyond its end there is nothing to access
		return nil, ErrSmall
	}
	mapped, err := syscall.Mmap(fd, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("roc: import: %w", err)
	}
	p := unsafe.Pointer(unsafe.SliceData(mapped))
	m := &Memory{Ptr: p, Host: p, Size: size, mapped: mapped}
	m.refs.Store(1)
	return m, nil
}
