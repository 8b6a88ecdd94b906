kernel void block(global uint *data, local uint *l) {
  uint lid = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n;
  l[lid] = data[base + lid];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 2; k <= n; k *= 2)
    for (uint j = k / 2; j > 0; j /= 2) {
      uint other = lid ^ j;
      if (other > lid) {
        bool up = ((base + lid) & k) == 0;
        uint a = l[lid], b = l[other];
        if ((a > b) == up) l[lid] = b, l[other] = a;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  data[base + lid] = l[lid];
}
kernel void stage(global uint *data, uint j, uint k) {
  uint i = get_global_id(0), other = i ^ j;
  if (other <= i) return;
  uint a = data[i], b = data[other];
  if ((a > b) == ((i & k) == 0)) data[i] = b, data[other] = a;
}
