// Writing images (OpenCL C 3.0 section 6.15.15.5). Coordinates outside the image write nothing.
#include "image.h"

LOCAL void write(const global Image *image, int x, int y, int z, uint4 v)
{
    // As unsigned numbers, negative coordinates are too large.
    if ((uint)x < (uint)image->size[0] & (uint)y < (uint)image->size[1] & (uint)z < (uint)image->size[2])
        aqueduct_image_store(image, x, y, z, v);
}

#define WRITE(f, V, BITS, access, T, C, X, Y, Z) \
    void OVERLOAD CAT(write_image, f)(access T im, C c, V v) { write(REF(im), X, Y, Z, BITS); }
#define IMAGES(...) IMAGES_OF(write_only, __VA_ARGS__) IMAGES_OF(read_write, __VA_ARGS__)
#define IMAGES_OF(access, ...) \
    WRITE(f, float4, AS(uint4, v), access, __VA_ARGS__) WRITE(i, int4, AS(uint4, v), access, __VA_ARGS__) \
    WRITE(ui, uint4, v, access, __VA_ARGS__) WRITE(h, half4, AS(uint4, __builtin_convertvector(v, float4)), access, __VA_ARGS__)
#define DEPTH_IMAGES(...) \
    WRITE(f, float, (uint4)(AS(uint, v), 0, 0, 0), write_only, __VA_ARGS__) \
    WRITE(f, float, (uint4)(AS(uint, v), 0, 0, 0), read_write, __VA_ARGS__)

IMAGES(image1d_t, int, c, 0, 0)
IMAGES(image1d_buffer_t, int, c, 0, 0)
IMAGES(image1d_array_t, int2, c.x, c.y, 0)
IMAGES(image2d_t, int2, c.x, c.y, 0)
IMAGES(image2d_array_t, int4, c.x, c.y, c.z)
IMAGES(image3d_t, int4, c.x, c.y, c.z)
DEPTH_IMAGES(image2d_depth_t, int2, c.x, c.y, 0)
DEPTH_IMAGES(image2d_array_depth_t, int4, c.x, c.y, c.z)
