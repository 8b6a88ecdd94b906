// Random programs of commands, for as many seconds as the first argument says, from the seed the second one is: threads with queues
// of their own and common ones, wait lists within and across queues and threads, user events that succeed and fail, chains of
// callbacks, kernels that enqueue kernels, traps, and releases of everything as early as the specification allows. Each command knows what must be true when it
// begins and when it has ended. After each epoch its context must go, which it does only if nothing in it is left, and memory,
// threads and files must not have grown.
#include "node.h"
SOURCE("soak.cl")

#define THREADS 6
#define NODES 60  // of a round
#define ROUNDS 20 // of a thread in an epoch
#define SHARED 64 // events that threads give one another
enum { IN_ORDER, OUT_OF_ORDER, COMMON, QUEUES = COMMON + 2 };

static cl_program program;
static cl_command_queue common[2];
static int enqueues; // kernels of the device can enqueue kernels
static pthread_barrier_t line;
static double end_ms;
static int over; // guarded by line
static unsigned first_seed = 1;
static unsigned long rounds, commands, failed, made, destroyed; // atomics

// What threads give one another. Guarded by lock.
static struct node shared[SHARED];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct round {
  cl_uint tag, host[NODES], seen[NODES];
  cl_mem slots;
  cl_command_queue queues[QUEUES];
  int profiled[QUEUES];
  struct node nodes[NODES];
  struct node *last; // enqueued in the in-order queue
};

static void CL_CALLBACK count(void *data) { __atomic_add_fetch((unsigned long *)data, 1, __ATOMIC_SEQ_CST); }
static void CL_CALLBACK mem_gone(cl_mem m, void *data) { (void)m, count(data); }
static void CL_CALLBACK context_gone(cl_context c, void *data) { (void)c, count(data); }

static cl_command_queue new_queue(cl_command_queue_properties bits) {
  cl_int e;
  cl_command_queue q = clCreateCommandQueue(context, device, bits, &e);
  check(e, "clCreateCommandQueue", __LINE__);
  return q;
}

// depend puts a node before n: into its wait list, and what is known of it into what is known of n.
static void depend(struct node *n, const struct node *d, cl_event *list, cl_uint *length) {
  list[(*length)++] = d->event;
  if (fails(d)) n->outcome = DEPENDENCY;
  learn(n, d);
}

static void step(struct round *r, int i, cl_command_queue q, cl_uint length, cl_event *list) {
  struct node *n = &r->nodes[i];
  cl_uint me = i, known[KNOWN] = {0};
  size_t one = 1;
  memcpy(known, n->known, n->knows * sizeof known[0]);
  cl_kernel k = kernel(program, "step");
  ARG(k, 0, r->slots);
  ARG(k, 1, me);
  ARG(k, 2, r->tag);
  ARG(k, 3, n->knows);
  ARG(k, 4, known);
  CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, length, list, &n->event));
  CHECK(clReleaseKernel(k));
}

// family has the descendants of a kernel do what step does, or trap.
static void family(struct round *r, int i, cl_command_queue q, cl_uint length, cl_event *list, int traps) {
  struct node *n = &r->nodes[i];
  cl_uint me = i, known[KNOWN] = {0};
  cl_ulong bad = traps ? 64 : 0;
  size_t one = 1;
  memcpy(known, n->known, n->knows * sizeof known[0]);
  cl_kernel k = kernel(program, "family");
  ARG(k, 0, r->slots);
  ARG(k, 1, me);
  ARG(k, 2, r->tag);
  ARG(k, 3, n->knows);
  ARG(k, 4, known);
  ARG(k, 5, bad);
  CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, length, list, &n->event));
  CHECK(clReleaseKernel(k));
  if (traps && !fails(n)) n->outcome = TRAP;
}

static void trap(struct node *n, cl_command_queue q, cl_uint length, cl_event *list) {
  cl_ulong nowhere = 64;
  size_t one = 1;
  cl_kernel k = kernel(program, "trap");
  ARG(k, 0, nowhere);
  CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, length, list, &n->event));
  CHECK(clReleaseKernel(k));
  if (!fails(n)) n->outcome = TRAP;
}

// enqueue_one makes node i a command of some kind in some queue.
static void enqueue_one(struct round *r, int i, unsigned *seed) {
  struct node *n = &r->nodes[i], foreign = {0};
  cl_event events[8], *list = NULL;
  cl_uint length = 0;
  int which = below(seed, QUEUES);
  cl_command_queue q = r->queues[which];
  n->profiled = r->profiled[which];
  for (int k = below(seed, 5); k > 0 && i > 0; k--) depend(n, &r->nodes[below(seed, i)], events, &length);
  if (below(seed, 4) == 0) {
    pthread_mutex_lock(&lock);
    foreign = shared[below(seed, SHARED)];
    if (foreign.event) CHECK(clRetainEvent(foreign.event));
    pthread_mutex_unlock(&lock);
    if (foreign.event) depend(n, &foreign, events, &length);
  }
  if (length) list = events;
  if (which == IN_ORDER && r->last) learn(n, r->last);
  size_t at = i * sizeof(cl_uint), word = sizeof(cl_uint);
  cl_uint source = n->knows ? n->known[below(seed, n->knows)] : 0;
  switch (below(seed, 10)) {
  case 0:
    CHECK(clEnqueueFillBuffer(q, r->slots, &r->tag, word, at, word, length, list, &n->event));
    n->writes = 1;
    break;
  case 1:
    CHECK(clEnqueueWriteBuffer(q, r->slots, CL_FALSE, at, word, &r->tag, length, list, &n->event));
    n->writes = 1;
    break;
  case 2:
  case 3:
    if (!n->knows) { // there is nothing to copy
      CHECK(clEnqueueMarkerWithWaitList(q, length, list, &n->event));
    } else if (below(seed, 2)) {
      CHECK(clEnqueueCopyBuffer(q, r->slots, r->slots, source * word, at, word, length, list, &n->event));
      n->writes = 1;
    } else {
      CHECK(clEnqueueReadBuffer(q, r->slots, CL_FALSE, source * word, word, &r->host[i], length, list, &n->event));
      n->reads = 1;
    }
    break;
  case 4:
    CHECK(clEnqueueBarrierWithWaitList(q, length, list, &n->event));
    break;
  case 5:
    if (below(seed, 6) == 0) {
      if (enqueues && below(seed, 2)) family(r, i, q, length, list, 1);
      else trap(n, q, length, list);
      break;
    } // fall through
  case 6:
    if (enqueues) {
      family(r, i, q, length, list, 0);
      n->writes = 1;
      break;
    } // fall through
  default:
    step(r, i, q, length, list);
    n->writes = 1;
  }
  if (foreign.event) CHECK(clReleaseEvent(foreign.event));
  if (fails(n)) n->writes = n->reads = n->knows = 0;
  if (n->writes) n->known[n->knows < KNOWN ? n->knows++ : below(seed, KNOWN)] = i;
  // The command behind a failed one in an in-order queue runs, but knows nothing by it.
  if (which == IN_ORDER) r->last = n;
  if (below(seed, 8) == 0) CHECK(clFlush(q));
  __atomic_add_fetch(&commands, 1, __ATOMIC_RELAXED);
  if (fails(n)) __atomic_add_fetch(&failed, 1, __ATOMIC_RELAXED);
}

// give puts the event of n where other threads find it. They know no slots by it: these are not theirs.
static void give(const struct node *n, unsigned *seed) {
  struct node *s = &shared[below(seed, SHARED)];
  CHECK(clRetainEvent(n->event));
  pthread_mutex_lock(&lock);
  cl_event old = s->event;
  s->event = n->event, s->outcome = n->outcome;
  pthread_mutex_unlock(&lock);
  if (old) CHECK(clReleaseEvent(old));
}

// open_gate makes node i a user event. Half of them are set by the callback of an earlier one that is not set yet.
static void open_gate(struct round *r, int i, unsigned *seed) {
  struct node *n = &r->nodes[i];
  cl_int e;
  n->gate = 1, n->outcome = below(seed, 5) ? CL_COMPLETE : -1000 - i;
  n->event = clCreateUserEvent(context, &e);
  check(e, "clCreateUserEvent", __LINE__);
  for (int k = 0; k < i && below(seed, 2); k++) {
    struct node *before = &r->nodes[k];
    if (!before->gate || before->set || before->next) continue;
    before->next = i, n->set = 1;
    CHECK(clRetainEvent(n->event)); // it is set after our release of it, maybe
    CHECK(clSetEventCallback(before->event, CL_COMPLETE, pass_on, before));
    break;
  }
}

static void set_gates(struct round *r, int n, unsigned *seed, unsigned one_in) {
  for (int i = 0; i < n; i++) {
    struct node *g = &r->nodes[i];
    if (!g->gate || g->set || below(seed, one_in)) continue;
    g->set = 1;
    CHECK(clSetUserEventStatus(g->event, g->outcome));
  }
}

// finish enqueues, behind all of the round, a read of all slots; gives up everything but the events; and waits.
static void finish(struct round *r) {
  cl_event ends[QUEUES], read;
  for (int q = 0; q < QUEUES; q++) {
    CHECK(clEnqueueMarkerWithWaitList(r->queues[q], 0, NULL, &ends[q]));
    CHECK(clFlush(r->queues[q]));
  }
  CHECK(clEnqueueReadBuffer(r->queues[OUT_OF_ORDER], r->slots, CL_FALSE, 0, sizeof r->seen, r->seen, QUEUES, ends, &read));
  CHECK(clReleaseMemObject(r->slots));
  CHECK(clReleaseCommandQueue(r->queues[IN_ORDER]));
  CHECK(clReleaseCommandQueue(r->queues[OUT_OF_ORDER]));
  for (int q = 0; q < QUEUES; q++) CHECK(clReleaseEvent(ends[q]));
  CHECK(clWaitForEvents(1, &read));
  CHECK(clReleaseEvent(read));
}

static void run_round(unsigned *seed) {
  struct round *r = calloc(1, sizeof *r);
  r->tag = __atomic_add_fetch(&rounds, 1, __ATOMIC_SEQ_CST);
  r->slots = buffer(sizeof r->host, r->host);
  __atomic_add_fetch(&made, 1, __ATOMIC_SEQ_CST);
  CHECK(clSetMemObjectDestructorCallback(r->slots, mem_gone, &destroyed));
  for (int q = 0; q < COMMON; q++) {
    r->profiled[q] = below(seed, 2);
    r->queues[q] = new_queue((q == OUT_OF_ORDER ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) | (r->profiled[q] ? CL_QUEUE_PROFILING_ENABLE : 0));
  }
  memcpy(&r->queues[COMMON], common, sizeof common);
  for (int i = 0; i < NODES; i++) {
    struct node *n = &r->nodes[i];
    where.node = i;
    n->nodes = r->nodes;
    if (below(seed, 6) == 0) open_gate(r, i, seed);
    else enqueue_one(r, i, seed);
    for (int k = 0; k < 3; k++)
      if (below(seed, 5) == 0) ask(n, k, (cl_int)below(seed, n->gate ? 1 : 3));
    if (!n->gate && below(seed, 3) == 0) give(n, seed);
    if (below(seed, 8) == 0) set_gates(r, i + 1, seed, 2);
  }
  set_gates(r, NODES, seed, 1);
  finish(r);
  for (int i = 0; i < NODES; i++) {
    struct node *n = &r->nodes[i];
    where.node = i;
    if (n->gate) clWaitForEvents(1, &n->event); // a callback may not have set it yet, and nothing need have waited for it
    check_node(n);
    cl_uint want = n->writes ? r->tag : 0;
    NEED(r->seen[i] == want, "slot holds %#x, not %#x", r->seen[i], want);
    if (n->reads) NEED(r->host[i] == r->tag, "read %#x, not %#x", r->host[i], r->tag);
    struct node *m = &r->nodes[below(seed, i + 1)];
    cl_event both[] = {n->event, m->event};
    cl_int status = clWaitForEvents(2, both);
    NEED(status == (fails(n) || fails(m) ? DEPENDENCY : CL_SUCCESS), "clWaitForEvents returned %d", status);
  }
  for (int i = 0; i < NODES; i++) CHECK(clReleaseEvent(r->nodes[i].event));
  free(r);
}

static void *work(void *number) {
  for (int epoch = 0;; epoch++) {
    unsigned seed = first_seed + epoch * THREADS + (unsigned)(uintptr_t)number;
    where.seed = first_seed, where.epoch = epoch;
    pthread_barrier_wait(&line); // the context is there, or it is over
    if (over) return NULL;
    for (where.round = 0; where.round < ROUNDS && now_ms() < end_ms; where.round++) run_round(&seed);
    pthread_barrier_wait(&line); // the context may go
  }
}

// usage is what must stay flat: KiB of memory, threads, open files.
struct usage { long memory, threads, files; };

static struct usage used(void) {
  struct usage u = {0};
  char text[256];
  FILE *f = fopen("/proc/self/status", "r");
  while (fgets(text, sizeof text, f)) {
    sscanf(text, "VmRSS: %ld", &u.memory);
    sscanf(text, "Threads: %ld", &u.threads);
  }
  fclose(f);
  for (int fd = 0; fd < 4096; fd++)
    if (lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF) u.files++;
  return u;
}

static void wait_for(unsigned long *counter, unsigned long want, const char *what) {
  for (int i = 0; i < 30000 && __atomic_load_n(counter, __ATOMIC_SEQ_CST) < want; i++) usleep(1000);
  NEED(*counter == want, "%s: %lu of %lu gone", what, *counter, want);
}

static void epoch(void) {
  static unsigned long contexts, gone;
  cl_int e;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  check(e, "clCreateContext", __LINE__);
  contexts++;
  CHECK(clSetContextDestructorCallback(context, context_gone, &gone));
  program = build(source, enqueues ? "-cl-std=CL3.0" : "");
  cl_command_queue on_device = NULL;
  if (enqueues) {
    cl_queue_properties p[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    on_device = clCreateCommandQueueWithProperties(context, device, p, &e);
    check(e, "clCreateCommandQueueWithProperties", __LINE__);
  }
  common[0] = new_queue(0);
  common[1] = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  pthread_barrier_wait(&line);
  pthread_barrier_wait(&line);
  for (int i = 0; i < SHARED; i++) {
    if (shared[i].event) CHECK(clReleaseEvent(shared[i].event));
    shared[i].event = NULL;
  }
  CHECK(clReleaseCommandQueue(common[0]));
  CHECK(clReleaseCommandQueue(common[1]));
  if (enqueues) CHECK(clReleaseCommandQueue(on_device));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseContext(context));
  wait_for(&destroyed, made, "buffers");
  wait_for(&gone, contexts, "contexts");
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 5, start = now_ms();
  if (argc > 2) first_seed = (unsigned)atoi(argv[2]);
  open_device();
  cl_device_device_enqueue_capabilities can = 0;
  clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can, NULL); // unknown before 3.0
  enqueues = (can & CL_DEVICE_QUEUE_SUPPORTED) != 0;
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseContext(context));
  pthread_barrier_init(&line, NULL, THREADS + 1);
  pthread_t threads[THREADS];
  end_ms = start + seconds * 1e3;
  for (uintptr_t t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, work, (void *)t);
  struct usage first = {0}, last;
  int epochs = 0;
  do {
    epoch();
    last = used();
    if (!first.memory && now_ms() > start + seconds * 250) first = last;
    epochs++;
  } while (now_ms() < end_ms);
  over = 1;
  pthread_barrier_wait(&line);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  // On a loaded machine the driver's garbage collector comes late, and gives memory back later still.
  NEED(last.memory <= first.memory + first.memory / 10 + (64 << 10), "memory grew from %ld to %ld KiB", first.memory, last.memory);
  NEED(last.threads <= first.threads + 4, "threads grew from %ld to %ld", first.threads, last.threads);
  NEED(last.files <= first.files + 4, "open files grew from %ld to %ld", first.files, last.files);
  printf("ok %lu rounds of %d commands in %d epochs, %lu failures as they should be; %ld to %ld MiB, %ld threads, %ld files\n", rounds, NODES,
         epochs, failed, first.memory >> 10, last.memory >> 10, last.threads, last.files);
  return 0;
}
