// The access functions of images: one to fetch and one to store pixels, for each way in which channels lie in memory. They are
// no part of programs: the compiler makes native code of those that an image needs, and the image's descriptor names them.
//
// A call moves up to 16 pixels, one a work-item: lane l, if bit l of lanes is set, that at coordinates at[0][l], at[1][l],
// at[2][l]. Where lanes are neighbours in memory, as they mostly are, one load or store of a vector moves them all.
//
// A codec turns the memory of 16 pixels into rows of 16 channels and back, as bits of floats or integers. Conversions are
// those of OpenCL C 3.0 section 8.3; packed formats are those of OpenCL API 3.0 section 5.3.1.
#include "image.h"
#include "image_srgb.h"

#define ALL 0xffffu
#define IOTA ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

typedef struct { uchar16 v; } RAW1;
typedef struct { ushort16 v; } RAW2;
typedef struct { uint16 v; } RAW4;
typedef struct { ulong16 v; } RAW8;
typedef struct { uint4 v[LANES]; } RAW16;

LOCAL bool zero(int16 v) { return __builtin_reduce_or(v) == 0; }

// All lanes are on, and their pixels lie one beside the other.
LOCAL bool neighbours(private const int16 *at, uint lanes)
{
    return lanes == ALL && zero((at[1] ^ at[1].s0) | (at[2] ^ at[2].s0) | (at[0] ^ (at[0].s0 + IOTA)));
}

// Where a row starts.
LOCAL global uchar *address(const global Image *image, int y, int z) { return image->data + y * image->pitch[0] + z * image->pitch[1]; }

#define N 1
#define E uchar
#include "image_element.h"
#define N 2
#define E ushort
#include "image_element.h"
#define N 4
#define E uint
#include "image_element.h"
#define N 8
#define E ulong
#include "image_element.h"
#define N 16
#define E uint4
#include "image_element.h"

// Channel k of each pixel, of BITS bits, from the memory of pixels of 1 to 8 bytes.
#define FIELD(raw, k, BITS) \
    (__builtin_convertvector((raw).v >> (k) * (BITS), uint16) & (uint)((1ul << (BITS)) - 1))
#define SIGNED(field, BITS) (AS(int16, (field) << (32 - (BITS))) >> (32 - (BITS)))

// Channels as floats: normalised to [0, 1] or [-1, 1], half.
LOCAL uint16 from_unorm(uint16 v, float scale) { return AS(uint16, __builtin_convertvector(AS(int16, v), float16) * scale); }
LOCAL uint16 from_snorm(int16 v, float scale)
{
    return AS(uint16, __builtin_elementwise_max(__builtin_convertvector(v, float16) * scale, (float16)-1.0f));
}
LOCAL uint16 from_half(uint16 v)
{
    return AS(uint16, __builtin_convertvector(AS(half16, __builtin_convertvector(v, ushort16)), float16));
}

// convert_*_sat_rte(x * scale) to integers from low to high.
LOCAL uint16 to_norm(uint16 bits, float scale, float low, float high)
{
    float16 x = AS(float16, bits) * scale;
    x = x == x ? x : 0;
    x = __builtin_elementwise_rint(__builtin_elementwise_min(__builtin_elementwise_max(x, (float16)low), (float16)high));
    return AS(uint16, __builtin_convertvector(x, int16));
}
LOCAL uint16 to_half(uint16 bits)
{
    return __builtin_convertvector(AS(ushort16, __builtin_convertvector(AS(float16, bits), half16)), uint16);
}
LOCAL uint16 to_signed(uint16 v, int low, int high)
{
    return AS(uint16, __builtin_elementwise_min(__builtin_elementwise_max(AS(int16, v), (int16)low), (int16)high));
}
LOCAL uint16 to_unsigned(uint16 v, uint high) { return __builtin_elementwise_min(v, (uint16)high); }

// Rows that stand for missing channels.
LOCAL void constants(private uint16 *rows)
{
    rows[ROW_ZERO] = 0;
    rows[ROW_ONE_FLOAT] = AS(uint, 1.0f);
    rows[ROW_ONE_INTEGER] = 1;
}

#define FETCH_PARAMETERS const global Image *image, private const int16 *at, private uint16 *rows, uint lanes
#define STORE_PARAMETERS const global Image *image, private const int16 *at, private const uint16 *in, uint lanes

// The functions of a codec for pixels of N bytes, given its decode_name and encode_name. What is not the usual is a function of
// its own, so that the usual needs no stack.
#define FUNCTIONS(name, N) \
    static __attribute__((noinline)) void CAT3(fetch_, name, _apart)(FETCH_PARAMETERS) \
    { \
        CAT(RAW, N) raw; \
        load_apart(image, at, lanes, &raw); \
        CAT(decode_, name)(&raw, rows); \
    } \
    void CAT(aqueduct_fetch_, name)(FETCH_PARAMETERS) \
    { \
        CAT(RAW, N) raw; \
        if (!neighbours(at, lanes)) \
            return CAT3(fetch_, name, _apart)(image, at, rows, lanes); \
        load_direct(image, at, &raw); \
        CAT(decode_, name)(&raw, rows); \
    } \
    static __attribute__((noinline)) void CAT3(store_, name, _apart)(STORE_PARAMETERS) \
    { \
        CAT(RAW, N) raw; \
        CAT(encode_, name)(image, in, &raw); \
        save_apart(image, at, lanes, &raw); \
    } \
    void CAT(aqueduct_store_, name)(STORE_PARAMETERS) \
    { \
        CAT(RAW, N) raw; \
        if (!neighbours(at, lanes)) \
            return CAT3(store_, name, _apart)(image, at, in, lanes); \
        CAT(encode_, name)(image, in, &raw); \
        save_direct(image, at, &raw); \
    }
#define DECODE(name, N) LOCAL void CAT(decode_, name)(private const CAT(RAW, N) *raw, private uint16 *rows)
#define ENCODE(name, N) LOCAL void CAT(encode_, name)(const global Image *image, private const uint16 *in, private CAT(RAW, N) *raw)

// A codec of C channels of BITS bits each in pixels of N bytes. FROM makes a row of a field, TO a field of a row.
#define CODEC(name, N, C, BITS, FROM, TO) \
    DECODE(name, N) \
    { \
        for (uint k = 0; k < C; k++) { \
            uint16 v = FIELD(*raw, k, BITS); \
            rows[k] = FROM; \
        } \
        if (C < 4) \
            constants(rows); \
    } \
    ENCODE(name, N) \
    { \
        raw->v = 0; \
        for (uint k = 0; k < C; k++) { \
            uint16 v = in[image->write[k]]; \
            v = TO; \
            raw->v |= __builtin_convertvector(v & (uint)((1ul << (BITS)) - 1), __typeof__(raw->v)) << (k * (BITS)); \
        } \
    } \
    FUNCTIONS(name, N)
#define CODECS(name, B, BITS, FROM, TO) \
    CODEC(name##x1, B, 1, BITS, FROM, TO) CODEC(name##x2, CAT(DOUBLE, B), 2, BITS, FROM, TO) CODEC(name##x4, CAT(QUADRUPLE, B), 4, BITS, FROM, TO)
#define DOUBLE1 2
#define DOUBLE2 4
#define DOUBLE4 8
#define QUADRUPLE1 4
#define QUADRUPLE2 8

CODECS(unorm8, 1, 8, from_unorm(v, 1 / 255.0f), to_norm(v, 255, 0, 255))
CODECS(snorm8, 1, 8, from_snorm(SIGNED(v, 8), 1 / 127.0f), to_norm(v, 127, -128, 127))
CODECS(unorm16, 2, 16, from_unorm(v, 1 / 65535.0f), to_norm(v, 65535, 0, 65535))
CODECS(snorm16, 2, 16, from_snorm(SIGNED(v, 16), 1 / 32767.0f), to_norm(v, 32767, -32768, 32767))
CODECS(sint8, 1, 8, AS(uint16, SIGNED(v, 8)), to_signed(v, -128, 127))
CODECS(sint16, 2, 16, AS(uint16, SIGNED(v, 16)), to_signed(v, -32768, 32767))
CODECS(uint8, 1, 8, v, to_unsigned(v, 255))
CODECS(uint16, 2, 16, v, to_unsigned(v, 65535))
CODECS(half, 2, 16, from_half(v), to_half(v))
CODEC(word_x1, 4, 1, 32, v, v)
CODEC(word_x2, 8, 2, 32, v, v)

DECODE(word_x4, 16)
{
    #pragma unroll
    for (uint l = 0; l < LANES; l++)
        for (uint k = 0; k < 4; k++)
            rows[k][l] = raw->v[l][k];
}

ENCODE(word_x4, 16)
{
    #pragma unroll
    for (uint l = 0; l < LANES; l++)
        for (uint k = 0; k < 4; k++)
            raw->v[l][k] = in[image->write[k]][l];
}

FUNCTIONS(word_x4, 16)

// Packed formats: normalised channels of some BITS each, the first at bit RED and so on. There may be no alpha (of 0 bits).
LOCAL uint16 unpack(uint16 v, uint at, uint bits) { return from_unorm(v >> at & (1u << bits) - 1, 1.0f / ((1u << bits) - 1)); }
LOCAL uint16 pack(uint16 v, uint at, uint bits)
{
    float most = (1u << bits) - 1;
    return to_norm(v, most, 0, most) << at;
}

#define PACKED(name, N, RED, GREEN, BLUE, BITS, GREEN_BITS, ALPHA_BITS) \
    DECODE(name, N) \
    { \
        uint16 v = __builtin_convertvector(raw->v, uint16); \
        rows[0] = unpack(v, RED, BITS); \
        rows[1] = unpack(v, GREEN, GREEN_BITS); \
        rows[2] = unpack(v, BLUE, BITS); \
        if (ALPHA_BITS) \
            rows[3] = unpack(v, 0, ALPHA_BITS); \
        constants(rows); \
    } \
    ENCODE(name, N) \
    { \
        uint16 v = pack(in[0], RED, BITS) | pack(in[1], GREEN, GREEN_BITS) | pack(in[2], BLUE, BITS); \
        if (ALPHA_BITS) \
            v |= pack(in[3], 0, ALPHA_BITS); \
        raw->v = __builtin_convertvector(v, __typeof__(raw->v)); \
    } \
    FUNCTIONS(name, N)
PACKED(unorm565, 2, 11, 5, 0, 5, 6, 0)
PACKED(unorm555, 2, 10, 5, 0, 5, 5, 0)
PACKED(unorm101010, 4, 20, 10, 0, 10, 10, 0)
PACKED(unorm101010_2, 4, 22, 12, 2, 10, 10, 2)

// sRGB: three channels by tables, rounded exactly, and a linear fourth (OpenCL C 3.0 section 8.3.1.5).
DECODE(srgb8x4, 4)
{
    for (uint k = 0; k < 3; k++) {
        uint16 v = FIELD(*raw, k, 8);
        #pragma unroll
        for (uint l = 0; l < LANES; l++)
            rows[k][l] = AS(uint, linear_of_srgb[v[l]]);
    }
    rows[3] = from_unorm(FIELD(*raw, 3, 8), 1 / 255.0f);
}

// The number of values of linear_of_srgb's midpoints that x is above, found by bisection.
LOCAL uint to_srgb(float x)
{
    uint n = 0;
    #pragma unroll
    for (uint step = 128; step; step /= 2)
        n += x > srgb_limit[n + step - 1] ? step : 0;
    return n;
}

ENCODE(srgb8x4, 4)
{
    raw->v = 0;
    for (uint k = 0; k < 4; k++) {
        uint16 v = in[image->write[k]];
        if (k == 3)
            v = to_norm(v, 255, 0, 255);
        else
            #pragma unroll
            for (uint l = 0; l < LANES; l++)
                v[l] = to_srgb(AS(float, v[l]));
        raw->v |= v << 8 * k;
    }
}

FUNCTIONS(srgb8x4, 4)
