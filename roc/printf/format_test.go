package printf

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// memory is a kernel's: strings by address.
type memory map[uint64]string

func (m memory) read(address uint64, limit int) ([]byte, bool) {
	s, ok := m[address]
	return []byte(s[:min(limit, len(s))]), ok
}

// bytesOf lays values out as a kernel does; a slice is a vector.
func bytesOf(values ...any) (args [][]byte) {
	for _, v := range values {
		if n, isInt := v.(int); isInt {
			v = int32(n)
		}
		b, err := binary.Append(nil, binary.LittleEndian, v)
		if err != nil {
			panic(err)
		}
		args = append(args, b)
	}
	return args
}

func TestFormat(t *testing.T) {
	m := memory{1: "foo", 2: "50%% %d", 3: ""}
	for _, c := range []struct {
		format string
		args   [][]byte
		want   string
	}{
		{"plain\n", nil, "plain\n"},
		{"100%%", nil, "100%"},
		{"%5%", nil, "%"},
		{"%s|%5s|%-5s|%.1s|%.0s|%s", bytesOf(uint64(1), uint64(1), uint64(1), uint64(1), uint64(9), uint64(2)), "foo|  foo|foo  |f||50%% %d"},
		{"%s%s", bytesOf(uint64(0), uint64(3)), "(null)"},
		{"%p %10p", bytesOf(uint64(0xabc), uint64(0)), "0xabc        0x0"},
		{"%hhd %hd %hhu %hx", bytesOf(511, -65535, -1, -1), "-1 1 255 ffff"},
		{"%ld %lu %lld %zd %td %jd", bytesOf(int64(math.MinInt64), uint64(math.MaxUint64), int64(-1), int64(-2), int64(-3), int64(-4)),
			"-9223372036854775808 18446744073709551615 -1 -2 -3 -4"},
		{"%-4c|%4c", bytesOf('A', 'B'), "A   |   B"},

		// "Data value output is each element separated by a comma"
		{"%2.2v4hlf", bytesOf([]float32{1, 2, 3, 4}), "1.00,2.00,3.00,4.00"},
		{"%#v2hhx", bytesOf([]uint8{0xfa, 0xfb}), "0xfa,0xfb"},
		{"%v16hhd", bytesOf([]int8{0, -1, 2, -3, 4, -5, 6, -7, 8, -9, 10, -11, 12, -13, 14, -128}), "0,-1,2,-3,4,-5,6,-7,8,-9,10,-11,12,-13,14,-128"},
		{"%v3hd", bytesOf([]int16{1, -2, 3}), "1,-2,3"},
		{"%v3hd", bytesOf([]int16{1, -2, 3, 99}), "1,-2,3"},
		{"%+5v2hli|%-5v2hlu|", bytesOf([]int32{1, -2}, []uint32{3, math.MaxUint32}), "   +1,   -2|3    ,4294967295|"},
		{"%v2ld %v2lX", bytesOf([]int64{math.MinInt64, 5}, []uint64{math.MaxUint64, 10}), "-9223372036854775808,5 FFFFFFFFFFFFFFFF,A"},
		{"%v2lf %v3le", bytesOf([]float64{0.1, 1e300}, []float64{1, 2, 3}), "0.100000," + strconv.FormatFloat(1e300, 'f', 6, 64) + " 1.000000e+00,2.000000e+00,3.000000e+00"},
		{"%v4hf %v2ha", bytesOf([]uint16{0x3c00, 0xc000, 0x7bff, 1}, []uint16{0x3e00, 0xfc00}), "1.000000,-2.000000,65504.000000,0.000000 0x1.8p+0,-inf"},
		{"%v8hlg", bytesOf([]float32{1, 2, 3, 4, 1.5, 3.14, 2.5, 3.5}), "1,2,3,4,1.5,3.14,2.5,3.5"},
		{"%v2hhc", bytesOf([]int8{'x', 'y'}), "x,y"},

		// Wrong formats.
		{"%", nil, "%"},
		{"%d %d", bytesOf(1), "1 %d"},
		{"%5.3", bytesOf(1), "%5.3"},
		{"%y%d", bytesOf(1), "%y1"},
		{"%v5d %d", bytesOf(1), "%v5d 1"},
		{"%n%d", bytesOf(uint64(1), 7), "%n7"},
		{"%s %d", bytesOf(7, 8), "%s 8"},
		{"%s %d", bytesOf(uint64(77), 8), "%s 8"},
		{"%v4hls", bytesOf([]int32{1, 2, 3, 4}), "%v4hls"},
		{"%v4hhf", bytesOf([]int8{1, 2, 3, 4}), "%v4hhf"},
		{"%v4d", bytesOf([]int32{1, -2, 3, 4}), "1,-2,3,4"},
		{"%v4ld", bytesOf([]int32{1, -2, 3, 4}), "1,-2,3,4"},
		{"%v4hld", bytesOf(1), "1,0,0,0"},
		{"%ld %d", bytesOf(-5, int64(-6)), "-5 -6"},
		{"%d", bytesOf([]int32{3, 4}), "3"},
		{"%f", bytesOf(float32(0.5)), "0.500000"},
		{"%*d|%-*d|%.*f|%*d|", bytesOf(4, 1, 4, 2, 1, 0.25, -4, 3), "   1|2   |0.2|3   |"},
	} {
		require.Equal(t, c.want, string(appendCall(nil, []byte(c.format), c.args, m.read)), "%q", c.format)
	}
	require.Len(t, appendCall(nil, []byte("%99999999999999999999d"), bytesOf(1), m.read), maxField)
	require.Len(t, appendCall(nil, []byte("%.99999999999999999999d"), bytesOf(1), m.read), maxField)
}

// formatsOfC prints what it is told to: lines of the argument's kind, the argument, and the format.
const formatsOfC = `
#include <stdio.h>
#include <string.h>
int main(void) {
	char kind, format[100];
	unsigned long bits;
	while (scanf("%c %lx %99[^\n]%*c", &kind, &bits, format) == 3) {
		double d;
		memcpy(&d, &bits, 8);
		if (kind == 'i') printf(format, (int)bits);
		else if (kind == 'l') printf(format, (long)bits);
		else printf(format, d);
		putchar('\n');
	}
	return 0;
}`

// TestFormatsOfC compares with the C library, for all flags, over widths and precisions.
func TestFormatsOfC(t *testing.T) {
	var input, got strings.Builder
	var cases []string
	add := func(kind byte, arg uint64, format string) {
		line := fmt.Sprintf("%c %x %s\n", kind, arg, format)
		cases = append(cases, line)
		input.WriteString(line)
		size := 8
		if kind == 'i' {
			size = 4
		}
		got.Write(appendCall(nil, []byte(format+"\n"), [][]byte{bytesOf(arg)[0][:size]}, nil))
	}
	floats := []float64{0, math.Copysign(0, -1), 1, 0.5, 100, 123456, 1234567, 0.0001, 0.00001234, -2.5, 3.5, 9.9999999, 1e23, math.Inf(-1), math.NaN(),
		1.99951171875, math.SmallestNonzeroFloat64, 2.2250738585072011e-308, math.MaxFloat64, 10.3456, 789456123}
	for flags := range 32 {
		var f strings.Builder
		for i, c := range "-+ #0" {
			if flags>>i&1 != 0 {
				f.WriteRune(c)
			}
		}
		for _, size := range []string{"", "1", "12", ".", ".0", ".1", ".3", ".11", "12.0", "12.3", "30.20"} {
			prefix := "%" + f.String() + size
			for _, verb := range "dioxXu" {
				for _, v := range []int64{0, 1, -1, 8, 12345, math.MinInt32, math.MinInt64} {
					add('i', uint64(v), prefix+string(verb))
					add('l', uint64(v), prefix+"l"+string(verb))
				}
			}
			for _, verb := range "fFeEgGaA" {
				for _, v := range floats {
					add('d', math.Float64bits(v), prefix+string(verb))
				}
			}
		}
	}
	require.Greater(t, len(cases), 50000)
	dir := t.TempDir()
	source, program := filepath.Join(dir, "c.c"), filepath.Join(dir, "c")
	require.NoError(t, os.WriteFile(source, []byte(formatsOfC), 0o600))
	out, err := exec.Command("gcc", "-w", "-o", program, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd := exec.Command(program)
	cmd.Stdin = strings.NewReader(input.String())
	out, err = cmd.Output()
	require.NoError(t, err)
	want, have := strings.Split(string(out), "\n"), strings.Split(got.String(), "\n")
	require.Len(t, have, len(want))
	for i := range cases {
		if want[i] != have[i] {
			require.Equal(t, want[i], have[i], cases[i])
		}
	}
}

func record(format uint64, args ...[]byte) []byte {
	r := binary.LittleEndian.AppendUint64(make([]byte, 8), format)
	for _, a := range args {
		r = binary.LittleEndian.AppendUint64(r, uint64(len(a)))
		r = append(r, a...)
		for len(r)%8 != 0 {
			r = append(r, 0xee)
		}
	}
	binary.LittleEndian.PutUint64(r, uint64(len(r)))
	return r
}

func TestRecordsAreFormattedInOrder(t *testing.T) {
	m := memory{1: "a %d\n", 2: "%s %v3hhd\n", 3: "str"}
	records := append(record(1, bytesOf(5)...), record(2, bytesOf(uint64(3), []int8{1, 2, 3})...)...)
	require.Equal(t, "a 5\nstr 1,2,3\n", string(Append(nil, records, m.read)))
	require.Equal(t, "(invalid format)\n", string(Append(nil, record(9), m.read)))
	records[0] = 255
	require.Equal(t, "(damaged output of printf)\n", string(Append(nil, records, m.read)))
}

func FuzzFormat(f *testing.F) {
	f.Add("%-+ #012.3v4hld %s %p%%\n", []byte("12345678901234567890"), 3)
	f.Add("%*.*f%hhx%c", []byte{4, 0, 0, 0, 255, 255, 255, 255}, 2)
	f.Fuzz(func(t *testing.T, format string, data []byte, n int) {
		var args [][]byte
		for n = min(max(n, 1), 64); len(data) > 0; data = data[min(n, len(data)):] {
			args = append(args, data[:min(n, len(data))])
		}
		m := memory{1: format, 0x3132333435363738: "string"}
		text := appendCall(nil, []byte(format), args, m.read)
		require.LessOrEqual(t, len(text), len(format)+(strings.Count(format, "%")+1)*(17*(2*maxField+400)))
		Append(nil, data, m.read)
		Append(nil, append(record(1, args...), data...), m.read)
	})
}
