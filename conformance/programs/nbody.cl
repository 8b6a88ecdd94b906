kernel void advance(global const float4 *in, global float4 *out, global float4 *velocity, uint n, float dt, local float4 *tile) {
  uint i = get_global_id(0), lid = get_local_id(0), ls = get_local_size(0);
  float4 p = in[i];
  float3 force = (float3)(0.0f);
  for (uint t = 0; t < n; t += ls) {
    tile[lid] = in[t + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < ls; j++) {
      float3 d = tile[j].xyz - p.xyz;
      float inverse = rsqrt(dot(d, d) + 0.01f);
      force += d * (tile[j].w * inverse * inverse * inverse);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float3 v = velocity[i].xyz + force * dt;
  velocity[i].xyz = v;
  p.xyz += v * dt;
  out[i] = p;
}
