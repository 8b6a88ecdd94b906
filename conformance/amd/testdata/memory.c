// Random transfers between buffers in all kinds of memory and the host, against a model: copies and fills of all alignments and
// across the pieces that one work-group moves, rectangles, maps.
#include "host.h"

enum { SIZE = 200 * 1024, BUFFERS = 4 };

static unsigned char model[BUFFERS][SIZE], scratch[SIZE] __attribute__((aligned(4096))), own[SIZE] __attribute__((aligned(4096)));
static uint64_t state = 88172645463325252ull;

static size_t draw(size_t n) { // less than n
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state % n;
}

static void randomise(unsigned char *p, size_t n) {
  for (size_t i = 0; i < n; i++) p[i] = draw(256);
}

// range picks a part of a buffer, of a size and an alignment that differ from time to time.
static void range(size_t *offset, size_t *size) {
  size_t most = draw(3) ? 300 : SIZE, align = (size_t)1 << draw(6);
  *size = 1 + draw(most);
  *offset = draw(SIZE - *size + 1) / align * align;
}

int main(int argc, char **argv) {
  int steps = argc > 1 && !strcmp(argv[1], "small") ? 60 : 400;
  cl_int e;
  cl_mem buffers[BUFFERS];
  open_device();
  for (int i = 0; i < BUFFERS; i++) randomise(model[i], SIZE);
  memcpy(own, model[2], SIZE);
  buffers[0] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, SIZE, model[0], &e);
  check(e, "COPY_HOST_PTR", __LINE__);
  buffers[1] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, SIZE, model[1], &e);
  check(e, "ALLOC_HOST_PTR", __LINE__);
  buffers[2] = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, SIZE, own, &e);
  check(e, "USE_HOST_PTR", __LINE__);
  buffers[3] = clCreateBuffer(context, 0, SIZE, NULL, &e);
  check(e, "buffer", __LINE__);
  CHECK(clEnqueueWriteBuffer(queue, buffers[3], CL_TRUE, 0, SIZE, model[3], 0, NULL, NULL));
  for (int step = 0; step < steps; step++) {
    int b = draw(BUFFERS), other = (b + 1 + draw(BUFFERS - 1)) % BUFFERS;
    size_t at, n, to;
    range(&at, &n);
    switch (draw(7)) {
    case 0: { // write from any address
      size_t shift = draw(SIZE - n + 1);
      randomise(scratch + shift, n);
      memcpy(model[b] + at, scratch + shift, n);
      CHECK(clEnqueueWriteBuffer(queue, buffers[b], CL_TRUE, at, n, scratch + shift, 0, NULL, NULL));
      break;
    }
    case 1: { // read to any address
      size_t shift = draw(SIZE - n + 1);
      CHECK(clEnqueueReadBuffer(queue, buffers[b], CL_TRUE, at, n, scratch + shift, 0, NULL, NULL));
      if (memcmp(scratch + shift, model[b] + at, n)) fail("step %d: read %zu bytes at %zu of buffer %d", step, n, at, b);
      break;
    }
    case 2:
      to = draw(SIZE - n + 1);
      memcpy(model[other] + to, model[b] + at, n);
      CHECK(clEnqueueCopyBuffer(queue, buffers[b], buffers[other], at, to, n, 0, NULL, NULL));
      break;
    case 3: { // fill with every length of pattern
      size_t length = (size_t)1 << draw(8);
      unsigned char pattern[128];
      randomise(pattern, length);
      at = at / length * length, n = n / length * length;
      if (at + n > SIZE) break;
      for (size_t i = 0; i < n; i++) model[b][at + i] = pattern[i % length];
      CHECK(clEnqueueFillBuffer(queue, buffers[b], pattern, length, at, n, 0, NULL, NULL));
      break;
    }
    case 4: { // a rectangle between buffers, the pitches unlike
      size_t align = (size_t)1 << draw(5);
      size_t region[3] = {(1 + draw(40)) * align, 1 + draw(6), 1 + draw(4)};
      size_t from_row = region[0] + draw(5) * align, to_row = region[0] + draw(5) * align;
      size_t from_slice = from_row * (region[1] + draw(3)), to_slice = to_row * (region[1] + draw(3));
      size_t from[3] = {0, 0, draw(2)}, dest[3] = {0, 0, draw(2)};
      for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
          memcpy(model[other] + (z + dest[2]) * to_slice + y * to_row, model[b] + (z + from[2]) * from_slice + y * from_row, region[0]);
      CHECK(clEnqueueCopyBufferRect(queue, buffers[b], buffers[other], from, dest, region, from_row, from_slice, to_row, to_slice, 0, NULL, NULL));
      break;
    }
    case 5: { // map to read and write
      unsigned char *p = clEnqueueMapBuffer(queue, buffers[b], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, at, n, 0, NULL, NULL, &e);
      check(e, "map", __LINE__);
      if (b == 2 && p != own + at) fail("step %d: memory of the application's is mapped elsewhere", step);
      if (memcmp(p, model[b] + at, n)) fail("step %d: map %zu bytes at %zu of buffer %d", step, n, at, b);
      randomise(p, n);
      memcpy(model[b] + at, p, n);
      CHECK(clEnqueueUnmapMemObject(queue, buffers[b], p, 0, NULL, NULL));
      break;
    }
    default: { // map to write all, while another part is mapped to read
      unsigned char *all = clEnqueueMapBuffer(queue, buffers[other], CL_FALSE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL, &e);
      check(e, "map", __LINE__);
      unsigned char *p = clEnqueueMapBuffer(queue, buffers[b], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, at, n, 0, NULL, NULL, &e);
      check(e, "map", __LINE__);
      if (memcmp(all, model[other], SIZE)) fail("step %d: map all of buffer %d", step, other);
      randomise(p, n);
      memcpy(model[b] + at, p, n);
      CHECK(clEnqueueUnmapMemObject(queue, buffers[b], p, 0, NULL, NULL));
      CHECK(clEnqueueUnmapMemObject(queue, buffers[other], all, 0, NULL, NULL));
    }
    }
  }
  for (int b = 0; b < BUFFERS; b++) {
    CHECK(clEnqueueReadBuffer(queue, buffers[b], CL_TRUE, 0, SIZE, scratch, 0, NULL, NULL));
    if (memcmp(scratch, model[b], SIZE)) fail("buffer %d at the end", b);
    CHECK(clReleaseMemObject(buffers[b]));
  }
  printf("ok\n");
  return 0;
}
