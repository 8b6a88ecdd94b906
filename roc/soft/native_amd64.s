#include "textflag.h"

// The border to native kernels. A kernel runs on a stack of ours, so that an application thread that helps may have a small
// one, and so that a trap in a kernel is told from any other by the stack pointer.
//
// The 128 bytes below the top of a slot keep what the way back needs, and what a trap was:
//	-8 SP, -16 BX, -24 BP, -32 R12, -40 R13, -48 R14, -56 R15, -60 MXCSR,
//	-72 signal, -80 fault address, -88 instruction
//
// The kernel's stack begins stackGap below.
#define stackGap 69632

// enterKernel is a C function: int enterKernel(struct call *), see native.go. It returns 0, or the signal that ended a kernel.
TEXT ·enterKernel(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ 32(DI), R11
	MOVQ SP, -8(R11)
	MOVQ BX, -16(R11)
	MOVQ BP, -24(R11)
	MOVQ R12, -32(R11)
	MOVQ R13, -40(R11)
	MOVQ R14, -48(R11)
	MOVQ R15, -56(R11)
	STMXCSR -60(R11)
	LDMXCSR 40(DI)
	LEAQ -stackGap(R11), SP
	MOVQ DI, BX
	MOVQ 16(DI), R12

next: // part
	MOVQ R12, 48(BX) // call.at
	MOVQ 8(BX), SI
	MOVQ 0(R12), DI
	MOVQ 8(R12), DX
	MOVQ 16(R12), CX
	MOVQ 24(R12), AX
	MOVQ AX, 16(SI) // Context.Services
	MOVQ 0(BX), AX
	CALL AX
	ADDQ $32, R12
	CMPQ R12, 24(BX)
	JNE  next
	XORL AX, AX
	JMP  ·leaveKernel(SB)

// leaveKernel goes back to the caller of enterKernel with AX. SP is stackGap below the top of the slot.
TEXT ·leaveKernel(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ stackGap(SP), R11
	LDMXCSR -60(R11)
	MOVQ BP, -96(R11) // of no use, but go vet wants BP saved before it is written
	MOVQ -16(R11), BX
	MOVQ -24(R11), BP
	MOVQ -32(R11), R12
	MOVQ -40(R11), R13
	MOVQ -48(R11), R14
	MOVQ -56(R11), R15
	MOVQ -8(R11), SP
	RET

// drainRecords is the C function of codeobject.PrintBuffer.Drain.
TEXT ·drainRecords(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ ·drainCallback(SB), R11
	JMP  ·callBack(SB)

// wakeWorker is the C function of devicequeue.Bell.Wake.
TEXT ·wakeWorker(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ ·wakeCallback(SB), R11
	JMP  ·callBack(SB)

// callBack calls the Go function at R11 for a kernel, which runs on a stack of ours: Go has to be called on the stack that
// enterKernel was called on.
TEXT ·callBack(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ BX
	MOVQ SP, BX
	MOVQ SP, AX
	SUBQ ·stackBase(SB), AX
	MOVQ ·stackSlot(SB), CX // a power of two
	NEGQ CX
	ANDQ CX, AX
	SUBQ CX, AX
	ADDQ ·stackBase(SB), AX // the top of the stack it is in
	MOVQ -8(AX), SP
	ANDQ $~15, SP
	SUBQ $16, SP
	STMXCSR 0(SP)
	MOVL $0x1F80, 4(SP) // as Go has it, whatever the kernel runs with
	LDMXCSR 4(SP)
	CALL R11
	LDMXCSR 0(SP)
	MOVQ BX, SP
	POPQ BX
	RET

// trap is a signal handler (SA_SIGINFO): it ends a kernel that runs on one of our stacks with the signal, and hands every
// other signal to the handler that was there before. Offsets are those of siginfo_t and ucontext_t of Linux on amd64.
TEXT ·trap(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ 160(DX), AX // RSP
	SUBQ ·stackBase(SB), AX
	CMPQ AX, ·stackArea(SB)
	JAE  foreign
	MOVQ ·stackSlot(SB), CX // a power of two
	NEGQ CX
	ANDQ CX, AX
	SUBQ CX, AX
	ADDQ ·stackBase(SB), AX // the top of the stack it is in
	MOVL DI, -72(AX)
	MOVQ 16(SI), CX // si_addr
	MOVQ CX, -80(AX)
	MOVQ 168(DX), CX // RIP
	MOVQ CX, -88(AX)
	SUBQ $stackGap, AX
	MOVQ AX, 160(DX)
	LEAQ ·leaveKernel(SB), CX
	MOVQ CX, 168(DX)
	MOVL DI, CX
	MOVQ CX, 144(DX) // RAX
	MOVQ 176(DX), CX // EFLAGS
	ANDQ $~0x400, CX // direction flag
	MOVQ CX, 176(DX)
	RET

foreign:
	LEAQ ·earlier(SB), CX
	MOVLQSX DI, AX
	MOVQ (CX)(AX*8), AX
	CMPQ AX, $1
	JBE  unhandled
	JMP  AX

unhandled: // SIG_DFL, SIG_IGN: put the default action back, and have the signal again
	MOVQ DI, R8
	MOVL 8(SI), R9 // si_code, above 0 if an instruction raised it and will again
	LEAQ ·defaultAction(SB), SI
	XORL DX, DX
	MOVQ $8, R10
	MOVQ $13, AX // rt_sigaction
	SYSCALL
	CMPL R9, $0
	JGT  raised
	MOVQ $39, AX // getpid
	SYSCALL
	MOVQ AX, R12
	MOVQ $186, AX // gettid
	SYSCALL
	MOVQ AX, SI
	MOVQ R12, DI
	MOVQ R8, DX
	MOVQ $234, AX // tgkill
	SYSCALL
raised:
	RET

DATA ·enterKernelAddress(SB)/8, $·enterKernel(SB)
GLOBL ·enterKernelAddress(SB), RODATA|NOPTR, $8

DATA ·drainAddress(SB)/8, $·drainRecords(SB)
GLOBL ·drainAddress(SB), RODATA|NOPTR, $8

DATA ·wakeAddress(SB)/8, $·wakeWorker(SB)
GLOBL ·wakeAddress(SB), RODATA|NOPTR, $8

DATA ·trapAddress(SB)/8, $·trap(SB)
GLOBL ·trapAddress(SB), RODATA|NOPTR, $8
