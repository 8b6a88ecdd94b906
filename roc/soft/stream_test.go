package soft

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStreamedFillsAreFills(t *testing.T) {
	pattern := make([]byte, 64)
	for i := range pattern {
		pattern[i] = byte(i + 1)
	}
	room := make([]byte, 1024)
	for length := 1; length <= 64; length *= 2 {
		for from := range 70 {
			for _, n := range []int{1, 15, 63, 64, 65, 200, 512, 900} {
				clear(room)
				phase := uint64(from*7) % uint64(length)
				want := make([]byte, n)
				repeat(want, pattern[:length], phase)
				stream(room[from:from+n], pattern[:length], phase)
				require.Equal(t, want, room[from:from+n], "length %d, from %d, %d bytes", length, from, n)
				require.Equal(t, bytes.Count(want, []byte{0}), bytes.Count(room, []byte{0})-len(room)+n, "beyond the end")
			}
		}
	}
}

func BenchmarkFill(b *testing.B) {
	dst := make([]byte, 64<<20)
	for name, fill := range map[string]func([]byte, []byte, uint64){"cached": repeat, "streamed": stream} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(dst)))
			for b.Loop() {
				for at := 0; at < len(dst); at += 64 << 10 {
					fill(dst[at:at+64<<10], []byte{7}, 0)
				}
			}
		})
	}
}
