#include "textflag.h"

// func streamBlock(dst unsafe.Pointer, n uint64, block *[64]byte)
TEXT ·streamBlock(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ block+16(FP), SI
	MOVOU 0(SI), X0
	MOVOU 16(SI), X1
	MOVOU 32(SI), X2
	MOVOU 48(SI), X3

next:
	MOVNTO X0, 0(DI)
	MOVNTO X1, 16(DI)
	MOVNTO X2, 32(DI)
	MOVNTO X3, 48(DI)
	ADDQ $64, DI
	SUBQ $64, CX
	JNZ next
	SFENCE
	RET
