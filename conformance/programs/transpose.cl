#define T 16
kernel void transpose(global const float *in, global float *out, uint w, uint h) {
  local float tile[T][T + 1];
  uint x = get_group_id(0) * T + get_local_id(0), y = get_group_id(1) * T + get_local_id(1);
  if (x < w && y < h) tile[get_local_id(1)][get_local_id(0)] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * T + get_local_id(0);
  y = get_group_id(0) * T + get_local_id(1);
  if (x < h && y < w) out[y * h + x] = tile[get_local_id(0)][get_local_id(1)];
}
