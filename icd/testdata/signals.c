// The application's signal handlers stay its own, whether they were there before the driver or came after it.
#include "check.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>

static sigjmp_buf back;
static volatile sig_atomic_t before, after;

static void early(int sig)
{
	before++;
	siglongjmp(back, sig);
}

static void late(int sig)
{
	after++;
	siglongjmp(back, sig);
}

static int *volatile nowhere;
static volatile int zero;

static void faults(volatile sig_atomic_t *count)
{
	int n = *count;
	if (sigsetjmp(back, 1) == 0) {
		*nowhere = 1;
		FAIL("a store to NULL went well");
	}
	EXPECT(n + 1, *count);
	if (sigsetjmp(back, 1) == 0) {
		nowhere = (int *)(intptr_t)(100 / zero);
		FAIL("a division by zero went well");
	}
	EXPECT(n + 2, *count);
}

static volatile sig_atomic_t urgent;

static void on_urgent(int signal) { urgent = 1; }

int main(void)
{
	alarm(60);
	struct sigaction act = { .sa_handler = early }, old;
	sigaction(SIGSEGV, &act, NULL);
	sigaction(SIGFPE, &act, NULL);
	faults(&before);
	struct sigaction urge = { .sa_handler = on_urgent };
	sigaction(SIGURG, &urge, NULL);

	int left[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD };
	struct sigaction found[5]; // whoever started this may have it ignore some
	for (int i = 0; i < 5; i++)
		sigaction(left[i], NULL, &found[i]);
	cl_device_id device = device_of(ours()); // loads the driver
	cl_context context = context_of(device);
	cl_command_queue queue = queue_of(context, device);
	MUST(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
	MUST(clFinish(queue));
	faults(&before);
	kill(getpid(), SIGURG);
	EXPECT(1, urgent);

	act.sa_handler = late;
	sigaction(SIGSEGV, &act, &old);
	sigaction(SIGFPE, &act, &old);
	faults(&after);
	MUST(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
	MUST(clFinish(queue));
	faults(&after);

	// what the application had left alone is as it was
	for (int i = 0; i < 5; i++) {
		sigaction(left[i], NULL, &old);
		if (old.sa_handler != found[i].sa_handler)
			FAIL("signal %d has a handler", left[i]);
	}
	// and SIGPIPE, for which the Go runtime has a handler, still ends a program that has none
	int status, ends[2];
	pid_t pid = fork();
	if (pid == 0) {
		alarm(5);
		if (pipe(ends) != 0 || close(ends[0]) != 0)
			_exit(1);
		_exit(write(ends[1], "x", 1) == 1);
	}
	waitpid(pid, &status, 0);
	EXPECT(1, WIFSIGNALED(status));
	EXPECT(SIGPIPE, WTERMSIG(status));
	done();
}
