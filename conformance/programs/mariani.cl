// Mandelbrot set by Mariani-Silver subdivision: a square whose border takes the same number of iterations everywhere is filled,
// any other is cut in four. x and y are its corner, z its size in pixels.
#define ITEM uint4
#define SMALL 8
#define LIMIT 256

uint iterations(uint x, uint y, uint width)
{
  float cr = x * 3.0f / width - 2.25f, ci = y * 3.0f / width - 1.5f, zr = 0, zi = 0;
  uint n = 0;
  for (; n < LIMIT && zr * zr + zi * zi < 4; n++) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
  }
  return n;
}

kernel void step(global uint *image, uint width, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  ITEM s = lists[(round & 1) * capacity + get_global_id(0)];
  uint first = iterations(s.x, s.y, width), same = 1;
  for (uint i = 0; same && i < s.z; i++)
    same = iterations(s.x + i, s.y, width) == first && iterations(s.x + i, s.y + s.z - 1, width) == first &&
           iterations(s.x, s.y + i, width) == first && iterations(s.x + s.z - 1, s.y + i, width) == first;
  if (same || s.z <= SMALL) {
    for (uint y = s.y; y < s.y + s.z; y++)
      for (uint x = s.x; x < s.x + s.z; x++)
        image[y * width + x] = same ? first : iterations(x, y, width);
    return;
  }
  uint half_size = s.z / 2, at = atomic_add(&counts[~round & 1], 4);
  for (uint i = 0; i < 4; i++)
    lists[(~round & 1) * capacity + at + i] = (ITEM)(s.x + i % 2 * half_size, s.y + i / 2 * half_size, half_size, 0);
}

kernel void drive(global uint *image, uint width, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  uint n = counts[round & 1];
  clk_event_t done;
  if (!n)
    return;
  counts[~round & 1] = 0;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), 0, 0, &done,
                 ^{ step(image, width, lists, capacity, counts, round); });
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done, 0,
                 ^{ drive(image, width, lists, capacity, counts, round + 1); });
  release_event(done);
}
