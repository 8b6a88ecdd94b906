// Exclusive prefix sums of blocks of twice the local size (Blelloch's tree), and of the blocks' sums.
kernel void scan(global const uint *in, global uint *out, global uint *sums, local uint *l) {
  uint lid = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n, offset = 1;
  l[2 * lid] = in[base + 2 * lid];
  l[2 * lid + 1] = in[base + 2 * lid + 1];
  for (uint d = n / 2; d > 0; d /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < d) l[offset * (2 * lid + 2) - 1] += l[offset * (2 * lid + 1) - 1];
    offset *= 2;
  }
  if (lid == 0) {
    sums[get_group_id(0)] = l[n - 1];
    l[n - 1] = 0;
  }
  for (uint d = 1; d < n; d *= 2) {
    offset /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < d) {
      uint a = offset * (2 * lid + 1) - 1, b = offset * (2 * lid + 2) - 1, t = l[a];
      l[a] = l[b];
      l[b] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + 2 * lid] = l[2 * lid];
  out[base + 2 * lid + 1] = l[2 * lid + 1];
}
kernel void add(global uint *out, global const uint *sums) {
  out[get_global_id(0)] += sums[get_group_id(0)];
}
