package cl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a device does not report has the specification's error, or says that there is nothing.
func TestWhatIsNotReportedIsRefused(t *testing.T) {
	f := newFixture(t)
	p := f.program(addSource)
	defer p.Release()
	k := f.kernel(p, "add")
	defer k.Release()
	pipe := func() Status {
		m, st := f.ctx.CreatePipe(0, 4, 4, false)
		if m != nil {
			m.Release()
		}
		return st
	}
	image := func() Status {
		m, st := f.ctx.CreateImage(nil, 0, &ImageFormat{Order: CL_RGBA, Type: CL_FLOAT}, &ImageDesc{Type: CL_MEM_OBJECT_IMAGE1D, Width: 4}, nil)
		if m != nil {
			m.Release()
		}
		return st
	}
	sampler := func() Status {
		s, st := f.ctx.CreateSampler(nil)
		if s != nil {
			s.Release()
		}
		return st
	}
	constant := func() Status { return p.SetSpecializationConstant(0, []byte{1}) }
	groups := func() Status { return k.SubGroupInfo(f.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, nil, Out{}) }
	for _, c := range []struct {
		needs   string
		do      func() Status
		offered Status
	}{
		{"__opencl_c_pipes", pipe, CL_SUCCESS},
		{"__opencl_c_images", image, CL_SUCCESS},
		{"__opencl_c_images", sampler, CL_SUCCESS},
		{"cl_khr_il_program", constant, CL_INVALID_PROGRAM},
		{"__opencl_c_subgroups", groups, CL_SUCCESS},
	} {
		want := c.offered
		if !f.has(c.needs) {
			want = CL_INVALID_OPERATION
		}
		require.Equal(t, want, c.do(), c.needs)
	}
	formats, st := f.ctx.SupportedImageFormats(0, CL_MEM_OBJECT_IMAGE2D)
	require.Equal(t, CL_SUCCESS, st)
	require.Equal(t, f.has("__opencl_c_images"), len(formats) > 0)
	for _, param := range []uint32{CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, CL_DEVICE_HALF_FP_CONFIG} {
		n, st := answerOf(func(o Out) Status { return f.device.Info(param, o) })
		require.Equal(t, CL_SUCCESS, st)
		require.Equal(t, f.has("cl_khr_fp16"), n != 0, "parameter %#x", param)
	}
}
