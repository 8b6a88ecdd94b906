package main

import (
	"unsafe"

	"aqueduct/cl"
)

// No device supports images: CL_DEVICE_IMAGE_SUPPORT is CL_FALSE (OpenCL API 3.0 section 5.3). No memory object is an image,
// so whatever is given in place of one is not valid.

// createImage is what there is to check of an image that cannot be.
func createImage(flags uint64, format cl.Addr) (*cl.Mem, cl.Status) {
	// CL_INVALID_VALUE if values specified in flags are not valid
	if !cl.ValidMemFlags(flags) {
		return nil, cl.CL_INVALID_VALUE
	}
	// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if image_format is NULL
	if format == 0 {
		return nil, cl.CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
	}
	// CL_INVALID_OPERATION if there are no devices in context that support images
	return nil, cl.CL_INVALID_OPERATION
}

func clCreateImage(ctx *cl.Context, flags uint64, format, desc, host cl.Addr) (*cl.Mem, cl.Status) {
	// CL_INVALID_IMAGE_DESCRIPTOR if image_desc is NULL
	if m, st := createImage(flags, format); desc != 0 || st != cl.CL_INVALID_OPERATION {
		return m, st
	}
	return nil, cl.CL_INVALID_IMAGE_DESCRIPTOR
}

func clCreateImageWithProperties(ctx *cl.Context, props cl.Addr, flags uint64, format, desc, host cl.Addr) (*cl.Mem, cl.Status) {
	// CL_INVALID_PROPERTY if a property name in properties is not a supported property name
	if p := properties(props); len(p) > 1 {
		return nil, cl.CL_INVALID_PROPERTY
	}
	return clCreateImage(ctx, flags, format, desc, host)
}

func clCreateImage2D(ctx *cl.Context, flags uint64, format cl.Addr, width, height, row uintptr, host cl.Addr) (*cl.Mem, cl.Status) {
	return createImage(flags, format)
}

func clCreateImage3D(ctx *cl.Context, flags uint64, format cl.Addr, width, height, depth, row, slice uintptr, host cl.Addr) (*cl.Mem, cl.Status) {
	return createImage(flags, format)
}

func clGetSupportedImageFormats(ctx *cl.Context, flags uint64, imageType, entries uint32, formats, count cl.Addr) cl.Status {
	// CL_INVALID_VALUE if flags or image_type are not valid, or if num_entries is zero and image_formats is not NULL
	if !cl.ValidMemFlags(flags&^cl.CL_MEM_KERNEL_READ_AND_WRITE) ||
		imageType < cl.CL_MEM_OBJECT_IMAGE2D || imageType > cl.CL_MEM_OBJECT_IMAGE1D_BUFFER || entries == 0 && formats != 0 {
		return cl.CL_INVALID_VALUE
	}
	if count != 0 {
		count.PutUint(0)
	}
	return cl.CL_SUCCESS
}

func clGetImageInfo(*cl.Mem, uint32, cl.Out) cl.Status { return cl.CL_INVALID_MEM_OBJECT }

func clEnqueueReadImage(*cl.Queue, *cl.Mem, uint32, cl.Addr, cl.Addr, uintptr, uintptr, cl.Addr, cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_MEM_OBJECT
}

func clEnqueueWriteImage(*cl.Queue, *cl.Mem, uint32, cl.Addr, cl.Addr, uintptr, uintptr, cl.Addr, cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_MEM_OBJECT
}

func clEnqueueCopyImage(q *cl.Queue, src, dst *cl.Mem, srcOrigin, dstOrigin, region cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_MEM_OBJECT
}

func clEnqueueCopyImageToBuffer(q *cl.Queue, src, dst *cl.Mem, origin, region cl.Addr, offset uintptr, s cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_MEM_OBJECT
}

func clEnqueueCopyBufferToImage(q *cl.Queue, src, dst *cl.Mem, offset uintptr, origin, region cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_MEM_OBJECT
}

func clEnqueueFillImage(q *cl.Queue, m *cl.Mem, color, origin, region cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return nil, cl.CL_INVALID_MEM_OBJECT
}

func clEnqueueMapImage(q *cl.Queue, m *cl.Mem, blocking uint32, flags uint64, origin, region, row, slice cl.Addr, s cl.Sync) (unsafe.Pointer, *cl.Event, cl.Status) {
	return nil, nil, cl.CL_INVALID_MEM_OBJECT
}
