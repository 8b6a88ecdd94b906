// Mandelbrot set by Mariani-Silver subdivision: a square whose border takes the same number of iterations everywhere is filled,
// any other is cut in four. A work-group sees to a square, an item: x and y are its corner, z its size in pixels.
#define ITEM uint4
#define SMALL 8
#define LIMIT 256
#define GROUP 64 // mariani.c has it too

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

// draw draws a square, or says that it has to be cut.
bool draw(global uint *image, uint width, ITEM s)
{
  uint first = iterations(s.x, s.y, width), last = s.z - 1, i = get_local_id(0);
  bool other = false;
  for (uint at = i; at < 4 * last; at += GROUP) {
    uint side = at / last, along = at % last;
    uint2 p = side == 0 ? (uint2)(along, 0) : side == 1 ? (uint2)(last, along) : side == 2 ? (uint2)(last - along, last) : (uint2)(0, last - along);
    other |= iterations(s.x + p.x, s.y + p.y, width) != first;
  }
  other = work_group_any(other);
  if (other && s.z > SMALL)
    return true;
  for (uint at = i; at < s.z * s.z; at += GROUP) {
    uint x = s.x + at % s.z, y = s.y + at / s.z;
    image[y * width + x] = other ? iterations(x, y, width) : first;
  }
  return false;
}

ITEM quarter(ITEM s, uint i) { return (ITEM)(s.x + i % 2 * (s.z / 2), s.y + i / 2 * (s.z / 2), s.z / 2, 0); }

kernel void step(global uint *image, uint width, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  ITEM s = lists[(round & 1) * capacity + get_group_id(0)];
  if (!draw(image, width, s) || get_local_id(0))
    return;
  uint at = atomic_add(&counts[~round & 1], 4);
  for (uint i = 0; i < 4; i++)
    lists[(~round & 1) * capacity + at + i] = quarter(s, i);
}

// descend has the quarters of a square drawn, a work-group each, which see to it by themselves that theirs are.
void descend(global uint *image, uint width, ITEM square)
{
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4 * GROUP, GROUP), ^{
    ITEM s = quarter(square, get_group_id(0));
    if (draw(image, width, s) && get_local_id(0) == 0)
      descend(image, width, s);
  });
}

kernel void drive(global uint *image, uint width, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  descend(image, width, (ITEM)(0, 0, width, 0));
}
