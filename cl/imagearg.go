package cl

import (
	"context"
	"sync"

	"aqueduct/roc"
	"aqueduct/roc/compiler"
	"aqueduct/roc/compiler/codeobject"
)

// Kernels get the descriptor of an image (codeobject.ImageDescriptor). It names functions that access pixels of the image's
// format, so that this is settled before the first launch. They are made by the compiler, once for all images.

// accessKey names the access functions of a kind of pixels on a device.
type accessKey struct {
	device *roc.Device
	fetch  string
}

// access are the addresses of access functions, once they are loaded.
type access struct {
	mu           sync.Mutex // guards what follows; held while they are made
	fetch, store uint64
}

var accesses sync.Map // accessKey to *access

// accessFunctions finds the access functions for l on d.
func (d *Device) accessFunctions(l *roc.PixelLayout) (fetch, store uint64, err error) {
	fetchName, storeName := l.AccessFunctions()
	entry, _ := accesses.LoadOrStore(accessKey{d.roc, fetchName}, new(access))
	a := entry.(*access)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fetch != 0 {
		return a.fetch, a.store, nil
	}
	p, _, err := theBuilder.Build(context.Background(), compiler.Request{
		Stage: compiler.Functions, Target: compiler.Host(nil), Source: []byte(fetchName + " " + storeName),
	})
	if err != nil {
		return 0, 0, err
	}
	addresses, err := d.roc.LoadFunctions(p, fetchName, storeName)
	if err != nil {
		return 0, 0, err
	}
	a.fetch, a.store = addresses[0], addresses[1]
	return a.fetch, a.store, nil
}

// imageDescriptor is the address of the image's descriptor, which is made when it first becomes an argument.
func (m *Mem) imageDescriptor() (uint64, error) {
	i := m.image
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.descriptor == nil {
		d := m.ctx.devices[0]
		fetch, store, err := d.accessFunctions(&i.layout)
		if err != nil {
			return 0, err
		}
		size := i.extent()
		desc := codeobject.ImageDescriptor{
			Data: uint64(uintptr(m.store.Ptr)), Pitch: i.pitches(), Size: [3]uint32{uint32(size[0]), uint32(size[1]), uint32(size[2])},
			Fetch: fetch, Store: store, Order: i.format.Order, Type: i.format.Type,
		}
		i.layout.Describe(&desc)
		if i.descriptor, err = d.roc.NewImageDescriptor(&desc); err != nil {
			return 0, err
		}
	}
	return uint64(uintptr(i.descriptor.Ptr)), nil
}

// imageParameters are the kinds of images that parameters of OpenCL C types take.
var imageParameters = map[string]uint32{
	"image1d_t":             CL_MEM_OBJECT_IMAGE1D,
	"image1d_buffer_t":      CL_MEM_OBJECT_IMAGE1D_BUFFER,
	"image1d_array_t":       CL_MEM_OBJECT_IMAGE1D_ARRAY,
	"image2d_t":             CL_MEM_OBJECT_IMAGE2D,
	"image2d_array_t":       CL_MEM_OBJECT_IMAGE2D_ARRAY,
	"image2d_depth_t":       CL_MEM_OBJECT_IMAGE2D,
	"image2d_array_depth_t": CL_MEM_OBJECT_IMAGE2D_ARRAY,
	"image3d_t":             CL_MEM_OBJECT_IMAGE3D,
}

// takesImage checks an image, or what was given in place of one, for a parameter.
func takesImage(arg *codeobject.ArgInfo, m *Mem) Status {
	// CL_INVALID_MEM_OBJECT for an argument declared to be a memory object when the specified arg_value is not a valid memory
	// object, or not one that is valid for the argument
	depth := arg.ImageType == "image2d_depth_t" || arg.ImageType == "image2d_array_depth_t"
	if m == nil || m.image == nil || m.image.kind != imageParameters[arg.ImageType] || (m.image.format.Order == CL_DEPTH) != depth {
		return CL_INVALID_MEM_OBJECT
	}
	// CL_INVALID_ARG_VALUE if the argument is an image declared with the read_only qualifier and arg_value refers to an image
	// object created with cl_mem_flags of CL_MEM_WRITE_ONLY or if the image argument is declared with the write_only qualifier
	// and arg_value refers to an image object created with cl_mem_flags of CL_MEM_READ_ONLY
	reads, writes := arg.Access != CL_KERNEL_ARG_ACCESS_WRITE_ONLY, arg.Access != CL_KERNEL_ARG_ACCESS_READ_ONLY
	if reads && m.flags&CL_MEM_WRITE_ONLY != 0 || writes && m.flags&CL_MEM_READ_ONLY != 0 {
		return CL_INVALID_ARG_VALUE
	}
	return CL_SUCCESS
}
