// Reading images (OpenCL C 3.0 sections 6.15.15.2 to 6.15.15.4), by the rules of section 8.2.
//
// What a sampler asks for is decided here: mostly at compile time, when the sampler is a literal, else once for all
// work-items of a vector. What the format asks for is left to the image's access function.
#include "image.h"

typedef uint Sampler; // the CLK_* bits
#define BITS_OF(sampler) ((Sampler)__builtin_astype(sampler, ulong))
#define ADDRESSING(s) ((s) & 14)

#define MIN(a, b) __builtin_elementwise_min(a, b)
#define MAX(a, b) __builtin_elementwise_max(a, b)
#define FLOOR(x) __builtin_elementwise_floor(x)
#define RINT(x) __builtin_elementwise_rint(x)

LOCAL int within(int i, int n) { return MIN(MAX(i, 0), n - 1); }
// The integer of x, which is whole, or the nearest from low to high; low of a NaN.
LOCAL int whole(float x, float low, float high)
{
    x = x > low ? x : low;
    return (int)(x < high ? x : high);
}

// A place in an image: indices of texels, of which the first DIMS may be outside; the next is a layer, never outside.
typedef struct { int x, y, z; } Place;

// The texel at a place, or the border colour.
LOCAL uint4 texel(const global Image *image, Sampler s, int dims, Place p)
{
    Place q = {within(p.x, image->size[0]), dims < 2 ? p.y : within(p.y, image->size[1]), dims < 3 ? p.z : within(p.z, image->size[2])};
    uint4 v = aqueduct_image_fetch(image, q.x, q.y, q.z);
    bool inside = (ADDRESSING(s) != CLK_ADDRESS_CLAMP) | (p.x == q.x) & (p.y == q.y) & (p.z == q.z);
    return inside ? v : (uint4)(0, 0, 0, image->border);
}

// The formulas of section 8.2 for the addressing modes differ in how a coordinate becomes one in texels, and in what an index
// outside becomes; clamping, which all others come down to, is texel's. They are written without branches, as a sampler that is
// an argument has the code of all modes.

// A coordinate along an axis of n in texels.
LOCAL float texels(Sampler s, float u, int n)
{
    int mode = ADDRESSING(s);
    float repeated = u - FLOOR(u), mirrored = ABS(u - 2 * RINT(0.5f * u));
    u = mode == CLK_ADDRESS_REPEAT ? repeated : mode == CLK_ADDRESS_MIRRORED_REPEAT ? mirrored : u;
    return u * (s & CLK_NORMALIZED_COORDS_TRUE ? (float)n : 1.0f);
}

// The index of a texel, or of one beyond an edge, where the image repeats on.
LOCAL int repeated(Sampler s, int i, int n)
{
    int on = i < 0 ? i + n : i > n - 1 ? i - n : i;
    return ADDRESSING(s) == CLK_ADDRESS_REPEAT ? on : i;
}

// CLK_FILTER_NEAREST
LOCAL int nearest(Sampler s, float u, int n) { return repeated(s, whole(FLOOR(texels(s, u, n)), -1, n), n); }

// CLK_FILTER_LINEAR: the two texels that are filtered, and the weight of the second.
typedef struct { int i0, i1; float a; } Pair;

LOCAL Pair linear(Sampler s, float u, int n)
{
    float t = texels(s, u, n) - 0.5f, f = FLOOR(t);
    int i = whole(f, -2, n);
    return (Pair){repeated(s, i, n), repeated(s, i + 1, n), t - f};
}

// mix(a, b, w) with each product rounded, so that weights of 0 and 1 give a and b exactly.
LOCAL float4 weigh(float4 a, float4 b, float w) { return a * (1 - w) + b * w; }

// Samples are taken at float or integer coordinates x, y, z, of which the first dims count, and in a layer.
LOCAL Place place(int dims, int x, int y, int z, int layer)
{
    return (Place){x, dims > 1 ? y : layer, dims > 2 ? z : dims > 1 ? layer : 0};
}

LOCAL uint4 sample_nearest(const global Image *image, Sampler s, int dims, float x, float y, float z, int layer)
{
    int i = nearest(s, x, image->size[0]);
    int j = dims > 1 ? nearest(s, y, image->size[1]) : 0;
    int k = dims > 2 ? nearest(s, z, image->size[2]) : 0;
    return texel(image, s, dims, place(dims, i, j, k, layer));
}

LOCAL float4 sample_linear(const global Image *image, Sampler s, int dims, float x, float y, float z, int layer)
{
    Pair i = linear(s, x, image->size[0]), j = {0}, k = {0};
    if (dims > 1)
        j = linear(s, y, image->size[1]);
    if (dims > 2)
        k = linear(s, z, image->size[2]);
#define AT(X, Y, Z) AS(float4, texel(image, s, dims, place(dims, i.X, j.Y, k.Z, layer)))
    float4 v = weigh(AT(i0, i0, i0), AT(i1, i0, i0), i.a);
    if (dims > 1)
        v = weigh(v, weigh(AT(i0, i1, i0), AT(i1, i1, i0), i.a), j.a);
    if (dims > 2)
        v = weigh(v, weigh(weigh(AT(i0, i0, i1), AT(i1, i0, i1), i.a), weigh(AT(i0, i1, i1), AT(i1, i1, i1), i.a), j.a), k.a);
#undef AT
    return v;
}

// Filtering is for read_imagef alone: "The read_image{i|ui} calls support a nearest filter only."
LOCAL uint4 sample(const global Image *image, Sampler s, bool filter, int dims, float x, float y, float z, int layer)
{
    if (filter && s & CLK_FILTER_LINEAR)
        return AS(uint4, sample_linear(image, s, dims, x, y, z, layer));
    return sample_nearest(image, s, dims, x, y, z, layer);
}

LOCAL uint4 sample(const global Image *image, Sampler s, bool filter, int dims, int x, int y, int z, int layer)
{
    return texel(image, s, dims, place(dims, x, y, z, layer));
}

// "layer = clamp(rint(w), 0, dt - 1)"
LOCAL int layer_of(const global Image *image, int axis, float w) { return whole(RINT(w), 0, image->size[axis] - 1); }
LOCAL int layer_of(const global Image *image, int axis, int w) { return within(w, image->size[axis]); }

// One function of each kind: of what it returns, the bits v of a texel are the value RESULT.
#define RESULT_f AS(float4, v)
#define RESULT_i AS(int4, v)
#define RESULT_ui v
#define RESULT_h __builtin_convertvector(AS(float4, v), half4)
#define RESULT_depth AS(float, v.x)

#define SAMPLED(R, f, kind, filter, T, dims, C, X, Y, Z, LAYER) \
    R OVERLOAD CAT(read_image, f)(read_only T im, sampler_t sampler, C c) \
    { \
        const global Image *image = REF(im); \
        uint4 v = sample(image, BITS_OF(sampler), filter, dims, X, Y, Z, LAYER); \
        return CAT(RESULT_, kind); \
    }
#define UNSAMPLED(R, f, kind, access, T, dims, C, X, Y, Z, LAYER) \
    R OVERLOAD CAT(read_image, f)(access T im, C c) \
    { \
        const global Image *image = REF(im); \
        uint4 v = texel(image, 0, dims, place(dims, X, Y, Z, LAYER)); \
        return CAT(RESULT_, kind); \
    }

#define SAMPLED_ALL(...) \
    SAMPLED(float4, f, f, true, __VA_ARGS__) SAMPLED(half4, h, h, true, __VA_ARGS__) \
    SAMPLED(int4, i, i, false, __VA_ARGS__) SAMPLED(uint4, ui, ui, false, __VA_ARGS__)
#define UNSAMPLED_ALL(...) \
    UNSAMPLED(float4, f, f, __VA_ARGS__) UNSAMPLED(half4, h, h, __VA_ARGS__) \
    UNSAMPLED(int4, i, i, __VA_ARGS__) UNSAMPLED(uint4, ui, ui, __VA_ARGS__)

// Images of type T whose coordinates are scalars or vectors c of suffix V.
#define IMAGES(T, dims, V, X, Y, Z, LAYER) \
    SAMPLED_ALL(T, dims, CAT(float, V), X, Y, Z, LAYER) SAMPLED_ALL(T, dims, CAT(int, V), X, Y, Z, LAYER) \
    UNSAMPLED_ALL(read_only, T, dims, CAT(int, V), X, Y, Z, LAYER) UNSAMPLED_ALL(read_write, T, dims, CAT(int, V), X, Y, Z, LAYER)
#define DEPTH_IMAGES(T, dims, V, X, Y, Z, LAYER) \
    SAMPLED(float, f, depth, true, T, dims, CAT(float, V), X, Y, Z, LAYER) SAMPLED(float, f, depth, true, T, dims, CAT(int, V), X, Y, Z, LAYER) \
    UNSAMPLED(float, f, depth, read_only, T, dims, CAT(int, V), X, Y, Z, LAYER) \
    UNSAMPLED(float, f, depth, read_write, T, dims, CAT(int, V), X, Y, Z, LAYER)

#define NO(c) ((__typeof__(c))0)
IMAGES(image1d_t, 1, , c, NO(c), NO(c), 0)
IMAGES(image1d_array_t, 1, 2, c.x, NO(c.x), NO(c.x), layer_of(image, 1, c.y))
IMAGES(image2d_t, 2, 2, c.x, c.y, NO(c.x), 0)
IMAGES(image2d_array_t, 2, 4, c.x, c.y, NO(c.x), layer_of(image, 2, c.z))
IMAGES(image3d_t, 3, 4, c.x, c.y, c.z, 0)
DEPTH_IMAGES(image2d_depth_t, 2, 2, c.x, c.y, NO(c.x), 0)
DEPTH_IMAGES(image2d_array_depth_t, 2, 4, c.x, c.y, NO(c.x), layer_of(image, 2, c.z))
UNSAMPLED_ALL(read_only, image1d_buffer_t, 1, int, c, 0, 0, 0)
UNSAMPLED_ALL(read_write, image1d_buffer_t, 1, int, c, 0, 0, 0)
