package codeobject

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnpackReadsEveryKindOfValue(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes string
		want  any
	}{
		{"small number", "\x05", uint64(5)},
		{"number of 1 byte", "\xcc\xff", uint64(255)},
		{"number of 2 bytes", "\xcd\x01\x02", uint64(0x102)},
		{"number of 4 bytes", "\xce\x01\x02\x03\x04", uint64(0x1020304)},
		{"number of 8 bytes", "\xcf\x01\x02\x03\x04\x05\x06\x07\x08", uint64(0x102030405060708)},
		{"small negative number", "\xff", int64(-1)},
		{"negative numbers", "\x94\xd0\x80\xd1\xff\xfe\xd2\xff\xff\xff\xfd\xd3\xff\xff\xff\xff\xff\xff\xff\xfc", []any{int64(-128), int64(-2), int64(-3), int64(-4)}},
		{"floats", "\x92\xca\x3f\xc0\x00\x00\xcb\xbf\xe0\x00\x00\x00\x00\x00\x00", []any{1.5, -0.5}},
		{"nil and bools", "\x93\xc0\xc2\xc3", []any{nil, false, true}},
		{"texts", "\x94\xa1a\xd9\x02bc\xda\x00\x01d\xdb\x00\x00\x00\x01e", []any{"a", "bc", "d", "e"}},
		{"maps", "\x82\xa1a\x01\xa1b\xde\x00\x01\xa1c\xdf\x00\x00\x00\x00", map[string]any{"a": uint64(1), "b": map[string]any{"c": map[string]any{}}}},
		{"long lists", "\xdc\x00\x02\x01\xdd\x00\x00\x00\x01\x02", []any{uint64(1), []any{uint64(2)}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, rest, err := unpack([]byte(c.bytes+"x"), 0)
			require.NoError(t, err)
			require.Equal(t, c.want, v)
			require.Equal(t, []byte("x"), rest)
			for n := range len(c.bytes) {
				_, _, err := unpack([]byte(c.bytes[:n]), 0)
				require.Error(t, err, "%d of %d bytes", n, len(c.bytes))
			}
		})
	}
}

func TestUnpackRefusesWhatCannotBe(t *testing.T) {
	deep := make([]byte, 100)
	for i := range deep {
		deep[i] = 0x91 // a list of one
	}
	for name, b := range map[string][]byte{
		"too deep": deep, "a number as a key": []byte("\x81\x01\x01"), "an unknown tag": []byte("\xc1"),
		"a list longer than all": []byte("\xdd\xff\xff\xff\xff"), "a map longer than all": []byte("\xdf\xff\xff\xff\xff"),
		"a text longer than all": []byte("\xdb\xff\xff\xff\xff"),
	} {
		_, _, err := unpack(b, 0)
		require.Error(t, err, name)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte("\x82\xa1a\x01\xa1b\xde\x00\x01\xa1c\xdf\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, rest, err := unpack(b, 0)
		require.True(t, err != nil || len(rest) < len(b))
	})
}
