package printf

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// escaped is what LLVM makes of a guarded format in the metadata.
func escaped(format string) string {
	s := string(Guard([]byte(format)))
	for _, c := range []struct{ from, to string }{{"\n", `\n`}, {"\a", `\a`}, {"\v", `\v`}, {":", `\72`}} {
		s = strings.ReplaceAll(s, c.from, c.to)
	}
	return s
}

func TestFormatsOfCodeObjectsComeBackAsTheyWere(t *testing.T) {
	for _, text := range []string{"", "a:b\n", `\n is no line\72` + "\n\a\v", `\\`, "\xff\\\xff\x01", "100 %%\n", "%F %5.2A %v4hlF|%%A %\\ %", "%"} {
		f, err := ParseFormats([]string{"7:0:" + escaped(text)})
		require.NoError(t, err)
		require.Equal(t, text, string(f[7].text))
	}
}

// LLVM looks for the first of its conversions behind a percent sign.
func TestFormatsAreGuardedForLLVM(t *testing.T) {
	require.Equal(t, "%5\xff\x03f A %\xff\x03a%%A", string(Guard([]byte("%5F A %A%%A"))))
}

func TestStringsComeBackAsTheyWere(t *testing.T) {
	for _, text := range []string{"", "a", "abc", "four", "eightbit", "\xff", "\xff\xff", "\xff\x02\x04"} {
		guarded := GuardString([]byte(text))
		require.NotZero(t, len(guarded)%4)
		require.Equal(t, text, string(stringOf(append(guarded, 0, 'x'))))
	}
}

// Arguments that a format does not use are not in records.
func TestUnusedArgumentsHaveNoSizes(t *testing.T) {
	f, err := ParseFormats([]string{"1:2:4:%d\\n"})
	require.NoError(t, err)
	require.Equal(t, "7\n", string(f.Append(nil, []byte{8, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0})))
}

// A vector of two bytes comes as two words.
func TestShortVectorsComeAsWords(t *testing.T) {
	f, err := ParseFormats([]string{"1:1:8:%#v2hhx"})
	require.NoError(t, err)
	require.Equal(t, "0xfa,0xfb", string(f.Append(nil, []byte{12, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0xfa, 0, 0, 0, 0xfb, 0, 0, 0})))
}

func TestListsOfFormatsThatAreDamagedAreRefused(t *testing.T) {
	for _, entry := range []string{"", "1", "1:", "x:0:a", "1:1:4:4:a", "1:1:x:a", "1:-1:a", "1:9999999999:a"} {
		_, err := ParseFormats([]string{entry})
		require.Error(t, err, entry)
	}
}

func TestBuffersOfGPUsBecomeText(t *testing.T) {
	f, err := ParseFormats([]string{"1:0:nothing\\n", "2:3:4:8:8:%d %s %v2f\\n"})
	require.NoError(t, err)
	put := binary.LittleEndian.AppendUint32
	var records []byte
	records = put(records, 2)
	records = put(records, 42)
	records = append(records, "text\x00\xff\xff\xff"...)
	records = put(put(records, 0x3f800000), 0x40000000)
	records = put(records, 1)
	buffer := func(used int, records []byte) []byte {
		return append(put(put(nil, uint32(used)), 4096), append(records, make([]byte, 100)...)...)
	}
	require.Equal(t, "42 text 1.000000,2.000000\nnothing\n", string(f.Append(nil, buffer(len(records), records))))
	require.Empty(t, f.Append(nil, buffer(0, records)))
	for _, damaged := range [][]byte{put(nil, 3), put(put(nil, 2), 1)} {
		require.Equal(t, "(damaged output of printf)\n", string(f.Append(nil, buffer(len(damaged), damaged))))
	}
	require.NotPanics(t, func() { f.Append(nil, buffer(1<<31, records)) }, "more than there is room for")
}
