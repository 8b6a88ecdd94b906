// What programs whose commands fail need: a context whose callback keeps what it is told, and how a command has ended.
#ifndef TOLD_H
#define TOLD_H
#include "host.h"
#include <stdatomic.h>
#include <unistd.h>

static char told[4096]; // last
static atomic_int notes; // how often it was told something

static void CL_CALLBACK notified(const char *text, const void *p, size_t n, void *u) {
  (void)p, (void)n, (void)u;
  snprintf(told, sizeof told, "%s", text);
  atomic_fetch_add(&notes, 1);
}

static cl_context telling_context(void) {
  cl_int e;
  cl_context c = clCreateContext(NULL, 1, &device, notified, NULL, &e);
  check(e, "clCreateContext", __LINE__);
  return c;
}

// await_notes waits until there are n, which come on a thread of their own.
static void await_notes(int n) {
  for (int i = 0; atomic_load(&notes) < n && i < 20000; i++) usleep(1000);
  if (atomic_load(&notes) != n) fail("%d notes, not %d, the last one: %s", notes, n, told);
}

static cl_int status(cl_event e) {
  cl_int s = 1;
  CHECK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof s, &s, NULL));
  return s;
}

static void expect_status(cl_event e, cl_int want, const char *what) {
  if (status(e) != want) fail("%s ends with %d, not %d", what, status(e), want);
}
#endif
