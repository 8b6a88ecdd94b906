package cl

import (
	"unsafe"

	"aqueduct/roc"
)

// ImageBox is a region of an image: where it starts and how large it is, in pixels, nil where the caller gave none.
type ImageBox struct{ Origin, Region *[3]uint64 }

// within checks a box against an image.
func (b ImageBox) within(m *Mem) Status {
	// CL_INVALID_VALUE if origin or region is NULL
	if b.Origin == nil || b.Region == nil {
		return CL_INVALID_VALUE
	}
	// CL_INVALID_VALUE if the region being read or written specified by origin and region is out of bounds, or if values in
	// origin and region do not follow rules described in the argument description for origin and region: those of dimensions
	// that the image does not have are 0 and 1
	for axis, size := range m.image.extent() {
		if b.Region[axis] == 0 || !span(b.Origin[axis], b.Region[axis], size) {
			return CL_INVALID_VALUE
		}
	}
	return CL_SUCCESS
}

// checkImages is check for mems that must be images.
func (q *Queue) checkImages(s Sync, mems ...*Mem) Status {
	if st := q.check(s, mems...); st != CL_SUCCESS {
		return st
	}
	// CL_INVALID_MEM_OBJECT if image is not a valid image object
	for _, m := range mems {
		if m.image == nil {
			return CL_INVALID_MEM_OBJECT
		}
	}
	return CL_SUCCESS
}

// HostPixels is memory of the application's that holds the pixels of a region. A pitch of 0 stands for the least there can be.
type HostPixels struct {
	Ptr        unsafe.Pointer
	Row, Slice uint64 // bytes
}

// pitches are those of a region of image i, or CL_INVALID_VALUE.
func (h HostPixels) pitches(i *image, region *[3]uint64) ([2]uint64, Status) {
	least := region[0] * i.layout.Size
	row, slice := h.Row, h.Slice
	if row == 0 {
		row = least
	}
	// "The value must be greater than or equal to the element size in bytes * width"
	if row < least {
		return [2]uint64{}, CL_INVALID_VALUE
	}
	switch i.kind {
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		// "slice_pitch is the length of each 1D image in a 1D image array"
		if slice == 0 {
			slice = row
		}
		if slice < row {
			return [2]uint64{}, CL_INVALID_VALUE
		}
		return [2]uint64{slice, 0}, CL_SUCCESS
	case CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D:
		rows, ok := mul(row, region[1])
		if slice == 0 {
			slice = rows
		}
		// "This must be [...] greater than or equal to row_pitch * height"
		if !ok || slice < rows {
			return [2]uint64{}, CL_INVALID_VALUE
		}
		return [2]uint64{row, slice}, CL_SUCCESS
	}
	// "This must be 0 if image is a 1D or 2D image."
	if slice != 0 {
		return [2]uint64{}, CL_INVALID_VALUE
	}
	return [2]uint64{row, 0}, CL_SUCCESS
}

func (q *Queue) checkHostImage(m *Mem, b ImageBox, h HostPixels, s Sync) ([2]uint64, Status) {
	if st := q.checkImages(s, m); st != CL_SUCCESS {
		return [2]uint64{}, st
	}
	if st := b.within(m); st != CL_SUCCESS {
		return [2]uint64{}, st
	}
	// CL_INVALID_VALUE if ptr is NULL, or if a pitch is not what its description allows
	if h.Ptr == nil {
		return [2]uint64{}, CL_INVALID_VALUE
	}
	return h.pitches(m.image, b.Region)
}

// ReadImage enqueues clEnqueueReadImage (OpenCL API 3.0 section 5.3.3).
func (q *Queue) ReadImage(m *Mem, blocking bool, b ImageBox, h HostPixels, s Sync) (*Event, Status) {
	pitch, st := q.checkHostImage(m, b, h, s)
	if st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_OPERATION if clEnqueueReadImage is called on image which has been created with CL_MEM_HOST_WRITE_ONLY or
	// CL_MEM_HOST_NO_ACCESS
	if !m.hostReadable() {
		return nil, CL_INVALID_OPERATION
	}
	i := m.image
	op := roc.CopyRect{Dst: h.Ptr, DstPitch: pitch, Src: m.at(i.offset(*b.Origin)), SrcPitch: i.pitches(), Size: i.bytes(*b.Region)}
	return q.enqueue(CL_COMMAND_READ_IMAGE, op, s, blocking, m)
}

// WriteImage enqueues clEnqueueWriteImage (OpenCL API 3.0 section 5.3.3).
func (q *Queue) WriteImage(m *Mem, blocking bool, b ImageBox, h HostPixels, s Sync) (*Event, Status) {
	pitch, st := q.checkHostImage(m, b, h, s)
	if st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_OPERATION if clEnqueueWriteImage is called on image which has been created with CL_MEM_HOST_READ_ONLY or
	// CL_MEM_HOST_NO_ACCESS
	if !m.hostWritable() {
		return nil, CL_INVALID_OPERATION
	}
	i := m.image
	op := roc.CopyRect{Dst: m.at(i.offset(*b.Origin)), DstPitch: i.pitches(), Src: h.Ptr, SrcPitch: pitch, Size: i.bytes(*b.Region)}
	return q.enqueue(CL_COMMAND_WRITE_IMAGE, op, s, blocking, m)
}

// bytes is a region with its first dimension in bytes.
func (i *image) bytes(region [3]uint64) [3]uint64 {
	return [3]uint64{region[0] * i.layout.Size, region[1], region[2]}
}

// CopyImage enqueues clEnqueueCopyImage (OpenCL API 3.0 section 5.3.4).
func (q *Queue) CopyImage(src, dst *Mem, srcOrigin, dstOrigin, region *[3]uint64, s Sync) (*Event, Status) {
	if st := q.checkImages(s, src, dst); st != CL_SUCCESS {
		return nil, st
	}
	// CL_IMAGE_FORMAT_MISMATCH if src_image and dst_image do not use the same image format
	a, b := src.image, dst.image
	if a.format != b.format {
		return nil, CL_IMAGE_FORMAT_MISMATCH
	}
	if st := (ImageBox{srcOrigin, region}).within(src); st != CL_SUCCESS {
		return nil, st
	}
	if st := (ImageBox{dstOrigin, region}).within(dst); st != CL_SUCCESS {
		return nil, st
	}
	// CL_MEM_COPY_OVERLAP if src_image and dst_image are the same image object and the source and destination regions overlap
	if src == dst && boxesMeet(*srcOrigin, *dstOrigin, *region, *region) {
		return nil, CL_MEM_COPY_OVERLAP
	}
	op := roc.CopyRect{
		Dst: dst.at(b.offset(*dstOrigin)), DstPitch: b.pitches(), Src: src.at(a.offset(*srcOrigin)), SrcPitch: a.pitches(), Size: a.bytes(*region),
	}
	return q.enqueue(CL_COMMAND_COPY_IMAGE, op, s, false, src, dst)
}

// boxesMeet reports whether two boxes of pixels have one in common.
func boxesMeet(a, b, sizeA, sizeB [3]uint64) bool {
	for axis := range 3 {
		if a[axis]+sizeA[axis] <= b[axis] || b[axis]+sizeB[axis] <= a[axis] {
			return false
		}
	}
	return true
}

// CopyImageToBuffer enqueues clEnqueueCopyImageToBuffer (OpenCL API 3.0 section 5.3.5).
func (q *Queue) CopyImageToBuffer(src, dst *Mem, b ImageBox, offset uint64, s Sync) (*Event, Status) {
	pitch, st := q.checkImageAndBuffer(src, dst, b, offset, s)
	if st != CL_SUCCESS {
		return nil, st
	}
	i := src.image
	op := roc.CopyRect{Dst: dst.at(offset), DstPitch: pitch, Src: src.at(i.offset(*b.Origin)), SrcPitch: i.pitches(), Size: i.bytes(*b.Region)}
	return q.enqueue(CL_COMMAND_COPY_IMAGE_TO_BUFFER, op, s, false, src, dst)
}

// CopyBufferToImage enqueues clEnqueueCopyBufferToImage (OpenCL API 3.0 section 5.3.5).
func (q *Queue) CopyBufferToImage(src, dst *Mem, offset uint64, b ImageBox, s Sync) (*Event, Status) {
	pitch, st := q.checkImageAndBuffer(dst, src, b, offset, s)
	if st != CL_SUCCESS {
		return nil, st
	}
	i := dst.image
	op := roc.CopyRect{Dst: dst.at(i.offset(*b.Origin)), DstPitch: i.pitches(), Src: src.at(offset), SrcPitch: pitch, Size: i.bytes(*b.Region)}
	return q.enqueue(CL_COMMAND_COPY_BUFFER_TO_IMAGE, op, s, false, src, dst)
}

// checkImageAndBuffer checks a copy between an image and a buffer, where the pixels are packed.
func (q *Queue) checkImageAndBuffer(m, buffer *Mem, b ImageBox, offset uint64, s Sync) (pitch [2]uint64, st Status) {
	if st = q.check(s, m, buffer); st != CL_SUCCESS {
		return
	}
	// CL_INVALID_MEM_OBJECT if the image is not a valid image object or the buffer is not a valid buffer object, or if the image
	// is a 1D image buffer object created from the buffer
	i := m.image
	if i == nil || buffer.image != nil || i.kind == CL_MEM_OBJECT_IMAGE1D_BUFFER && i.source == buffer {
		return pitch, CL_INVALID_MEM_OBJECT
	}
	if st = q.aligned(buffer); st != CL_SUCCESS {
		return
	}
	// CL_INVALID_VALUE if the 1D, 2D or 3D rectangular region specified by origin and region refers to a region outside the
	// image, or if the region specified by the offset and the region's size refers to a region outside the buffer
	if st = b.within(m); st != CL_SUCCESS {
		return
	}
	size := i.bytes(*b.Region)
	if !span(offset, size[0]*size[1]*size[2], buffer.size) {
		return pitch, CL_INVALID_VALUE
	}
	return [2]uint64{size[0], size[0] * size[1]}, CL_SUCCESS
}

// FillImage enqueues clEnqueueFillImage (OpenCL API 3.0 section 5.3.6). colour has the bits of four floats or integers, or of
// one float for a depth image; nil if the caller gave none.
func (q *Queue) FillImage(m *Mem, colour *[4]uint32, b ImageBox, s Sync) (*Event, Status) {
	if st := q.checkImages(s, m); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_VALUE if fill_color is NULL
	if colour == nil {
		return nil, CL_INVALID_VALUE
	}
	if st := b.within(m); st != CL_SUCCESS {
		return nil, st
	}
	i := m.image
	op := roc.Fill{Dst: m.at(i.offset(*b.Origin)), Size: i.bytes(*b.Region), Pitch: i.pitches(), Pattern: i.layout.Encode(*colour)}
	return q.enqueue(CL_COMMAND_FILL_IMAGE, op, s, false, m)
}
