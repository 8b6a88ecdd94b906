// What the simulated machine consists of: node 0 the host, node 1 the GPU.
#pragma once
#include <stdint.h>

void simgpu_apertures(uint64_t vram, uint64_t local, uint64_t private);
void simgpu_units(unsigned units, unsigned engines);
