package workgroup

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKernelsWithAtomicsThatWaitForNobodyContend(t *testing.T) {
	for body, contends := range map[string]bool{
		"ADD(&h[in[get_global_id(0)]], 1);":                                        true,
		"for (int i = 0; i < n; i++) ADD(&h[in[i]], 1);":                           true, // nobody looks
		"h[ADD(h, 1)] = n;":                                                        true, // a ticket
		"int t = ADD(h, 1); for (int i = 0; i < n; i++) h[t + i]++;":               true,
		"EXCHANGE_IF(h, &n, 7); h[1] = n;":                                         true,
		"generic int *p = n & 1 ? (generic int *)h : (generic int *)l; ADD(p, n);": true,
		"if (n) ADD(h, 1); barrier(CLK_GLOBAL_MEM_FENCE); h[1] = in[1];":           true, // of a group's own
		"for (int i = 0; i < n; i++) l[ADD(l, 1)] = in[i]; ADD(h, l[1]);":          true, // likewise
		"while (LOAD(l) < n) l[n--] = 1; ADD(h, l[1]);":                            true, // likewise
		"volatile int s = 0; for (int i = 0; i < n; i++) s += in[i]; ADD(h, s);":   true,

		"h[0] = in[0];":                                                                                    false, // has none
		"ADD(&l[in[get_global_id(0)]], 1);":                                                                false, // among items of a group
		"while (EXCHANGE(h, 1)) {} h[1]++;":                                                                false,
		"int m = n; while (!EXCHANGE_IF(h, &m, 1)) m = n;":                                                 false,
		"ADD(h, 1); while (ADD(h, 0) < n) {}":                                                              false,
		"ADD(h, 1); while (LOAD(h) < n) {}":                                                                false,
		"ADD(h, 1); while (*(volatile global int *)h < n) {}":                                              false,
		"ADD(h, 1); while (*h < n) __atomic_thread_fence(5);":                                              false,
		"ADD(h, 1); while (*h < n) barrier(CLK_GLOBAL_MEM_FENCE);":                                         false,
		"for (int i = ADD(h, 1); i < n; i = ADD(h, 1)) h[i + 1] = in[i];":                                  false, // it may go on until others are there
		"generic volatile int *p = n & 1 ? (generic int *)h : (generic int *)l; ADD(h, 1); while (!*p) {}": false,
		"if (n & 1) goto b; a: ADD(h, 1); b: ADD(h, 2); if (*(volatile global int *)h < n) goto a;":        false,
		"if (n & 1) goto b; a: h[1]++; b: h[2]++; if (ADD(h, 1) < n) goto a; if (n & 2) goto b;":           false, // with two entries
		"ADD(h, 1); wait(h, n);":                                                                           false, // which is inlined
		`ADD(h, 1); printf("%d", n);`:                                                                      false,
	} {
		source := `
#define ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define EXCHANGE(p, v) __atomic_exchange_n(p, v, __ATOMIC_RELAXED)
#define EXCHANGE_IF(p, e, v) __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define LOAD(p) __atomic_load_n(p, __ATOMIC_RELAXED)
void wait(volatile global int *h, int n) { while (*h < n) {} }
kernel void k(global int *h, global const int *in, local int *l, int n) { ` + body + " }"
		require.Equal(t, contends, build(t, source, Options{}).kernels["k"].Contends, body)
	}
}
