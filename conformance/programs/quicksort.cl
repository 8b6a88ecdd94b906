// Quicksort: an item is a range of the array that is still to be sorted. Long ones are parted, one work-item each; what is left of
// them is sorted at once.
#define ITEM uint2
#define LONG 2048
#define SMALL 16

// part has no element before the result be above any that is not.
uint part(global uint *a, uint first, uint end)
{
  uint p = a[first], q = a[first + (end - first) / 2], s = a[end - 1], pivot = max(min(p, q), min(max(p, q), s));
  uint i = first, j = end - 1;
  for (;;) {
    while (a[i] < pivot)
      i++;
    while (a[j] > pivot)
      j--;
    if (i >= j)
      return j + 1;
    uint t = a[i];
    a[i++] = a[j];
    a[j--] = t;
  }
}

// sort sorts a range on its own. What is put aside is at least as long as what is left, so there are no more than 32 of it.
void sort(global uint *a, uint first, uint end)
{
  uint2 aside[32];
  uint n = 0;
  for (;;) {
    while (end - first > SMALL) {
      uint middle = part(a, first, end);
      if (middle - first < end - middle) {
        aside[n++] = (uint2)(middle, end);
        end = middle;
      } else {
        aside[n++] = (uint2)(first, middle);
        first = middle;
      }
    }
    for (uint i = first + 1; i < end; i++) {
      uint v = a[i], j = i;
      for (; j > first && a[j - 1] > v; j--)
        a[j] = a[j - 1];
      a[j] = v;
    }
    if (!n)
      return;
    first = aside[--n].x;
    end = aside[n].y;
  }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void step(global uint *a, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  ITEM r = lists[(round & 1) * capacity + get_global_id(0)];
  if (r.y - r.x <= LONG) {
    sort(a, r.x, r.y);
    return;
  }
  uint middle = part(a, r.x, r.y), at = atomic_add(&counts[~round & 1], 2);
  global ITEM *next = lists + (~round & 1) * capacity + at;
  next[0] = (ITEM)(r.x, middle);
  next[1] = (ITEM)(middle, r.y);
}

// descend leaves one part to a child and goes on with the other.
void descend(global uint *a, uint first, uint end)
{
  while (end - first > LONG) {
    uint middle = part(a, first, end), start = first;
    if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ descend(a, start, middle); }))
      sort(a, start, middle);
    first = middle;
  }
  sort(a, first, end);
}

kernel void drive(global uint *a, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  descend(a, lists[0].x, lists[0].y);
}
