// A command or user event of a round of soak.c: what must be true of it, and what was seen.
#ifndef NODE_H
#define NODE_H
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "host.h"
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#define KNOWN 8
#define DEPENDENCY CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
#define TRAP 1 // outcome of a command that fails in whatever way the driver says

// where names what a thread is doing, for the report of a failure.
static __thread struct { unsigned seed; int epoch, round, node; } where;

#define NEED(condition, ...)                                                                                       \
  do {                                                                                                             \
    if (!(condition)) {                                                                                            \
      printf("seed %u, epoch %d, round %d, node %d: ", where.seed, where.epoch, where.round, where.node);          \
      printf(__VA_ARGS__), printf("\n");                                                                           \
      fail("line %d: " #condition, __LINE__);                                                                      \
    }                                                                                                              \
  } while (0)

static unsigned below(unsigned *seed, unsigned n) { return (unsigned)rand_r(seed) % n; }

// tally is what a callback saw.
struct tally {
  cl_int type, got;
  int asked, calls;
};

struct node {
  cl_event event;
  cl_int outcome;    // CL_COMPLETE, an error, or TRAP
  int gate, set;     // it is a user event; it has been set, or will be by a callback
  int next;          // gate that the callback of this one sets, 0 for none
  int writes, reads; // its slot, its word of host memory, holds the tag when it has ended
  int profiled;
  cl_uint known[KNOWN], knows; // slots that hold the tag when it begins, and with its own when it has ended
  struct tally tallies[3];
  struct node *nodes; // of its round, for callbacks
};

static int fails(const struct node *n) { return n->outcome != CL_COMPLETE; }

// as reports whether a status is the outcome of n.
static int as(const struct node *n, cl_int status) { return n->outcome == TRAP ? status < 0 && status != DEPENDENCY : status == n->outcome; }

static void learn(struct node *n, const struct node *from) {
  for (cl_uint i = 0; i < from->knows && n->knows < KNOWN; i++) n->known[n->knows++] = from->known[i];
}

static void CL_CALLBACK saw(cl_event event, cl_int status, void *data) {
  struct tally *t = data;
  (void)event;
  t->got = status;
  __atomic_add_fetch(&t->calls, 1, __ATOMIC_SEQ_CST);
}

static void ask(struct node *n, int k, cl_int type) {
  n->tallies[k].type = type, n->tallies[k].asked = 1;
  CHECK(clSetEventCallback(n->event, type, saw, &n->tallies[k]));
}

static void CL_CALLBACK pass_on(cl_event event, cl_int status, void *data) {
  struct node *n = data, *next = &n->nodes[n->next];
  cl_event gate = next->event; // once it is set, the round may end and its nodes be gone
  (void)event, (void)status;
  CHECK(clSetUserEventStatus(gate, next->outcome));
  CHECK(clReleaseEvent(gate));
}

// check_node checks a node that has ended.
static void check_node(struct node *n) {
  cl_int status;
  CHECK(clGetEventInfo(n->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  NEED(as(n, status), "status is %d, not %d", status, n->outcome);
  if (n->profiled && !fails(n)) {
    cl_ulong last = 0, t;
    for (cl_profiling_info p = CL_PROFILING_COMMAND_QUEUED; p <= CL_PROFILING_COMMAND_END + 1; p++) {
      CHECK(clGetEventProfilingInfo(n->event, p, sizeof t, &t, NULL));
      NEED(t >= last && t > 0, "time %#x is %lu after %lu", p, t, last);
      last = t;
    }
  }
  // Callbacks come from a thread of the driver's, a little later.
  for (int k = 0; k < 3; k++) {
    struct tally *t = &n->tallies[k];
    for (int i = 0; t->asked && i < 30000 && !__atomic_load_n(&t->calls, __ATOMIC_SEQ_CST); i++) usleep(1000);
    NEED(t->calls == t->asked, "callback for status %d came %d times", t->type, t->calls);
    if (t->asked) NEED(t->type == CL_COMPLETE ? as(n, t->got) : t->got <= t->type, "callback for status %d got %d", t->type, t->got);
  }
}

#endif
