// Breadth-first search: the list is the frontier, level the distance of each node from the first, -1 while unknown.
#define ITEM int

kernel void step(global const int *row, global const int *edge, global int *level, global ITEM *lists, uint capacity,
                 global uint *counts, uint round)
{
  int node = lists[(round & 1) * capacity + get_global_id(0)];
  for (int i = row[node]; i < row[node + 1]; i++)
    if (level[edge[i]] < 0 && atomic_cmpxchg(&level[edge[i]], -1, (int)round + 1) == -1)
      lists[(~round & 1) * capacity + atomic_inc(&counts[~round & 1])] = edge[i];
}

kernel void drive(global const int *row, global const int *edge, global int *level, global ITEM *lists, uint capacity, global uint *counts, uint round)
{
  uint n = counts[round & 1];
  clk_event_t done;
  if (!n)
    return;
  counts[~round & 1] = 0;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), 0, 0, &done,
                 ^{ step(row, edge, level, lists, capacity, counts, round); });
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done, 0,
                 ^{ drive(row, edge, level, lists, capacity, counts, round + 1); });
  release_event(done);
}
