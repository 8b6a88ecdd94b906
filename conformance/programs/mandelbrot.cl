kernel void mandelbrot(global int *out, float left, float top, float scale, int limit) {
  int x = get_global_id(0), y = get_global_id(1);
  float cx = left + x * scale, cy = top + y * scale, zx = 0, zy = 0;
  int i = 0;
  while (i < limit) {
    float xx = zx * zx, yy = zy * zy;
    if (xx + yy > 4.0f) break;
    zy = 2.0f * zx * zy + cy;
    zx = xx - yy + cx;
    i++;
  }
  out[y * get_global_size(0) + x] = i;
}
