// Adaptive quadrature by Simpson's rule: an interval is halved until both halves agree with the whole. The sum is kept in units
// of 2^-48, so that it does not depend on the order.
#define ITEM double2

double f(double x) { return sin(1 / x); }
double simpson(double a, double b) { return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b)); }

kernel void step(global long *sum, double tolerance, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  ITEM r = lists[(round & 1) * capacity + get_global_id(0)];
  double middle = (r.x + r.y) / 2, halves = simpson(r.x, middle) + simpson(middle, r.y);
  if (fabs(halves - simpson(r.x, r.y)) <= tolerance * (r.y - r.x)) {
    atom_add(sum, convert_long_rte(halves * 0x1p48));
    return;
  }
  uint at = atomic_add(&counts[~round & 1], 2);
  global ITEM *next = lists + (~round & 1) * capacity + at;
  next[0] = (ITEM)(r.x, middle);
  next[1] = (ITEM)(middle, r.y);
}

kernel void drive(global long *sum, double tolerance, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  uint n = counts[round & 1];
  clk_event_t done;
  if (!n)
    return;
  counts[~round & 1] = 0;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), 0, 0, &done,
                 ^{ step(sum, tolerance, lists, capacity, counts, round); });
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done, 0,
                 ^{ drive(sum, tolerance, lists, capacity, counts, round + 1); });
  release_event(done);
}
