// Breadth-first search on a graph of many levels, a grid with a few long edges, driven by the host and by the device.
#include "worklist.h"
SOURCE("bfs.cl")

int main(int argc, char **argv) {
  int side = size(argc, argv, 400, 20), n = side * side, edges = 0;
  int *row = malloc((n + 1) * 4), *edge = malloc(n * 5 * 4), *want = malloc(n * 4), *got = malloc(n * 4), *fresh = malloc(n * 4);
  for (int i = 0; i < n; i++) {
    row[i] = edges;
    if (i % side) edge[edges++] = i - 1;
    if (i % side < side - 1) edge[edges++] = i + 1;
    if (i >= side) edge[edges++] = i - side;
    if (i + side < n) edge[edges++] = i + side;
    if (random32() % 1000 == 0) edge[edges++] = random32() % n;
    fresh[i] = want[i] = i ? -1 : 0;
  }
  row[n] = edges;
  int *queued = calloc(n, 4), first = 0, last = 1;
  for (; first < last; first++)
    for (int i = row[queued[first]]; i < row[queued[first] + 1]; i++)
      if (want[edge[i]] < 0) want[edge[i]] = want[queued[first]] + 1, queued[last++] = edge[i];
  if (!can_enqueue()) return without();
  worklist w = make_worklist(source, 3, 4, n, 0);
  cl_mem mr = buffer((n + 1) * 4, row), me = buffer(edges * 4, edge), ml = buffer(n * 4, NULL);
  argument(&w, 0, sizeof mr, &mr);
  argument(&w, 1, sizeof me, &me);
  argument(&w, 2, sizeof ml, &ml);
  double best[2] = {1e9, 1e9};
  for (int run = 0; run < RUNS; run++) {
    static const int origin = 0;
    CHECK(clEnqueueWriteBuffer(queue, ml, CL_TRUE, 0, n * 4, fresh, 0, NULL, NULL));
    start(&w, &origin, 1);
    best[run & 1] = fmin(best[run & 1], run & 1 ? by_device(&w) : by_host(&w, 1));
    read_back(ml, got, n * 4);
    for (int i = 0; i < n; i++)
      if (got[i] != want[i]) fail("node %d is at distance %d, not %d", i, got[i], want[i]);
  }
  return compared(best[0], best[1]);
}
