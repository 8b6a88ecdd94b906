package cl

import (
	"fmt"
	"math/rand"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestImageTransfers copies random regions of every kind of image in every way, and compares with copies pixel by pixel.
func TestImageTransfers(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_images")
	rng := rand.New(rand.NewSource(5))
	for _, it := range imageTypeOf {
		for _, format := range []ImageFormat{pixels(CL_R, CL_UNSIGNED_INT8), pixels(CL_RGBA, CL_UNORM_INT8), pixels(CL_RGBA, CL_FLOAT)} {
			t.Run(fmt.Sprintf("%s/%x", it.name, format.Type), func(t *testing.T) {
				a, b := newModel(rng, format, it.kind, sizeOf(it.kind)), newModel(rng, format, it.kind, sizeOf(it.kind))
				f := *f
				f.TB = t
				x := &transfers{fixture: &f, model: a, im: f.imageOf(a), other: b, otherIm: f.imageOf(b), buffer: f.buffer(1 << 14), rng: rng}
				defer x.buffer.Release()
				for range 12 {
					x.step()
					require.Equal(t, a.data, f.pixels(x.im))
					require.Equal(t, b.data, f.pixels(x.otherIm))
				}
			})
		}
	}
}

// transfers are two images with what must be in them, and a buffer.
type transfers struct {
	*fixture
	model, other *model
	im, otherIm  *Mem
	buffer       *Mem
	rng          *rand.Rand
}

// region is a random one, and another place of the same size.
func (x *transfers) region() (at, to, size [3]uint64) {
	for d, n := range x.model.size {
		size[d] = 1 + uint64(x.rng.Intn(n))
		at[d], to[d] = uint64(x.rng.Intn(n-int(size[d])+1)), uint64(x.rng.Intn(n-int(size[d])+1))
	}
	return
}

// each calls do with each pixel of a region: its place in it, and its bytes in m.
func each(m *model, at, size [3]uint64, do func(at [3]uint64, pixel []byte)) {
	for z := range size[2] {
		for y := range size[1] {
			for x := range size[0] {
				do([3]uint64{x, y, z}, m.pixel([3]int{int(at[0] + x), int(at[1] + y), int(at[2] + z)}))
			}
		}
	}
}

func (x *transfers) step() {
	at, to, size := x.region()
	n := uint64(pixelSize(x.model.format))
	box := ImageBox{&at, &size}
	h := HostPixels{}
	pitches := [2]uint64{size[0] * n, size[0] * n * size[1]}
	if x.rng.Intn(2) == 0 { // gaps
		h.Row = pitches[0] + uint64(x.rng.Intn(9))
		pitches = [2]uint64{h.Row, h.Row * size[1]}
		switch x.model.kind {
		case CL_MEM_OBJECT_IMAGE1D_ARRAY:
			h.Slice = h.Row + uint64(x.rng.Intn(9))
			pitches[0] = h.Slice
		case CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D:
			h.Slice = pitches[1] + uint64(x.rng.Intn(9))
			pitches[1] = h.Slice
		}
	}
	host := make([]byte, pitches[1]*size[2]+pitches[0]*size[1])
	x.rng.Read(host)
	h.Ptr = unsafe.Pointer(&host[0])
	inHost := func(p [3]uint64) []byte { return host[p[0]*n+p[1]*pitches[0]+p[2]*pitches[1]:][:n] }
	var st Status
	switch x.rng.Intn(7) {
	case 0:
		_, st = x.q.ReadImage(x.im, true, box, h, Sync{})
		each(x.model, at, size, func(p [3]uint64, pixel []byte) { require.Equal(x, pixel, inHost(p)) })
	case 1:
		_, st = x.q.WriteImage(x.im, true, box, h, Sync{})
		each(x.model, at, size, func(p [3]uint64, pixel []byte) { copy(pixel, inHost(p)) })
	case 2:
		_, st = x.q.CopyImage(x.im, x.otherIm, &at, &to, &size, Sync{})
		each(x.model, at, size, func(p [3]uint64, pixel []byte) {
			copy(x.other.pixel([3]int{int(to[0] + p[0]), int(to[1] + p[1]), int(to[2] + p[2])}), pixel)
		})
	case 3:
		_, st = x.q.CopyImageToBuffer(x.im, x.buffer, box, 5, Sync{})
		x.within("the copy's end", func() { x.q.Finish() })
		packed := x.bytes(x.buffer)[5:]
		each(x.model, at, size, func(_ [3]uint64, pixel []byte) {
			require.Equal(x, pixel, packed[:n])
			packed = packed[n:]
		})
	case 4:
		packed := x.bytes(x.buffer)[7:]
		x.rng.Read(packed)
		_, st = x.q.CopyBufferToImage(x.buffer, x.im, 7, box, Sync{})
		each(x.model, at, size, func(_ [3]uint64, pixel []byte) {
			copy(pixel, packed[:n])
			packed = packed[n:]
		})
	case 5:
		colour := [4]uint32{x.rng.Uint32(), x.rng.Uint32() >> 24, 0x3f000000, 0}
		_, st = x.q.FillImage(x.im, &colour, box, Sync{})
		x.within("the fill's end", func() { x.q.Finish() })
		var first []byte
		after := x.pixels(x.im)
		filled := &model{format: x.model.format, kind: x.model.kind, size: x.model.size, data: after}
		each(filled, at, size, func(_ [3]uint64, pixel []byte) {
			if first == nil {
				first = pixel
				raw, widths := fields(filled.format, pixel)
				for i := range raw {
					require.True(x, mayStore(channelTypes[filled.format.Type].kind, 'r', raw[i], widths[i], component(classOf(filled.format), colour[i])))
				}
			}
			require.Equal(x, first, pixel)
		})
		each(x.model, at, size, func(_ [3]uint64, pixel []byte) { copy(pixel, first) })
	case 6:
		var mapped ImageMap
		mapped, _, st = x.q.MapImage(x.im, true, CL_MAP_READ|CL_MAP_WRITE, box, true, true, Sync{})
		require.Equal(x, CL_SUCCESS, st)
		step := [2]uint64{mapped.Row, mapped.Slice}
		if x.model.kind == CL_MEM_OBJECT_IMAGE1D_ARRAY {
			step[0] = mapped.Slice
		}
		each(x.model, at, size, func(p [3]uint64, pixel []byte) {
			there := unsafe.Slice((*byte)(unsafe.Add(mapped.Ptr, p[0]*n+p[1]*step[0]+p[2]*step[1])), n)
			require.Equal(x, pixel, there)
			x.rng.Read(pixel)
			copy(there, pixel)
		})
		_, st = x.q.UnmapMemObject(x.im, mapped.Ptr, Sync{})
	}
	require.Equal(x, CL_SUCCESS, st)
}

func TestImageTransferRules(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_images")
	image := func(flags uint64, d ImageDesc) *Mem {
		m, st := f.ctx.CreateImage(nil, flags, rgba8, &d, nil)
		require.Equal(t, CL_SUCCESS, st)
		t.Cleanup(func() { m.Release() })
		return m
	}
	buffer := f.buffer(64)
	defer buffer.Release()
	d2 := image(0, ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 4, Height: 4})
	d1 := image(0, ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D, Width: 4})
	array := image(0, ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_ARRAY, Width: 4, Array: 4})
	d3 := image(0, ImageDesc{Type: CL_MEM_OBJECT_IMAGE3D, Width: 4, Height: 4, Depth: 4})
	ofBuffer := image(0, ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D_BUFFER, Width: 16, Mem: buffer})
	readOnly := image(CL_MEM_HOST_READ_ONLY, ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 4, Height: 4})
	writeOnly := image(CL_MEM_HOST_WRITE_ONLY, ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 4, Height: 4})
	host := make([]byte, 4096)
	at := func(x, y, z uint64) *[3]uint64 { return &[3]uint64{x, y, z} }
	for name, c := range map[string]struct {
		m           *Mem
		box         ImageBox
		row, slice  uint64
		null        bool
		read, write Status
	}{
		"whole":               {d2, ImageBox{at(0, 0, 0), at(4, 4, 1)}, 0, 0, false, CL_SUCCESS, CL_SUCCESS},
		"a buffer":            {buffer, ImageBox{at(0, 0, 0), at(4, 4, 1)}, 0, 0, false, CL_INVALID_MEM_OBJECT, CL_INVALID_MEM_OBJECT},
		"no origin":           {d2, ImageBox{nil, at(4, 4, 1)}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"no region":           {d2, ImageBox{at(0, 0, 0), nil}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"empty":               {d2, ImageBox{at(0, 0, 0), at(0, 4, 1)}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"outside":             {d2, ImageBox{at(1, 0, 0), at(4, 4, 1)}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"far outside":         {d2, ImageBox{at(^uint64(0), 0, 0), at(2, 4, 1)}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"depth of 2D":         {d2, ImageBox{at(0, 0, 0), at(4, 4, 2)}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"depth 0 of 2D":       {d2, ImageBox{at(0, 0, 0), at(4, 4, 0)}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"z of 2D":             {d2, ImageBox{at(0, 0, 1), at(4, 4, 1)}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"height of 1D":        {d1, ImageBox{at(0, 0, 0), at(4, 2, 1)}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"y of 1D":             {d1, ImageBox{at(0, 1, 0), at(4, 1, 1)}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"a layer too many":    {array, ImageBox{at(0, 2, 0), at(4, 3, 1)}, 0, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"null":                {d2, ImageBox{at(0, 0, 0), at(4, 4, 1)}, 0, 0, true, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"row pitch":           {d2, ImageBox{at(0, 0, 0), at(4, 4, 1)}, 15, 0, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"slice pitch of 2D":   {d2, ImageBox{at(0, 0, 0), at(4, 4, 1)}, 16, 64, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"slice pitch of 1D":   {d1, ImageBox{at(0, 0, 0), at(4, 1, 1)}, 16, 16, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"slice pitch":         {d3, ImageBox{at(0, 0, 0), at(4, 4, 2)}, 16, 63, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"slice pitch of rows": {array, ImageBox{at(0, 0, 0), at(4, 4, 1)}, 20, 19, false, CL_INVALID_VALUE, CL_INVALID_VALUE},
		"read only":           {readOnly, ImageBox{at(0, 0, 0), at(4, 4, 1)}, 0, 0, false, CL_SUCCESS, CL_INVALID_OPERATION},
		"write only":          {writeOnly, ImageBox{at(0, 0, 0), at(4, 4, 1)}, 0, 0, false, CL_INVALID_OPERATION, CL_SUCCESS},
	} {
		t.Run(name, func(t *testing.T) {
			h := HostPixels{unsafe.Pointer(&host[0]), c.row, c.slice}
			if c.null {
				h.Ptr = nil
			}
			_, st := f.q.ReadImage(c.m, true, c.box, h, Sync{})
			require.Equal(t, c.read, st)
			_, st = f.q.WriteImage(c.m, true, c.box, h, Sync{})
			require.Equal(t, c.write, st)
		})
	}

	whole := ImageBox{at(0, 0, 0), at(4, 4, 1)}
	_, st := f.q.FillImage(d2, nil, whole, Sync{})
	require.Equal(t, CL_INVALID_VALUE, st)
	_, st = f.q.FillImage(buffer, new([4]uint32), whole, Sync{})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)

	_, st = f.q.CopyImage(d2, d2, at(0, 0, 0), at(1, 1, 0), at(2, 2, 1), Sync{})
	require.Equal(t, CL_MEM_COPY_OVERLAP, st)
	_, st = f.q.CopyImage(d2, d2, at(0, 0, 0), at(2, 1, 0), at(2, 2, 1), Sync{})
	require.Equal(t, CL_SUCCESS, st, "beside each other, their spans overlap")
	_, st = f.q.CopyImage(d2, d3, at(0, 0, 0), at(0, 0, 3), at(4, 4, 1), Sync{})
	require.Equal(t, CL_SUCCESS, st, "between kinds")
	float, st := f.ctx.CreateImage(nil, 0, pixelsAt(CL_R, CL_FLOAT), &ImageDesc{Type: CL_MEM_OBJECT_IMAGE2D, Width: 4, Height: 4}, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer float.Release()
	_, st = f.q.CopyImage(d2, float, at(0, 0, 0), at(0, 0, 0), at(4, 4, 1), Sync{})
	require.Equal(t, CL_IMAGE_FORMAT_MISMATCH, st)

	_, st = f.q.CopyImageToBuffer(d2, buffer, whole, 1, Sync{})
	require.Equal(t, CL_INVALID_VALUE, st)
	_, st = f.q.CopyImageToBuffer(buffer, buffer, whole, 0, Sync{})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)
	_, st = f.q.CopyBufferToImage(buffer, ofBuffer, 0, ImageBox{at(0, 0, 0), at(1, 1, 1)}, Sync{})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)
	_, st = f.q.CopyBufferToImage(d2, d2, 0, whole, Sync{})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)

	// What is for buffers is not for images.
	one := make([]byte, 1)
	_, st = f.q.ReadBuffer(d2, true, 0, 1, unsafe.Pointer(&one[0]), Sync{})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)
	_, st = f.q.FillBuffer(d2, one, 0, 1, Sync{})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)
	_, _, st = f.q.MapBuffer(d2, true, CL_MAP_READ, 0, 1, Sync{})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)
	_, st = f.q.CopyBuffer(buffer, d2, 0, 0, 1, Sync{})
	require.Equal(t, CL_INVALID_MEM_OBJECT, st)
}

func TestImageMapRules(t *testing.T) {
	f := newFixture(t)
	f.needs("__opencl_c_images")
	m, st := f.ctx.CreateImage(nil, 0, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE3D, Width: 4, Height: 4, Depth: 4}, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer m.Release()
	hidden, st := f.ctx.CreateImage(nil, CL_MEM_HOST_NO_ACCESS, rgba8, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D, Width: 4}, nil)
	require.Equal(t, CL_SUCCESS, st)
	defer hidden.Release()
	at := func(x, y, z uint64) *[3]uint64 { return &[3]uint64{x, y, z} }
	left, right := ImageBox{at(0, 0, 0), at(2, 4, 4)}, ImageBox{at(2, 0, 0), at(2, 4, 4)}
	for name, c := range map[string]struct {
		m          *Mem
		flags      uint64
		box        ImageBox
		row, slice bool
		want       Status
	}{
		"invalidate and read": {m, CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ, left, true, true, CL_INVALID_VALUE},
		"outside":             {m, CL_MAP_READ, ImageBox{at(3, 0, 0), at(2, 4, 4)}, true, true, CL_INVALID_VALUE},
		"no row pitch":        {m, CL_MAP_READ, left, false, true, CL_INVALID_VALUE},
		"no slice pitch":      {m, CL_MAP_READ, left, true, false, CL_INVALID_VALUE},
		"no access":           {hidden, CL_MAP_READ, ImageBox{at(0, 0, 0), at(1, 1, 1)}, true, false, CL_INVALID_OPERATION},
		"no access to write":  {hidden, CL_MAP_WRITE, ImageBox{at(0, 0, 0), at(1, 1, 1)}, true, false, CL_INVALID_OPERATION},
	} {
		_, _, st := f.q.MapImage(c.m, true, c.flags, c.box, c.row, c.slice, Sync{})
		require.Equal(t, c.want, st, name)
	}
	a, _, st := f.q.MapImage(m, true, CL_MAP_WRITE, left, true, true, Sync{})
	require.Equal(t, CL_SUCCESS, st)
	b, _, st := f.q.MapImage(m, true, CL_MAP_WRITE, right, true, true, Sync{})
	require.Equal(t, CL_SUCCESS, st, "beside each other, their spans overlap")
	_, _, st = f.q.MapImage(m, true, CL_MAP_WRITE, ImageBox{at(1, 1, 1), at(1, 1, 1)}, true, true, Sync{})
	require.Equal(t, CL_INVALID_OPERATION, st)
	require.EqualValues(t, 2, m.mapCount())
	for _, p := range []ImageMap{a, b} {
		_, st = f.q.UnmapMemObject(m, p.Ptr, Sync{})
		require.Equal(t, CL_SUCCESS, st)
	}
	_, st = f.q.UnmapMemObject(m, a.Ptr, Sync{})
	require.Equal(t, CL_INVALID_VALUE, st)
}
