// Access to the memory of pixels of N bytes: E holds one, RAW##N those of all lanes. Read once for each size.
#define RAW CAT(RAW, N)
#define ANYWHERE CAT(E, _anywhere)
typedef E ANYWHERE __attribute__((aligned(1)));
typedef struct __attribute__((packed)) { RAW raw; } CAT(RAW, _anywhere);

// Pixels that are neighbours.
LOCAL void load_direct(const global Image *image, private const int16 *at, private RAW *r)
{
    *r = ((const global CAT(RAW, _anywhere) *)(address(image, at[1].s0, at[2].s0) + at[0].s0 * (long)N))->raw;
}

LOCAL void save_direct(const global Image *image, private const int16 *at, private const RAW *r)
{
    ((global CAT(RAW, _anywhere) *)(address(image, at[1].s0, at[2].s0) + at[0].s0 * (long)N))->raw = *r;
}

// Pixels anywhere. The lanes that are off get copies of that of another, or, if all are, are undefined.
LOCAL void load_apart(const global Image *image, private const int16 *at, uint lanes, private RAW *r)
{
    if (lanes == 0)
        return;
    uint first = __builtin_ctz(lanes);
    int16 on = (int16)lanes << 31 - IOTA < 0; // the lane's bit, moved to the sign
    int16 x = on ? at[0] : (int16)at[0][first], y = on ? at[1] : (int16)at[1][first], z = on ? at[2] : (int16)at[2][first];
    if (zero((y ^ y.s0) | (z ^ z.s0))) {
        global uchar *p = address(image, y.s0, z.s0);
        #pragma unroll
        for (uint l = 0; l < LANES; l++)
            r->v[l] = *(const global ANYWHERE *)(p + x[l] * (long)N);
        return;
    }
    #pragma unroll
    for (uint l = 0; l < LANES; l++)
        r->v[l] = *(const global ANYWHERE *)(address(image, y[l], z[l]) + x[l] * (long)N);
}

// Lanes that are off write nothing.
LOCAL void save_apart(const global Image *image, private const int16 *at, uint lanes, private const RAW *r)
{
    #pragma unroll
    for (uint l = 0; l < LANES; l++)
        if (lanes >> l & 1)
            *(global ANYWHERE *)(address(image, at[1][l], at[2][l]) + at[0][l] * (long)N) = r->v[l];
}
#undef RAW
#undef ANYWHERE
#undef N
#undef E
