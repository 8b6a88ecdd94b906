package builtins_test

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"

	"github.com/stretchr/testify/require"
)

var (
	imageFunction = regexp.MustCompile(`^(get_image_|read_image|write_image)`)
	parameterType = regexp.MustCompile(`^((__)?(read_only|write_only|read_write) )?\w+`)
)

// TestEveryDeclaredImageFunctionIsDefined: as for other functions, but images can only be passed on.
func TestEveryDeclaredImageFunctionIsDefined(t *testing.T) {
	const features = "__opencl_c_images,__opencl_c_3d_image_writes,__opencl_c_read_write_images,cl_khr_depth_images,cl_khr_3d_image_writes,cl_khr_fp16,cl_khr_srgb_image_writes"
	clang, err := frontend.Clang()
	require.NoError(t, err)
	resources := filepath.Join(filepath.Dir(clang), "../lib/clang/19/include")
	for _, std := range []string{"CL1.2", "CL2.0", "CL3.0"} {
		t.Run(std, func(t *testing.T) {
			args := []string{"-cc1", "-triple", "x86_64-unknown-linux-gnu", "-x", "cl", "-cl-std=" + std, "-cl-ext=-all,+" + strings.ReplaceAll(features, ",", ",+"),
				"-finclude-default-header", "-internal-isystem", resources, "-D__IMAGE_SUPPORT__=1"}
			header, err := exec.Command(clang, append(args, "-E", "-P", "-")...).Output()
			require.NoError(t, err)
			text := regexp.MustCompile(`\n\s+`).ReplaceAllString(string(header), " ")
			var calls []string
			for line := range strings.Lines(text) {
				m := declaration.FindStringSubmatch(strings.TrimSpace(line))
				if m == nil || !imageFunction.MatchString(m[2]) {
					continue
				}
				var parameters, arguments []string
				for i, p := range strings.Split(m[3], ",") {
					name := fmt.Sprint("a", i)
					parameters, arguments = append(parameters, parameterType.FindString(strings.TrimSpace(p))+" "+name), append(arguments, name)
				}
				calls = append(calls, fmt.Sprintf("void f%d(%s) { %s(%s); }\n", len(calls), strings.Join(parameters, ", "), m[2], strings.Join(arguments, ", ")))
			}
			require.Greater(t, len(calls), 100)
			source := "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" + strings.Join(calls, "")
			clang := exec.Command(clang, append(args, "-ffake-address-space-map", "-emit-llvm-bc", "-disable-llvm-passes", "-o", "-", "-")...)
			clang.Stdin = strings.NewReader(source)
			clang.Stderr = os.Stderr
			bitcode, err := clang.Output()
			require.NoError(t, err)
			index, err := os.ReadFile(filepath.Join(library(t), "index"))
			require.NoError(t, err)
			require.NoError(t, llvm.Load())
			c := llvm.NewContext()
			defer c.Dispose()
			m, err := c.ParseBitcode(bitcode)
			require.NoError(t, err)
			defer m.Dispose()
			for _, f := range m.Functions() {
				if f.IsDeclaration() && !strings.HasPrefix(f.Name(), "llvm.") {
					require.Contains(t, string(index), "\n"+f.Name()+"\t")
				}
			}
		})
	}
	require.True(t, workgroup.IsMarker(workgroup.ImageFetch) && workgroup.IsMarker(workgroup.ImageStore), "what these call is for the transforms")
}

// TestTablesOfSRGB are what OpenCL C 3.0 section 8.3.1.5 says, in arithmetic of 200 bits where it matters.
func TestTablesOfSRGB(t *testing.T) {
	text, err := os.ReadFile("image_srgb.h")
	require.NoError(t, err)
	table := func(name string) (values []float64) {
		_, rest, ok := strings.Cut(string(text), name+"[")
		require.True(t, ok)
		_, rest, _ = strings.Cut(rest, "{")
		body, _, _ := strings.Cut(rest, "}")
		for _, s := range strings.Split(strings.TrimRight(strings.Join(strings.Fields(body), ""), ","), ",") {
			v, err := strconv.ParseFloat(strings.TrimSuffix(s, "f"), 64)
			require.NoError(t, err)
			require.Equal(t, v, float64(float32(v)), "exact")
			values = append(values, v)
		}
		return values
	}
	linear, limits := table("linear_of_srgb"), table("srgb_limit")
	require.Len(t, linear, 256)
	require.Len(t, limits, 255)
	for i, v := range linear {
		require.True(t, roundsTo(big.NewRat(int64(i), 255), v), "linear value %d: %g", i, v)
	}
	for i, v := range limits {
		// The largest float whose sRGB value is not nearer to i+1 than to i.
		next := float64(math.Nextafter32(float32(v), 1))
		middle := linearOf(big.NewRat(int64(2*i+1), 510))
		require.LessOrEqual(t, new(big.Float).SetFloat64(v).Cmp(middle), 0, "limit %d", i)
		require.Greater(t, new(big.Float).SetFloat64(next).Cmp(middle), 0, "limit %d", i)
	}
}

// roundsTo reports whether v is the float nearest to the linear value of an sRGB value.
func roundsTo(srgb *big.Rat, v float64) bool {
	exact := linearOf(srgb)
	f, _ := exact.Float32()
	return float64(f) == v
}

// linearOf is the linear value of an sRGB value in [0, 1].
func linearOf(srgb *big.Rat) *big.Float {
	const bits = 200
	x := new(big.Float).SetPrec(bits).SetRat(srgb)
	number := func(s string) *big.Float {
		f, _, _ := big.ParseFloat(s, 10, bits, big.ToNearestEven)
		return f
	}
	if x.Cmp(number("0.04045")) <= 0 {
		return x.Quo(x, number("12.92"))
	}
	x.Quo(x.Add(x, number("0.055")), number("1.055"))
	// x^2.4 = (x^12)^(1/5), by Newton's iteration.
	twelfth := new(big.Float).SetPrec(bits).SetInt64(1)
	for range 12 {
		twelfth.Mul(twelfth, x)
	}
	guess, _ := x.Float64()
	y := new(big.Float).SetPrec(bits).SetFloat64(math.Pow(guess, 2.4))
	for range 6 { // y -= (y - twelfth/y^4) / 5
		fourth := new(big.Float).SetPrec(bits).Mul(y, y)
		fourth.Mul(fourth, fourth)
		step := new(big.Float).SetPrec(bits).Sub(y, new(big.Float).SetPrec(bits).Quo(twelfth, fourth))
		y.Sub(y, step.Quo(step, number("5")))
	}
	return y
}
