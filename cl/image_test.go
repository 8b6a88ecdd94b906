package cl

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

var rgba8 = &ImageFormat{Order: CL_RGBA, Type: CL_UNORM_INT8}

func TestImageRules(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_images")
	host := make([]byte, 1<<16)
	p := unsafe.Pointer(&host[0])
	buffer := f.buffer(4096)
	defer buffer.Release()
	foreign, st := f.foreign.CreateBuffer(nil, 0, 4096, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer foreign.Release()
	d2 := func(w, h, row uint64) *ImageDesc {
		return &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: w, Height: h, RowPitch: row}
	}
	for name, c := range map[string]struct {
		properties []uint64
		flags      uint64
		format     *ImageFormat
		desc       *ImageDesc
		host       unsafe.Pointer
		want       Status
	}{
		"2D":                    {nil, 0, rgba8, d2(4, 4, 0), nil, CL_SUCCESS},
		"properties that end":   {[]uint64{0}, 0, rgba8, d2(4, 4, 0), nil, CL_SUCCESS},
		"unknown property":      {[]uint64{1, 2, 0}, 0, rgba8, d2(4, 4, 0), nil, CL_INVALID_PROPERTY},
		"flags":                 {nil, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, rgba8, d2(4, 4, 0), nil, CL_INVALID_VALUE},
		"unknown flag":          {nil, CL_MEM_KERNEL_READ_AND_WRITE, rgba8, d2(4, 4, 0), nil, CL_INVALID_VALUE},
		"no format":             {nil, 0, nil, d2(4, 4, 0), nil, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		"unknown order":         {nil, 0, pixelsAt(0x10AF, CL_FLOAT), d2(4, 4, 0), nil, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		"unknown type":          {nil, 0, pixelsAt(CL_RGBA, 0x10CF), d2(4, 4, 0), nil, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		"what does not go":      {nil, 0, pixelsAt(CL_RGB, CL_FLOAT), d2(4, 4, 0), nil, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		"BGRA of words":         {nil, 0, pixelsAt(CL_BGRA, CL_UNSIGNED_INT32), d2(4, 4, 0), nil, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		"format not supported":  {nil, 0, pixelsAt(CL_sRGB, CL_UNORM_INT8), d2(4, 4, 0), nil, CL_IMAGE_FORMAT_NOT_SUPPORTED},
		"depth in 3D":           {nil, 0, pixelsAt(CL_DEPTH, CL_FLOAT), &ImageDesc{Type: CL_MEM_OBJECT_IMAGE3D, Width: 4, Height: 4, Depth: 4}, nil, CL_IMAGE_FORMAT_NOT_SUPPORTED},
		"no descriptor":         {nil, 0, rgba8, nil, nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"no image":              {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_BUFFER, Width: 4}, nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"no width":              {nil, 0, rgba8, d2(0, 4, 0), nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"no height":             {nil, 0, rgba8, d2(4, 0, 0), nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"no depth":              {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE3D, Width: 4, Height: 4}, nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"no array":              {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_ARRAY, Width: 4}, nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"mip levels":            {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D, Width: 4, MipLevels: 2}, nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"samples":               {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D, Width: 4, Samples: 2}, nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"a pitch without host":  {nil, 0, rgba8, d2(4, 4, 16), nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"a pitch":               {nil, CL_MEM_USE_HOST_PTR, rgba8, d2(4, 4, 20), p, CL_SUCCESS},
		"a pitch too small":     {nil, CL_MEM_USE_HOST_PTR, rgba8, d2(4, 4, 12), p, CL_INVALID_IMAGE_DESCRIPTOR},
		"a pitch not of pixels": {nil, CL_MEM_COPY_HOST_PTR, rgba8, d2(4, 4, 18), p, CL_INVALID_IMAGE_DESCRIPTOR},
		"a slice too small": {nil, CL_MEM_COPY_HOST_PTR, rgba8,
			&ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D_ARRAY, Width: 4, Height: 4, Array: 2, SlicePitch: 48}, p, CL_INVALID_IMAGE_DESCRIPTOR},
		"a slice not of rows": {nil, CL_MEM_COPY_HOST_PTR, rgba8,
			&ImageDesc{Type: CL_MEM_OBJECT_IMAGE3D, Width: 4, Height: 4, Depth: 2, SlicePitch: 68}, p, CL_INVALID_IMAGE_DESCRIPTOR},
		"a pitch beyond all memory": {nil, CL_MEM_USE_HOST_PTR, rgba8, d2(4, 4, 1<<62), p, CL_INVALID_IMAGE_DESCRIPTOR},
		"too wide":                  {nil, 0, rgba8, d2(maxImageSize+1, 1, 0), nil, CL_INVALID_IMAGE_SIZE},
		"too high":                  {nil, 0, rgba8, d2(1, maxImageSize+1, 0), nil, CL_INVALID_IMAGE_SIZE},
		"too deep":                  {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE3D, Width: 1, Height: 1, Depth: maxImage3D + 1}, nil, CL_INVALID_IMAGE_SIZE},
		"too many":                  {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_ARRAY, Width: 1, Array: maxImageArray + 1}, nil, CL_INVALID_IMAGE_SIZE},
		"host ptr missing":          {nil, CL_MEM_USE_HOST_PTR, rgba8, d2(4, 4, 0), nil, CL_INVALID_HOST_PTR},
		"host ptr unused":           {nil, 0, rgba8, d2(4, 4, 0), p, CL_INVALID_HOST_PTR},
		"too large": {nil, 0, pixelsAt(CL_RGBA, CL_FLOAT),
			&ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D_ARRAY, Width: maxImageSize, Height: maxImageSize, Array: maxImageArray}, nil, CL_MEM_OBJECT_ALLOCATION_FAILURE},

		"buffer image":              {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_BUFFER, Width: 1024, Mem: buffer}, nil, CL_SUCCESS},
		"buffer image with a pitch": {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_BUFFER, Width: 1024, RowPitch: 4096, Mem: buffer}, nil, CL_SUCCESS},
		"buffer image too large":    {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_BUFFER, Width: 1025, Mem: buffer}, nil, CL_INVALID_IMAGE_SIZE},
		"buffer image of nothing":   {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_BUFFER, Width: 4}, nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"of a foreign buffer":       {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_BUFFER, Width: 4, Mem: foreign}, nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"1D image of a buffer":      {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D, Width: 4, Mem: buffer}, nil, CL_INVALID_IMAGE_DESCRIPTOR},
		"2D of a buffer":            {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 32, Height: 32, Mem: buffer}, nil, CL_SUCCESS},
		"2D of a buffer, pitched":   {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 30, Height: 32, RowPitch: 128, Mem: buffer}, nil, CL_SUCCESS},
		"2D of a buffer, too large": {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 32, Height: 33, Mem: buffer}, nil, CL_INVALID_IMAGE_SIZE},
		"2D of a buffer, odd pitch": {nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 4, Height: 4, RowPitch: 18, Mem: buffer}, nil, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		"of a buffer with host ptr": {nil, CL_MEM_USE_HOST_PTR, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_BUFFER, Width: 4, Mem: buffer}, p, CL_INVALID_VALUE},
	} {
		t.Run(name, func(t *testing.T) {
			m, st := f.ctx.CreateImage(c.properties, c.flags, c.format, c.desc, c.host)
			require.Equal(t, c.want, st)
			if st == CL_SUCCESS {
				m.Release()
			}
		})
	}
}

func TestAnImageMadeOfABufferMayNotDoMore(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_images")
	for _, c := range []struct {
		buffer, image uint64
		want          Status
	}{
		{CL_MEM_READ_ONLY, 0, CL_SUCCESS},
		{CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_INVALID_VALUE},
		{CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_INVALID_VALUE},
		{CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_SUCCESS},
		{CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_INVALID_VALUE},
		{CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE},
	} {
		b, st := f.ctx.CreateBuffer(nil, c.buffer, 64, nil)
		require.Equal(t, CL_SUCCESS, st)
		m, st := f.ctx.CreateImage(nil, c.image, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_BUFFER, Width: 16, Mem: b}, nil)
		require.Equal(t, c.want, st)
		if st == CL_SUCCESS {
			if c.image == 0 {
				require.Equal(t, b.flags, m.flags)
			}
			m.Release()
		}
		b.Release()
	}
}

// TestAnImageKeepsWhatItIsMadeOf: the memory is one, and lives as long as either.
func TestAnImageKeepsWhatItIsMadeOf(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_images")
	whole := f.buffer(8192)
	part := f.sub(whole, 4096, 4096)
	base, st := f.ctx.CreateImage(nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 8, Height: 8, RowPitch: 64, Mem: part}, nil)
	require.Equal(t, CL_SUCCESS, st)
	view, st := f.ctx.CreateImage(nil, 0, pixelsAt(CL_sRGBA, CL_UNORM_INT8), &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 8, Height: 8, Mem: base}, nil)
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, base.image.row, view.image.row)
	require.Equal(t, view.root(), whole)
	for name, c := range map[string]struct {
		format ImageFormat
		desc   ImageDesc
		want   Status
	}{
		"another type":  {pixels(CL_RGBA, CL_UNSIGNED_INT8), ImageDesc{Width: 8, Height: 8}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		"another order": {pixels(CL_BGRA, CL_UNORM_INT8), ImageDesc{Width: 8, Height: 8}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		"another size":  {*rgba8, ImageDesc{Width: 8, Height: 7}, CL_INVALID_IMAGE_DESCRIPTOR},
		"another pitch": {*rgba8, ImageDesc{Width: 8, Height: 8, RowPitch: 32}, CL_INVALID_IMAGE_DESCRIPTOR},
	} {
		c.desc.Type, c.desc.Mem = CL_MEM_OBJECT_IMAGE2D, base
		_, st := f.ctx.CreateImage(nil, 0, &c.format, &c.desc, nil)
		require.Equal(t, c.want, st, name)
	}
	_, st = base.CreateSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &BufferRegion{0, 128})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)
	part.Release()
	base.Release()
	colour := [4]uint32{0x3f800000, 0, 0, 0}
	_, st = f.q.FillImage(view, &colour, ImageBox{&[3]uint64{1, 2, 0}, &[3]uint64{1, 1, 1}}, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	f.within("the fill's end", func() { f.q.Finish() })
	require.Equal(t, []byte{255, 0, 0, 0}, f.bytes(whole)[4096+2*64+4:][:4])
	require.EqualValues(t, 1, whole.References())
	view.Release()
	whole.Release()
}

// TestHostMemoryOfAnImage: used in place with its pitches, or copied without.
func TestHostMemoryOfAnImage(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_images")
	host := make([]byte, 4*100)
	for i := range host {
		host[i] = byte(i)
	}
	desc := &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D_ARRAY, Width: 3, Height: 2, Array: 3, RowPitch: 20, SlicePitch: 100}
	for _, flags := range []uint64{CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR} {
		m, st := f.ctx.CreateImage(nil, flags, rgba8, desc, unsafe.Pointer(&host[0]))
		require.Equal(t, CL_SUCCESS, st)
		var want []byte
		for z := range 3 {
			for y := range 2 {
				want = append(want, host[z*100+y*20:][:12]...)
			}
		}
		require.Equal(t, want, f.pixels(m))
		if flags == CL_MEM_USE_HOST_PTR {
			require.Equal(t, unsafe.Pointer(&host[0]), m.at(0))
			require.Equal(t, [2]uint64{20, 100}, m.image.pitches())
		} else {
			require.Equal(t, [2]uint64{12, 24}, m.image.pitches())
		}
		m.Release()
	}
}

// TestSupportedFormatsHoldThoseRequired is the table of minimum formats of OpenCL API 3.0 section 5.3.2.1.
func TestSupportedFormatsHoldThoseRequired(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_images")
	all := []uint32{CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16, CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32,
		CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT}
	var required []ImageFormat
	for _, order := range []uint32{CL_R, CL_RG, CL_RGBA} {
		for _, c := range all {
			required = append(required, pixels(order, c))
		}
	}
	required = append(required, pixels(CL_BGRA, CL_UNORM_INT8), pixels(CL_sRGBA, CL_UNORM_INT8))
	for kind := uint32(CL_MEM_OBJECT_IMAGE2D); kind <= CL_MEM_OBJECT_IMAGE1D_BUFFER; kind++ {
		for _, flags := range []uint64{0, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_MEM_KERNEL_READ_AND_WRITE} {
			got, st := f.ctx.SupportedImageFormats(flags, kind)
			require.Equal(t, CL_SUCCESS, st)
			require.Subset(t, got, required)
			depths := []ImageFormat{pixels(CL_DEPTH, CL_UNORM_INT16), pixels(CL_DEPTH, CL_FLOAT)}
			if kind == CL_MEM_OBJECT_IMAGE2D || kind == CL_MEM_OBJECT_IMAGE2D_ARRAY {
				require.Subset(t, got, depths)
			} else {
				require.NotSubset(t, got, depths)
			}
		}
	}
	_, st := f.ctx.SupportedImageFormats(0, CL_MEM_OBJECT_BUFFER)
	require.Equal(t, CL_INVALID_VALUE, st)
	_, st = f.ctx.SupportedImageFormats(1<<20, CL_MEM_OBJECT_IMAGE2D)
	require.Equal(t, CL_INVALID_VALUE, st)
}

func TestSamplerRules(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_images")
	for name, c := range map[string]struct {
		properties []uint64
		want       Status
	}{
		"NULL":           {nil, CL_SUCCESS},
		"none":           {[]uint64{0}, CL_SUCCESS},
		"all":            {[]uint64{CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, 0}, CL_SUCCESS},
		"twice":          {[]uint64{CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}, CL_INVALID_VALUE},
		"unknown name":   {[]uint64{CL_SAMPLER_CONTEXT, 1, 0}, CL_INVALID_VALUE},
		"normalised?":    {[]uint64{CL_SAMPLER_NORMALIZED_COORDS, 2, 0}, CL_INVALID_VALUE},
		"unknown mode":   {[]uint64{CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_MIRRORED_REPEAT + 1, 0}, CL_INVALID_VALUE},
		"unknown filter": {[]uint64{CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR + 1, 0}, CL_INVALID_VALUE},
	} {
		t.Run(name, func(t *testing.T) {
			s, st := f.ctx.CreateSampler(c.properties)
			require.Equal(t, c.want, st)
			if st == CL_SUCCESS {
				require.Equal(t, c.properties, s.properties)
				s.Release()
			}
		})
	}
	s, st := f.ctx.CreateSamplerSimple(CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_LINEAR)
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, CL_SUCCESS, s.Release())
	require.Equal(t, CL_INVALID_SAMPLER, s.Release())
	_, st = f.ctx.CreateSamplerSimple(CL_FALSE, CL_ADDRESS_NONE, CL_ADDRESS_NONE)
	require.Equal(t, CL_INVALID_VALUE, st)
}
