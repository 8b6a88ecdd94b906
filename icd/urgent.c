// Go's runtime preempts goroutines by SIGURG, and takes the signal for good. An application that had a handler for it, for
// out-of-band data on its sockets, finds it called as before: by a handler in front of Go's.
#include "icd.h"

#include <signal.h>
#include <unistd.h>

static struct sigaction applications, runtimes;

// Before Go's runtime, which is an ordinary constructor, starts.
__attribute__((constructor(101))) static void remember(void) { sigaction(SIGURG, NULL, &applications); }

static void on_urgent(int signal, siginfo_t *info, void *context)
{
	runtimes.sa_sigaction(signal, info, context);
	if (info->si_code == SI_TKILL && info->si_pid == getpid()) // as Go preempts
		return;
	if (applications.sa_flags & SA_SIGINFO)
		applications.sa_sigaction(signal, info, context);
	else
		applications.sa_handler(signal);
}

void aq_share_urgent(void)
{
	if (applications.sa_handler == SIG_DFL || applications.sa_handler == SIG_IGN)
		return;
	sigaction(SIGURG, NULL, &runtimes);
	struct sigaction both = runtimes;
	both.sa_sigaction = on_urgent;
	sigaction(SIGURG, &both, NULL);
}
