package cl

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/settings"

	"github.com/stretchr/testify/require"
)

const levelSource = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global const float *a, global float *out) {
	size_t i = get_global_id(0);
	float x = a[i];
	half h = (half)x;
	for (uint k = 0; k < i % 5; k++) { x = fma(x, x, exp(-x)); h = h * (half)0.75f + (half)x; }
	out[i] = x;
	vstore_half_rte(vload_half(0, &h) * 2.0f, 2 * i, (global half *)(out + get_global_size(0)));
}`

// TestCodeKeepsToTheLevelThatIsSet, whatever the cache has of another level; and the binaries of levels are not taken for one another.
func TestCodeKeepsToTheLevelThatIsSet(t *testing.T) {
	withCompiler(t)
	f := newFixture(t)
	f.needsCPU()
	const n = 100
	in, want := make([]float32, n), make([]float32, 2*n)
	for i := range in {
		in[i] = float32(i) / 64
	}
	binaries := map[string][]byte{}
	// Levels are as high as the device has registers for, so that each is another program.
	names := map[int][]string{64: {"", "avx2", "sse4.2"}, 32: {"", "sse4.2"}, 16: {""}}[f.device.vectorBytes(true)]
	for _, level := range append(names, "") {
		t.Setenv("AQUEDUCT_CPU_FEATURES", level)
		p := f.program(levelSource, "-cl-std=CL3.0")
		defer p.Release()
		binary := f.built(p).binary
		if level == "" && binaries[level] != nil {
			require.Equal(t, binaries[level], binary, "as before")
			continue
		}
		for other, b := range binaries {
			_, _, st := f.ctx.CreateProgramWithBinary([]*Device{f.device}, [][]byte{b})
			require.Equal(t, CL_INVALID_BINARY, st, "%q with %q", other, level)
			require.NotEqual(t, b, binary)
		}
		binaries[level] = binary
		k := f.kernel(p, "k")
		defer k.Release()
		got := make([]float32, 2*n)
		f.run(k, n, in, got)
		if level == "" {
			want = slices.Clone(got)
		}
		require.Equal(t, want, got, level)

		object, err := codeobject.Read(binary)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "code.so")
		require.NoError(t, os.WriteFile(file, object.Code, 0o600))
		code, err := exec.Command("objdump", "-d", file).CombinedOutput()
		require.NoError(t, err, string(code))
		var register string
		switch level {
		case "sse4.2":
			require.NotRegexp(t, `%[yz]mm|\sv[a-z0-9]+ `, string(code))
		case "avx2":
			register = "%ymm"
			require.NotRegexp(t, `%zmm|%k[0-7]|%[xy]mm(1[6-9]|[23][0-9])`, string(code))
		default:
			register = map[int]string{64: "%zmm", 32: "%ymm", 16: "%xmm"}[f.device.vectorBytes(true)]
		}
		if settings.Lanes.Value() == 0 { // else there may be too few to fill it
			require.Contains(t, string(code), register)
		}
	}
	t.Setenv("AQUEDUCT_CPU_FEATURES", "avx1024")
	p := f.program(levelSource, "-cl-std=CL3.0")
	defer p.Release()
	require.Equal(t, binaries[""], f.built(p).binary, "what does not exist is ignored")
}
