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

#define CUT ~0u // in a square's first pixel: it is to be cut

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
  if (other && s.z > SMALL) {
    if (i == 0)
      image[s.y * width + s.x] = CUT;
    return true;
  }
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

// descend has the quarters of n squares in the list drawn, and goes on with those that are to be cut, a few at a time, so that
// neither a core has nothing to do nor a child too little. counts[0] is how much of the list is taken.
#define FEW 16

void descend(global uint *image, uint width, global ITEM *list, global uint *counts, uint at, uint n)
{
  queue_t q = get_default_queue();
  clk_event_t drawn;
  if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4 * n * GROUP, GROUP), 0, 0, &drawn, ^{
        uint i = get_group_id(0);
        draw(image, width, quarter(list[at + i / 4], i % 4));
      }))
    return;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &drawn, 0, ^{
    ITEM cut[4 * FEW];
    uint m = 0;
    for (uint i = 0; i < 4 * n; i++) {
      ITEM s = quarter(list[at + i / 4], i % 4);
      if (image[s.y * width + s.x] == CUT)
        cut[m++] = s;
    }
    uint next = atomic_add(counts, m);
    for (uint i = 0; i < m; i++)
      list[next + i] = cut[i];
    for (uint i = 0; i < m; i += FEW)
      descend(image, width, list, counts, next + i, min(m - i, (uint)FEW));
  });
  release_event(drawn);
}

kernel void drive(global uint *image, uint width, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  uint at = atomic_inc(counts);
  lists[at] = (ITEM)(0, 0, width, 0);
  descend(image, width, lists, counts, at, 1);
}
