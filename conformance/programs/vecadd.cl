kernel void vecadd(global const int *a, global const int *b, global int *c, uint n) {
  size_t i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
