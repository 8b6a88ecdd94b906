package main

import (
	"unsafe"

	"aqueduct/cl"
)

// imageDesc is cl_image_desc.
type imageDesc struct {
	kind                        uint32
	width, height, depth, array uintptr
	rowPitch, slicePitch        uintptr
	mipLevels, samples          uint32
	mem                         uintptr
}

// desc decodes a cl_image_desc, nil for NULL.
func desc(at cl.Addr) *cl.ImageDesc {
	if at == 0 {
		return nil
	}
	d := (*imageDesc)(at.Pointer())
	out := &cl.ImageDesc{
		Type: d.kind, Width: uint64(d.width), Height: uint64(d.height), Depth: uint64(d.depth), Array: uint64(d.array),
		RowPitch: uint64(d.rowPitch), SlicePitch: uint64(d.slicePitch), MipLevels: d.mipLevels, Samples: d.samples,
		Mem: (*cl.Mem)(find(d.mem, cl.KindMem)),
	}
	// A mem_object that is none makes the descriptor invalid, as an image_type that is none does.
	if d.mem != 0 && out.Mem == nil {
		out.Type = 0
	}
	return out
}

func clCreateImage(ctx *cl.Context, flags uint64, format, image, host cl.Addr) (*cl.Mem, cl.Status) {
	return ctx.CreateImage(nil, flags, (*cl.ImageFormat)(format.Pointer()), desc(image), host.Pointer())
}

func clCreateImageWithProperties(ctx *cl.Context, props cl.Addr, flags uint64, format, image, host cl.Addr) (*cl.Mem, cl.Status) {
	return ctx.CreateImage(properties(props, cl.MemLists...), flags, (*cl.ImageFormat)(format.Pointer()), desc(image), host.Pointer())
}

// createImageOld is for the functions of OpenCL 1.0, which have no descriptor to be wrong.
func createImageOld(ctx *cl.Context, flags uint64, format cl.Addr, d cl.ImageDesc, host cl.Addr) (*cl.Mem, cl.Status) {
	m, st := ctx.CreateImage(nil, flags, (*cl.ImageFormat)(format.Pointer()), &d, host.Pointer())
	// CL_INVALID_IMAGE_SIZE if image_width, image_height or image_depth are 0 or if image_row_pitch or image_slice_pitch do not
	// follow rules described in the argument description
	if st == cl.CL_INVALID_IMAGE_DESCRIPTOR {
		st = cl.CL_INVALID_IMAGE_SIZE
	}
	return m, st
}

func clCreateImage2D(ctx *cl.Context, flags uint64, format cl.Addr, width, height, row uintptr, host cl.Addr) (*cl.Mem, cl.Status) {
	return createImageOld(ctx, flags, format, cl.ImageDesc{
		Type: cl.CL_MEM_OBJECT_IMAGE2D, Width: uint64(width), Height: uint64(height), RowPitch: uint64(row),
	}, host)
}

func clCreateImage3D(ctx *cl.Context, flags uint64, format cl.Addr, width, height, depth, row, slice uintptr, host cl.Addr) (*cl.Mem, cl.Status) {
	return createImageOld(ctx, flags, format, cl.ImageDesc{
		Type: cl.CL_MEM_OBJECT_IMAGE3D, Width: uint64(width), Height: uint64(height), Depth: uint64(depth),
		RowPitch: uint64(row), SlicePitch: uint64(slice),
	}, host)
}

func clGetSupportedImageFormats(ctx *cl.Context, flags uint64, imageType, entries uint32, formats, count cl.Addr) cl.Status {
	all, st := ctx.SupportedImageFormats(flags, imageType)
	// CL_INVALID_VALUE if num_entries is 0 and image_formats is not NULL
	if entries == 0 && formats != 0 {
		st = cl.CL_INVALID_VALUE
	}
	if st != cl.CL_SUCCESS {
		return st
	}
	if formats != 0 {
		copy(array[cl.ImageFormat](uintptr(formats), entries), all)
	}
	if count != 0 {
		count.PutUint(uint32(len(all)))
	}
	return cl.CL_SUCCESS
}

func clGetImageInfo(m *cl.Mem, param uint32, out cl.Out) cl.Status { return m.ImageInfo(param, out) }

func imageBox(origin, region cl.Addr) cl.ImageBox {
	return cl.ImageBox{Origin: triple(origin), Region: triple(region)}
}

func clEnqueueReadImage(q *cl.Queue, m *cl.Mem, blocking uint32, origin, region cl.Addr, row, slice uintptr, ptr cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	h := cl.HostPixels{Ptr: ptr.Pointer(), Row: uint64(row), Slice: uint64(slice)}
	return q.ReadImage(m, blocking != 0, imageBox(origin, region), h, s)
}

func clEnqueueWriteImage(q *cl.Queue, m *cl.Mem, blocking uint32, origin, region cl.Addr, row, slice uintptr, ptr cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	h := cl.HostPixels{Ptr: ptr.Pointer(), Row: uint64(row), Slice: uint64(slice)}
	return q.WriteImage(m, blocking != 0, imageBox(origin, region), h, s)
}

func clEnqueueCopyImage(q *cl.Queue, src, dst *cl.Mem, srcOrigin, dstOrigin, region cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.CopyImage(src, dst, triple(srcOrigin), triple(dstOrigin), triple(region), s)
}

func clEnqueueCopyImageToBuffer(q *cl.Queue, src, dst *cl.Mem, origin, region cl.Addr, offset uintptr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.CopyImageToBuffer(src, dst, imageBox(origin, region), uint64(offset), s)
}

func clEnqueueCopyBufferToImage(q *cl.Queue, src, dst *cl.Mem, offset uintptr, origin, region cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	return q.CopyBufferToImage(src, dst, uint64(offset), imageBox(origin, region), s)
}

func clEnqueueFillImage(q *cl.Queue, m *cl.Mem, color, origin, region cl.Addr, s cl.Sync) (*cl.Event, cl.Status) {
	var colour *[4]uint32
	if color != 0 {
		// "If the image channel order is CL_DEPTH, the fill color is a single floating-point value."
		colour = new([4]uint32)
		copy(colour[:], unsafe.Slice((*uint32)(color.Pointer()), m.ColourComponents()))
	}
	return q.FillImage(m, colour, imageBox(origin, region), s)
}

func clEnqueueMapImage(q *cl.Queue, m *cl.Mem, blocking uint32, flags uint64, origin, region, row, slice cl.Addr, s cl.Sync) (unsafe.Pointer, *cl.Event, cl.Status) {
	mapped, e, st := q.MapImage(m, blocking != 0, flags, imageBox(origin, region), row != 0, slice != 0, s)
	if st == cl.CL_SUCCESS {
		row.PutSize(uintptr(mapped.Row))
		if slice != 0 {
			slice.PutSize(uintptr(mapped.Slice))
		}
	}
	return mapped.Ptr, e, st
}
