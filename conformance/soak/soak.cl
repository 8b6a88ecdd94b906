// step writes the tag into the slot of its command if all that is known to be done before it is, else which slot was not.
kernel void step(global volatile uint *slots, uint me, uint tag, uint n, uint8 known) {
  uint k[8];
  vstore8(known, 0, k);
  for (uint i = 0; i < n; i++)
    if (slots[k[i]] != tag) {
      slots[me] = 0xbad00000u | k[i];
      return;
    }
  slots[me] = tag;
}

// trap writes where nothing is.
kernel void trap(ulong address) { *(global volatile uint *)address = 1; }

#ifdef __opencl_c_device_enqueue
// family is step, but a grandchild does it; bad is the address at which it traps instead, or 0.
kernel void family(global volatile uint *slots, uint me, uint tag, uint n, uint8 known, ulong bad) {
  queue_t q = get_default_queue();
  enqueue_kernel(q, me & 1 ? CLK_ENQUEUE_FLAGS_NO_WAIT : CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
    clk_event_t checked;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &checked, ^{
      if (bad)
        *(global volatile uint *)bad = 1;
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &checked, 0, ^{ step(slots, me, tag, n, known); });
    release_event(checked);
  });
}
#endif
