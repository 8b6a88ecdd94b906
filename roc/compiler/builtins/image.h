// Images, as kernels and the functions that access their memory see them. The layout of Image is codeobject.ImageDescriptor.
#ifndef IMAGE_H
#define IMAGE_H
#include "builtins.h"

// LANES is how many pixels one call of an access function moves.
#define LANES 16

typedef struct {
    global uchar *data;    // the first pixel
    ulong pitch[2];        // bytes from one second, and one third coordinate to the next
    int size[3];           // of the coordinates; 1 for those that the image does not have. Layers are the last.
    uint border;           // alpha of the border colour, as bits
    ulong fetch, store;    // addresses of access functions
    uint read[4];          // row of a fetched pixel that holds red, green, blue, alpha
    uint write[4];         // component (0 red ... 3 alpha) that is stored as the first, second ... channel
    uint order, type;      // cl_channel_order, cl_channel_type
    ulong pixel;           // bytes of a pixel
} Image;

// Rows of what a fetch gives: the channels in the order of memory, and what stands for those that are not there.
enum { ROW_ZERO = 4, ROW_ONE_FLOAT = 5, ROW_ONE_INTEGER = 6, ROWS = 7 };

#define REF(image) __builtin_astype(image, const global Image *)

// A pixel of the image at coordinates within its size, as bits of four floats or integers. These two stay undefined here:
// the work-group transforms make calls of the image's access functions of them, of many pixels at a time.
uint4 aqueduct_image_fetch(const global Image *image, int x, int y, int z) __attribute__((pure));
void aqueduct_image_store(const global Image *image, int x, int y, int z, uint4 v);

#endif
