// Quicksort: an item is a range of the array that is still to be sorted.
#define ITEM uint2
#define SMALL 32

kernel void step(global uint *a, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  ITEM r = lists[(round & 1) * capacity + get_global_id(0)];
  if (r.y - r.x <= SMALL) {
    for (uint i = r.x + 1; i < r.y; i++) {
      uint v = a[i], j = i;
      for (; j > r.x && a[j - 1] > v; j--)
        a[j] = a[j - 1];
      a[j] = v;
    }
    return;
  }
  uint p = a[r.x], q = a[(r.x + r.y) / 2], s = a[r.y - 1], pivot = max(min(p, q), min(max(p, q), s));
  uint i = r.x, j = r.y - 1;
  for (;;) {
    while (a[i] < pivot)
      i++;
    while (a[j] > pivot)
      j--;
    if (i >= j)
      break;
    uint t = a[i];
    a[i++] = a[j];
    a[j--] = t;
  }
  uint at = atomic_add(&counts[~round & 1], 2);
  global ITEM *next = lists + (~round & 1) * capacity + at;
  next[0] = (ITEM)(r.x, j + 1);
  next[1] = (ITEM)(j + 1, r.y);
}

kernel void drive(global uint *a, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  uint n = counts[round & 1];
  clk_event_t done;
  if (!n)
    return;
  counts[~round & 1] = 0;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), 0, 0, &done,
                 ^{ step(a, lists, capacity, counts, round); });
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done, 0,
                 ^{ drive(a, lists, capacity, counts, round + 1); });
  release_event(done);
}
