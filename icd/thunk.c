// Functions that jump to aq_functions[i]. Addresses given out by name may be kept by the loader or the application for ever;
// through these they still lead to the right function after fork.
#include "icd.h"

#if defined(__x86_64__)
#define THUNK(i, name)                                                                                                        \
	__asm__(".pushsection .text\n.type aq_thunk_" #name ", @function\naq_thunk_" #name ":\n"                                  \
	        "	jmp *aq_functions+8*" #i "(%rip)\n.size aq_thunk_" #name ", .-aq_thunk_" #name "\n.popsection");
#elif defined(__aarch64__)
#define THUNK(i, name)                                                                                                        \
	__asm__(".pushsection .text\n.balign 4\n.type aq_thunk_" #name ", @function\naq_thunk_" #name ":\n"                       \
	        "	adrp x16, aq_functions+8*" #i "\n	ldr x16, [x16, #:lo12:aq_functions+8*" #i "]\n	br x16\n"                   \
	        ".size aq_thunk_" #name ", .-aq_thunk_" #name "\n.popsection");
#else
#error "no thunks for this machine"
#endif

#pragma GCC visibility push(hidden)
#define SLOT(i, name, lost) extern char aq_thunk_##name[];
FUNCTIONS(SLOT)
#undef SLOT
#pragma GCC visibility pop

#define SLOT(i, name, lost) THUNK(i, name)
FUNCTIONS(SLOT)
#undef SLOT

#define SLOT(i, name, lost) [i] = aq_thunk_##name,
void *const aq_thunks[AQ_FUNCTIONS] = { FUNCTIONS(SLOT) };
#undef SLOT
