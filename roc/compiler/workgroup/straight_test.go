package workgroup

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKernelsWithoutLoopsAreStraight(t *testing.T) {
	for body, straight := range map[string]bool{
		"": true,
		"size_t i = get_global_id(0); if (i < n) out[i] = in[i] * 3 + get_group_id(1);":                true,
		"switch (n) { case 1: *out = 5; break; case 7: *out = in[2]; break; default: *out = n; }":      true,
		"for (int i = 0; i < n; i++) out[i] = in[i];":                                                  false,
		"while (*(volatile global int *)in == 0) {} *out = 1;":                                         false,
		"int i = 0; again: if (in[i++] < n) goto again; *out = i;":                                     false,
		"int i = 0; if (n & 1) goto b; a: i += in[i]; b: i += 3 * in[i]; if (i < n) goto a; *out = i;": false, // with two entries
		"out[get_global_id(0)] = inner(n);":                                                            false,
		"out[get_global_id(0)] = in[0]; barrier(CLK_GLOBAL_MEM_FENCE); out[0] = in[1];":                false, // waits for others
		`printf("%d", n);`: false,
	} {
		source := `
int inner(int n) { int s = 1; while (n > 1) { n = n & 1 ? 3 * n + 1 : n / 2; s++; } return s; }
kernel void k(global int *out, global const int *in, int n) { ` + body + " }"
		require.Equal(t, straight, build(t, source, Options{}).kernels["k"].Straight, body)
	}
}
