// SHA-256: rotations, private arrays, program-scope constants; against a plain implementation on the host, which is itself
// checked with the digest of 00000000 (FIPS 180-4).
#include "host.h"
SOURCE("sha256.cl")

static uint32_t constants[64], initial[8];

// The constants are the fractions of the cube and square roots of the first primes (FIPS 180-4, sections 4.2.2 and 5.3.3).
static void make_constants(void) {
  for (int n = 0, p = 2; n < 64; p++) {
    int prime = 1;
    for (int d = 2; d * d <= p; d++) prime &= p % d != 0;
    if (!prime) continue;
    if (n < 8) initial[n] = (uint32_t)((sqrtl(p) - floorl(sqrtl(p))) * 4294967296.0L);
    constants[n++] = (uint32_t)((cbrtl(p) - floorl(cbrtl(p))) * 4294967296.0L);
  }
}

static uint32_t right(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void digest(uint32_t word, uint32_t *out) {
  uint32_t w[64] = {word, 0x80000000u, [15] = 32}, s[8];
  memcpy(s, initial, sizeof s);
  for (int i = 16; i < 64; i++)
    w[i] = w[i - 16] + (right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
           (right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10);
  for (int i = 0; i < 64; i++) {
    uint32_t t1 = s[7] + (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
    uint32_t t2 = (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 28);
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) out[i] = s[i] + initial[i];
}

int main(int argc, char **argv) {
  size_t n = size(argc, argv, 1 << 16, 256);
  cl_uint base = 77, *r = malloc(n * 32), want[8];
  make_constants();
  digest(0, want);
  if (want[0] != 0xdf3f6198u) fail("the host's own digest is wrong: %08x", want[0]);
  open_device();
  cl_kernel k = kernel(build(source, ""), "sha256");
  cl_mem m = buffer(n * 32, NULL);
  ARG(k, 0, m);
  ARG(k, 1, base);
  run(k, 1, &n, NULL);
  read_back(m, r, n * 32);
  for (size_t i = 0; i < n; i++) {
    digest(base + i, want);
    if (memcmp(want, r + i * 8, 32)) fail("digest %zu starts with %08x, not %08x", i, r[i * 8], want[0]);
  }
  return passed();
}
