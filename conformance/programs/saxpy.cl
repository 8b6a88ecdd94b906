kernel void saxpy(global float *y, global const float *x, float a) {
  size_t i = get_global_id(0);
  y[i] = fma(a, x[i], y[i]);
}
kernel void saxpy4(global float4 *y, global const float4 *x, float a) {
  size_t i = get_global_id(0);
  y[i] = fma((float4)a, x[i], y[i]);
}
