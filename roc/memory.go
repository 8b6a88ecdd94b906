package roc

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Memory is storage that the agent reads and writes. It is freed when its last reference is released.
type Memory struct {
	Ptr  unsafe.Pointer // where the agent has it
	Host unsafe.Pointer // where the host has it, nil where it does not reach it
	Size uint64         // bytes

	refs   atomic.Int32
	device *Device // frees Ptr; nil if it belongs to the host or to parent
	parent *Memory
	mapped []byte // of a file; nil for all other memory
	unpin  func() // of memory of the host's that needs it, else nil
}

// Alloc returns size bytes of the device's global memory, aligned to at least 256. Their contents are undefined.
func (d *Device) Alloc(size uint64) (*Memory, error) {
	p, err := d.agent.Alloc(size)
	if err != nil {
		return nil, err
	}
	m := &Memory{Ptr: p, Size: size, device: d}
	if d.Info().CPU {
		m.Host = p
	}
	m.refs.Store(1)
	return m, nil
}

// AllocHost is Alloc from the host's memory, for the host and all devices to use.
func (d *Device) AllocHost(size uint64) (*Memory, error) {
	p, err := d.agent.AllocHost(size)
	if err != nil {
		return nil, err
	}
	m := &Memory{Ptr: p, Host: p, Size: size, device: d}
	m.refs.Store(1)
	return m, nil
}

// Write copies the first size bytes of m from host, while no command uses them.
func (d *Device) Write(m *Memory, host unsafe.Pointer, size uint64) error {
	return d.agent.Write(m.Ptr, host, size)
}

// Wrap makes memory of the host, which outlives it, usable by the device (CL_MEM_USE_HOST_PTR).
func (d *Device) Wrap(host unsafe.Pointer, size uint64) (*Memory, error) {
	p, unpin, err := d.agent.Pin(host, size)
	if err != nil {
		return nil, err
	}
	m := &Memory{Ptr: p, Host: host, Size: size, unpin: unpin}
	m.refs.Store(1)
	return m, nil
}

// Sub returns the size bytes of m from off on, which hold a reference to m.
func (m *Memory) Sub(off, size uint64) *Memory {
	m.Retain()
	s := &Memory{Ptr: unsafe.Add(m.Ptr, off), Size: size, parent: m}
	if m.Host != nil {
		s.Host = unsafe.Add(m.Host, off)
	}
	s.refs.Store(1)
	return s
}

// Retain adds a reference.
func (m *Memory) Retain() { m.refs.Add(1) }

// Use adds a reference unless the last is gone.
func (m *Memory) Use() bool {
	for {
		n := m.refs.Load()
		if n == 0 {
			return false
		}
		if m.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Release takes a reference away, and frees the storage with the last.
func (m *Memory) Release() {
	if m.refs.Add(-1) != 0 {
		return
	}
	if m.device != nil {
		m.device.agent.Free(m.Ptr)
	}
	if m.mapped != nil {
		syscall.Munmap(m.mapped)
	}
	if m.unpin != nil {
		m.unpin()
	}
	if m.parent != nil {
		m.parent.Release()
	}
}
