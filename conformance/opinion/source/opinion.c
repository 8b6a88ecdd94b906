// Runs one kernel with one launch as a file has it, and writes what is in its buffers afterwards. The file holds texts and blocks, each
// preceded by its size in bytes (64 bits): options, source and name of the kernel, the sizes of the launch (3 global, 3 local, 3 offset, of
// 64 bits), and the arguments, each with a block of its kind (64 bits) before. Local memory has a size and no bytes.
#include "host.h"

enum { VALUE, BUFFER, LOCAL };

// block reads one, with a zero after it; NULL at the end of the file.
static void *block(FILE *f, size_t *size, int bytes) {
  uint64_t n;
  if (fread(&n, 8, 1, f) != 1) return NULL;
  *size = n;
  char *b = calloc(1, n + 1);
  if (bytes && fread(b, 1, n, f) != n) fail("the file is cut off");
  return b;
}

int main(int argc, char **argv) {
  size_t n, sizes[32];
  cl_mem buffers[32] = {0};
  if (argc != 3) fail("usage: opinion IN OUT");
  FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
  if (!in || !out) fail("cannot open the files");
  open_device();
  char *options = block(in, &n, 1), *source = block(in, &n, 1), *name = block(in, &n, 1);
  size_t *launch = block(in, &n, 1);
  cl_kernel k = kernel(build(source, options), name);
  cl_uint args = 0;
  for (uint64_t *kind; (kind = block(in, &n, 1)); args++) {
    void *b = block(in, &sizes[args], *kind != LOCAL);
    if (*kind == BUFFER) buffers[args] = buffer(sizes[args], b);
    CHECK(clSetKernelArg(k, args, *kind == BUFFER ? sizeof(cl_mem) : sizes[args],
                         *kind == BUFFER ? &buffers[args] : *kind == LOCAL ? NULL : b));
  }
  CHECK(clEnqueueNDRangeKernel(queue, k, 3, launch + 6, launch, launch + 3, 0, NULL, NULL));
  CHECK(clFinish(queue));
  for (cl_uint i = 0; i < args; i++) {
    if (!buffers[i]) continue;
    void *b = malloc(sizes[i]);
    read_back(buffers[i], b, sizes[i]);
    fwrite(b, 1, sizes[i], out);
  }
  return fclose(out);
}
