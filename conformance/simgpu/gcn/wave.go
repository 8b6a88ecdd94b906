// Package gcn executes the machine code of AMD's gfx9 chips: one wavefront of 64 lanes at a time, instruction by instruction.
//
// What an instruction does is in the file of its format (sop2.go, vop3.go, ds.go ...). Instructions are known by the names LLVM
// gives them; names.go says which opcode has which name. An instruction that is not known ends the wave with an error that names it.
package gcn

import (
	"fmt"
	"runtime"
)

//go:generate go run ./optable names.go gfx906 gfx90a

// Lanes is the number of work-items of a wavefront.
const Lanes = 64

// Scalar registers with names, as operands number them.
const (
	flatScratch = 102
	vcc         = 106
	m0          = 124
	exec        = 126
)

// Vector is a vector register: 32 bits for each lane.
type Vector [Lanes]uint32

// Memory is what a wave can reach with addresses outside its local memory.
type Memory interface {
	// Access gives the n bytes at GPU address va, or panics with an error, a *Fault if there is none. The slice is the memory itself.
	Access(va, n uint64, kind Access) []byte
}

// Access says what is done with memory.
type Access uint8

// Kinds of access. An atomic reads and writes what others may write at the same time.
const (
	Read Access = iota
	Write
	Atomic
	Fetch // of instructions
)

// Fault ends a wave: it accessed memory that is not mapped.
type Fault struct {
	Address uint64
	Write   bool
}

func (f *Fault) Error() string {
	if f.Write {
		return fmt.Sprintf("write to address %#x, which is not mapped", f.Address)
	}
	return fmt.Sprintf("read of address %#x, which is not mapped", f.Address)
}

// Unsupported ends a wave: the emulator does not know the instruction, or not in this form.
type Unsupported struct {
	PC   uint64
	What string
}

func (u *Unsupported) Error() string { return fmt.Sprintf("instruction at %#x: %s", u.PC, u.What) }

// Aperture ends a wave: a flat, local or private address is outside what the work-item has.
type Aperture struct {
	PC      uint64
	Name    string
	Address uint64
}

func (a *Aperture) Error() string {
	return fmt.Sprintf("%s at %#x: address %#x is outside its segment", a.Name, a.PC, a.Address)
}

// Trap ends a wave: it executed s_trap.
type Trap struct{ ID int }

func (t *Trap) Error() string { return fmt.Sprintf("s_trap %d", t.ID) }

// State is what a wave does next.
type State uint8

// States of a wave.
const (
	Running State = iota
	AtBarrier
	Ended
)

// Group is what the waves of a work-group share.
type Group struct {
	Local      []byte
	HardwareID uint32 // register HW_ID, as far as it says which compute unit this is
}

// Wave is one wavefront.
type Wave struct {
	Program *Program
	Memory  Memory
	Group   *Group
	Clock   func() uint64 // what s_memtime reads

	S     [128]uint32 // scalar registers, with VCC, M0 and EXEC where operands number them
	V     []Vector
	PC    uint64
	Mode  uint32 // the MODE register
	SCC   bool
	State State

	Instructions uint64 // executed so far

	math  mathMode
	index indexing
	src   [3][Lanes]uint64 // operands of the vector instruction at hand
}

// Reset makes the wave ready to begin at pc with the MODE register set. Registers are as the caller set them.
func (w *Wave) Reset(pc uint64, mode uint32) {
	w.PC, w.State = pc, Running
	w.setMode(mode)
}

func (w *Wave) s64(n int) uint64 { return uint64(w.S[n]) | uint64(w.S[n+1])<<32 }

func (w *Wave) setS64(n int, x uint64) { w.S[n], w.S[n+1] = uint32(x), uint32(x>>32) }

// Exec is the mask of active lanes.
func (w *Wave) Exec() uint64 { return w.s64(exec) }

// SetExec sets the mask of active lanes.
func (w *Wave) SetExec(mask uint64) { w.setS64(exec, mask) }

// Run executes up to n instructions, fewer if the wave comes to a barrier or its end. After an error the wave has ended.
func (w *Wave) Run(n int) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case runtime.Error: // a register the wave does not have, or memory that is gone although it is mapped
			if gone, ok := r.(interface{ Addr() uintptr }); ok {
				err = &Fault{Address: uint64(gone.Addr())}
			} else {
				err = &Unsupported{w.PC, r.Error()}
			}
		case error: // one of this package, or of the memory
			err = r
		default:
			panic(r)
		}
		if err != nil {
			w.State = Ended
		}
	}()
	for ; n > 0 && w.State == Running; n-- {
		in := w.Program.at(w.PC, w.Memory)
		w.PC += uint64(in.size)
		w.Instructions++
		in.run(w, in)
	}
	return nil
}

// unsupported ends the wave because of the instruction at hand.
func (w *Wave) unsupported(in *Instruction, why string) {
	panic(&Unsupported{w.PC - uint64(in.size), in.Name + ": " + why})
}
