// What a kernel may ask of an image (OpenCL C 3.0 section 6.15.15.6), and literal samplers.
#include "image.h"

// Clang makes a sampler of a literal's bits with this; the driver passes samplers the same way.
constant void *__translate_sampler_initializer(int bits) { return (constant void *)(ulong)bits; }

#define QUERY(R, name, T, value) \
    R OVERLOAD name(read_only T im) { return (R)(REF(im)->value); } \
    R OVERLOAD name(write_only T im) { return (R)(REF(im)->value); } \
    R OVERLOAD name(read_write T im) { return (R)(REF(im)->value); }
#define FORMAT(T) \
    QUERY(int, get_image_width, T, size[0]) QUERY(int, get_image_channel_data_type, T, type) QUERY(int, get_image_channel_order, T, order)
#define SIZE2(T) \
    FORMAT(T) QUERY(int, get_image_height, T, size[1]) \
    int2 OVERLOAD get_image_dim(read_only T im) { return (int2)(REF(im)->size[0], REF(im)->size[1]); } \
    int2 OVERLOAD get_image_dim(write_only T im) { return (int2)(REF(im)->size[0], REF(im)->size[1]); } \
    int2 OVERLOAD get_image_dim(read_write T im) { return (int2)(REF(im)->size[0], REF(im)->size[1]); }
#define SIZE3(access) \
    int4 OVERLOAD get_image_dim(access image3d_t im) { return (int4)(REF(im)->size[0], REF(im)->size[1], REF(im)->size[2], 0); }

FORMAT(image1d_t)
FORMAT(image1d_buffer_t)
FORMAT(image1d_array_t)
QUERY(size_t, get_image_array_size, image1d_array_t, size[1])
SIZE2(image2d_t)
SIZE2(image2d_depth_t)
SIZE2(image2d_array_t)
QUERY(size_t, get_image_array_size, image2d_array_t, size[2])
SIZE2(image2d_array_depth_t)
QUERY(size_t, get_image_array_size, image2d_array_depth_t, size[2])
FORMAT(image3d_t)
QUERY(int, get_image_height, image3d_t, size[1])
QUERY(int, get_image_depth, image3d_t, size[2])
SIZE3(read_only)
SIZE3(write_only)
SIZE3(read_write)
