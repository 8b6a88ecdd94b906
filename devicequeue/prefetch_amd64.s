#include "textflag.h"

// func Prefetch(slots []*Slot)
TEXT ·Prefetch(SB), NOSPLIT, $0-24
	MOVQ slots_base+0(FP), SI
	MOVQ slots_len+8(FP), CX
	TESTQ CX, CX
	JZ   done

next:
	MOVQ (SI), AX
	PREFETCHT0 0(AX)
	PREFETCHT0 64(AX)
	PREFETCHT0 128(AX)
	PREFETCHT0 192(AX)
	PREFETCHT0 256(AX)
	ADDQ $8, SI
	DECQ CX
	JNZ  next

done:
	RET
