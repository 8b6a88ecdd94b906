// Access to the memory of pixels of N bytes: E holds one, RAW(N) those of all lanes. Read once for each size.
#define RAW CAT(RAW, N)
#define UNALIGNED CAT(E, _anywhere)
typedef E UNALIGNED __attribute__((aligned(1)));
typedef struct __attribute__((packed)) { RAW raw; } CAT(RAW, _anywhere);

// Reads the pixels of the lanes that are on; the others get copies of one of them, or, if there is none, are undefined.
LOCAL void load(const global Image *image, private const int16 *at, uint lanes, private RAW *r)
{
    if (row(at, lanes)) {
        global uchar *p = address(image, at, 0);
        if (neighbours(at)) {
            *r = ((const global CAT(RAW, _anywhere) *)(p + at[0].s0 * (long)N))->raw;
            return;
        }
        #pragma unroll
        for (uint l = 0; l < LANES; l++)
            ELEMENT(r, l) = *(const global UNALIGNED *)(p + at[0][l] * (long)N);
        return;
    }
    if (lanes == 0)
        return;
    uint first = __builtin_ctz(lanes);
    #pragma unroll
    for (uint l = 0; l < LANES; l++) {
        uint from = lanes >> l & 1 ? l : first;
        ELEMENT(r, l) = *(const global UNALIGNED *)(address(image, at, from) + at[0][from] * (long)N);
    }
}

// Writes the pixels of the lanes that are on.
LOCAL void save(const global Image *image, private const int16 *at, uint lanes, private const RAW *r)
{
    if (row(at, lanes) && neighbours(at)) {
        ((global CAT(RAW, _anywhere) *)(address(image, at, 0) + at[0].s0 * (long)N))->raw = *r;
        return;
    }
    #pragma unroll
    for (uint l = 0; l < LANES; l++)
        if (lanes >> l & 1)
            *(global UNALIGNED *)(address(image, at, l) + at[0][l] * (long)N) = ELEMENT(r, l);
}
#undef RAW
#undef UNALIGNED
#undef N
#undef E
