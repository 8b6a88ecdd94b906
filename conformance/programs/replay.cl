kernel void step(global uint *x, uint v) { x[get_global_id(0)] = x[get_global_id(0)] * 5 + v; }
