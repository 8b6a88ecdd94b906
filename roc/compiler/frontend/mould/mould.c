// Loaded into clang before clang's own code, this makes the process a mould: its libraries, which take longer to load and
// relocate than a small kernel to compile, are there once, and each unit is compiled by a copy of the process.
//
// A request is a message on the socket with the descriptors that the copy has as 0 to 4. The answer is the copy's process
// number, or a negative error number. The copy's parent is the mould's own. Nothing of the C library is called, so that
// copies find it as it is before main. Where there is no such socket, as in what a copy may start, it does nothing.

enum { socket = 5, files = 5 };

enum { sys_close = 3, sys_sendto = 44, sys_recvmsg = 47, sys_clone = 56, sys_prctl = 157, sys_exit_group = 231, sys_dup3 = 292, sys_close_range = 436 };

static long call(long number, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return result;
}

// receive waits for a request. It returns how many bytes came, 0 when there is nobody left to ask, less if nobody ever was.
static long receive(int *file) {
    char byte;
    struct { void *base; unsigned long size; } part = {&byte, 1};
    struct { unsigned long size; int level, type, file[files], padding; } control;
    struct { void *name; long name_size; void *parts; unsigned long part_count; void *control; unsigned long control_size; long flags; }
        message = {0, 0, &part, 1, &control, sizeof control, 0};
    long size = call(sys_recvmsg, socket, (long)&message, 0x40000000 /* MSG_CMSG_CLOEXEC */, 0, 0, 0);
    for (int i = 0; size > 0 && i < files; i++)
        file[i] = control.file[i];
    return size;
}

// serve runs before main, as the last of the initialisers of libraries.
void serve(void) {
    int file[files];
    long size;
    while ((size = receive(file)) > 0) {
        long copy = call(sys_clone, 0x8000 /* CLONE_PARENT */ | 17 /* SIGCHLD */, 0, 0, 0, 0, 0);
        if (copy == 0) {
            call(sys_prctl, 1 /* PR_SET_PDEATHSIG */, 9 /* SIGKILL */, 0, 0, 0, 0);
            for (int i = 0; i < files; i++)
                call(sys_dup3, file[i], i, 0, 0, 0, 0);
            call(sys_close_range, files, ~0u, 0, 0, 0, 0);
            return;
        }
        for (int i = 0; i < files; i++)
            call(sys_close, file[i], 0, 0, 0, 0, 0);
        int answer = copy;
        call(sys_sendto, socket, (long)&answer, sizeof answer, 0x4000 /* MSG_NOSIGNAL */, 0, 0);
    }
    if (size == 0)
        call(sys_exit_group, 0, 0, 0, 0, 0, 0);
}
