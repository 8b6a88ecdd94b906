// cl_intel_subgroups: a sub-group reads or writes a block of memory, or of an image's rows. Each work-item moves its own part, so
// they need not meet.
#include "image.h"
#include "sub_group.h"

// Value k of a work-item lies SIZE values behind value k - 1.
#define BUFFER(N, V, read, write) \
    V OVERLOAD read(const global uint *p) \
    { \
        union { V v; uint e[N]; } r; \
        p += get_sub_group_local_id(); \
        for (uint k = 0; k < N; k++) \
            r.e[k] = p[k * SIZE]; \
        return r.v; \
    } \
    void OVERLOAD write(global uint *p, V data) \
    { \
        union { V v; uint e[N]; } r = {data}; \
        p += get_sub_group_local_id(); \
        for (uint k = 0; k < N; k++) \
            p[k * SIZE] = r.e[k]; \
    }

typedef uint __attribute__((aligned(1))) unaligned_uint;

#define ROW(image) ((int)(image->size[0] * image->pixel)) // bytes

// Reads beyond the edge give what lies at it, writes do nothing. The bounds are those of the bytes: the extension lets them be of
// as many uints as the image has pixels, which is beyond it where a pixel is less.
LOCAL uint block_read(const global Image *image, int x, int y)
{
    x = MAX(MIN(x, ROW(image) - 4), 0);
    y = MAX(MIN(y, image->size[1] - 1), 0);
    return *(const global unaligned_uint *)(image->data + y * image->pitch[0] + x);
}

LOCAL void block_write(const global Image *image, int x, int y, uint v)
{
    if (x >= 0 && x + 4 <= ROW(image) && y >= 0 && y < image->size[1])
        *(global unaligned_uint *)(image->data + y * image->pitch[0] + x) = v;
}

// Value k of a work-item is of the k-th row.
#define READ_IMAGE(access, N, V, read) \
    V OVERLOAD read(access image2d_t image, int2 byte_coord) \
    { \
        union { V v; uint e[N]; } r; \
        for (uint k = 0; k < N; k++) \
            r.e[k] = block_read(REF(image), byte_coord.x + 4 * (int)get_sub_group_local_id(), byte_coord.y + (int)k); \
        return r.v; \
    }
#define WRITE_IMAGE(access, N, V, write) \
    void OVERLOAD write(access image2d_t image, int2 byte_coord, V data) \
    { \
        union { V v; uint e[N]; } r = {data}; \
        for (uint k = 0; k < N; k++) \
            block_write(REF(image), byte_coord.x + 4 * (int)get_sub_group_local_id(), byte_coord.y + (int)k, r.e[k]); \
    }
#define BLOCK(N, V, read, write) \
    BUFFER(N, V, read, write) \
    READ_IMAGE(read_only, N, V, read) READ_IMAGE(read_write, N, V, read) \
    WRITE_IMAGE(write_only, N, V, write) WRITE_IMAGE(read_write, N, V, write)

BLOCK(1, uint, intel_sub_group_block_read, intel_sub_group_block_write)
BLOCK(2, uint2, intel_sub_group_block_read2, intel_sub_group_block_write2)
BLOCK(4, uint4, intel_sub_group_block_read4, intel_sub_group_block_write4)
BLOCK(8, uint8, intel_sub_group_block_read8, intel_sub_group_block_write8)
