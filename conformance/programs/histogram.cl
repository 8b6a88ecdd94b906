kernel void local_bins(global const uchar *in, global uint *bins, uint n) {
  local uint mine[256];
  for (uint b = get_local_id(0); b < 256; b += get_local_size(0)) mine[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&mine[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = get_local_id(0); b < 256; b += get_local_size(0)) atomic_add(&bins[b], mine[b]);
}
kernel void global_bins(global const uchar *in, global uint *bins, global uint *largest, uint n) {
  uint i = get_global_id(0);
  if (i >= n) return;
  atomic_inc(&bins[in[i]]);
  atomic_max(largest, in[i]);
}
