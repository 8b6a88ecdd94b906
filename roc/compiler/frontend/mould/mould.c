// Loaded into clang before clang's own code, this makes the process a mould: its libraries, which take longer to load and
// relocate than a small kernel to compile, are there once, and copies of the process compile. A copy compiles one unit after
// another: what it found out and allocated for one is of use to the next, which then takes a few milliseconds.
//
// A request to the mould is a message on its socket with a socket for the copy. The answer is the copy's process number, or a
// negative error number. The copy's parent is the mould's own. A request to the copy has the descriptors that are its 0 to 4 for
// one unit; the answer is what clang's main returned, when they are closed. Where there is no such socket, as in what a copy may
// start, clang runs as ever.

enum { socket = 5, null = 6, files = 5 };

enum { sys_close = 3, sys_sendto = 44, sys_recvmsg = 47, sys_clone = 56, sys_prctl = 157, sys_exit_group = 231, sys_dup3 = 292, sys_close_range = 436 };

enum { cloexec = 02000000 };

static long call(long number, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return result;
}

// receive waits for a request with so many descriptors. It returns how many bytes came, 0 when there is nobody left to ask, less
// if nobody ever was.
static long receive(int *file, int count) {
    char byte;
    struct { void *base; unsigned long size; } part = {&byte, 1};
    struct { unsigned long size; int level, type, file[files], padding; } control;
    struct { void *name; long name_size; void *parts; unsigned long part_count; void *control; unsigned long control_size; long flags; }
        message = {0, 0, &part, 1, &control, sizeof control, 0};
    long size = call(sys_recvmsg, socket, (long)&message, 0x40000000 /* MSG_CMSG_CLOEXEC */, 0, 0, 0);
    for (int i = 0; size > 0 && i < count; i++)
        file[i] = control.file[i];
    return size;
}

static void answer(int value) { call(sys_sendto, socket, (long)&value, sizeof value, 0x4000 /* MSG_NOSIGNAL */, 0, 0); }

static void leave(int status) { call(sys_exit_group, status, 0, 0, 0, 0, 0); }

typedef int entry(int, char **, char **);

static entry *clang;

static int prepared; // see InitLLVM

// copies makes copies, and returns in each of them, or in a process that nobody asks for any.
static int copies(void) {
    int own;
    long size;
    while ((size = receive(&own, 1)) > 0) {
        long copy = call(sys_clone, 0x8000 /* CLONE_PARENT */ | 17 /* SIGCHLD */, 0, 0, 0, 0, 0);
        if (copy == 0) {
            call(sys_prctl, 1 /* PR_SET_PDEATHSIG */, 9 /* SIGKILL */, 0, 0, 0, 0);
            call(sys_dup3, own, socket, cloexec, 0, 0, 0);
            call(sys_dup3, 0, null, cloexec, 0, 0, 0);
            call(sys_close_range, null + 1, ~0u, 0, 0, 0, 0);
            return 1;
        }
        call(sys_close, own, 0, 0, 0, 0, 0);
        answer(copy);
    }
    if (size == 0)
        leave(0);
    return 0;
}

// serve is main.
static int serve(int argc, char **argv, char **environment) {
    if (!copies())
        return clang(argc, argv, environment);
    int file[files];
    while (receive(file, files) > 0) {
        for (int i = 0; i < files; i++) {
            call(sys_dup3, file[i], i, 0, 0, 0, 0);
            call(sys_close, file[i], 0, 0, 0, 0, 0);
        }
        int status = clang(argc, argv, environment);
        if (!prepared) // what main cleans up will be missed
            leave(status);
        for (int i = 0; i < files; i++)
            call(sys_dup3, null, i, 0, 0, 0, 0);
        answer(status);
    }
    leave(0);
    return 0;
}

extern void *dlsym(void *, const char *);

static void *next(const char *name) { return dlsym((void *)-1 /* RTLD_NEXT */, name); }

// __libc_start_main stands in for the C library's, which calls main.
int __libc_start_main(entry *program, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*unload)(void), void *stack) {
    int (*start)(entry *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) = next("__libc_start_main");
    clang = program;
    return start(serve, argc, argv, init, fini, unload, stack);
}

// LLVM's InitLLVM is made by main and lives as long: its end takes LLVM's global objects away. So there is one for all the times that
// main is called, and it does not end.
#define CONSTRUCTOR "_ZN4llvm8InitLLVMC2ERiRPPKcb"

void init_llvm(void *self, int *argc, const char ***argv, _Bool pipes) __asm__(CONSTRUCTOR);
void init_llvm(void *self, int *argc, const char ***argv, _Bool pipes) {
    static _Alignas(16) char object[1024];
    void (*construct)(void *, int *, const char ***, _Bool) = next(CONSTRUCTOR);
    if (!prepared)
        construct(object, argc, argv, pipes);
    prepared = 1;
}

void end_llvm(void *self) __asm__("_ZN4llvm8InitLLVMD1Ev");
void end_llvm(void *self) {}
