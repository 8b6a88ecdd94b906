package cl

import (
	"errors"
	"slices"
	"unsafe"

	"aqueduct/roc"
)

// gpu is the context's first device that does not share the host's memory, nil if there is none.
func (ctx *Context) gpu() *Device {
	if i := slices.IndexFunc(ctx.devices, func(d *Device) bool { return !d.roc.Info().CPU }); i >= 0 {
		return ctx.devices[i]
	}
	return nil
}

// alloc takes the memory of an object. It is a GPU's own where nobody but that GPU uses it; else, and if host asks for it, it is
// the host's, which every device reaches.
func (ctx *Context) alloc(size uint64, host bool) (*roc.Memory, error) {
	gpu := ctx.gpu()
	switch {
	case gpu == nil:
		return ctx.devices[0].roc.Alloc(size)
	case host || len(ctx.devices) > 1:
		return gpu.roc.AllocHost(size)
	}
	return gpu.roc.Alloc(size)
}

// wrapHost makes memory of the application's usable by all devices.
func (ctx *Context) wrapHost(host unsafe.Pointer, size uint64) (*roc.Memory, error) {
	gpu := ctx.gpu()
	if gpu == nil {
		return ctx.devices[0].roc.Wrap(host, size)
	}
	m, err := gpu.roc.Wrap(host, size)
	if err == nil && m.Ptr != host && len(ctx.devices) > 1 {
		m.Release()
		return nil, errors.New("the devices of the context do not have the memory at the same address")
	}
	return m, err
}

// fill copies what an object starts with from the application; false if that is not all there.
func (m *Mem) fill(host unsafe.Pointer) bool {
	if m.store.Host != nil {
		return copyFromHost(m.store.Host, host, m.size)
	}
	d := m.ctx.gpu().roc
	piece, err := d.AllocHost(min(m.size, stagePiece))
	if err != nil {
		return false
	}
	defer piece.Release()
	for at := uint64(0); at < m.size; at += stagePiece {
		n := min(m.size-at, stagePiece)
		if !copyFromHost(piece.Host, unsafe.Add(host, at), n) {
			return false
		}
		part := m.store.Sub(at, n)
		err := d.Write(part, piece.Host, n)
		part.Release()
		if err != nil {
			return false
		}
	}
	return true
}

// stagePiece is how much of the application's memory is copied at a time to where a GPU reaches it.
const stagePiece = 4 << 20
