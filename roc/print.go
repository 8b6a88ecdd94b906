package roc

import (
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/printf"
)

// Kernels of agents that are no CPUs leave what they print in a buffer of their launch, which is printed before the command ends.

// lendPrint takes that buffer for a launch that may need one.
func (o *operands) lendPrint(d *Device, op *Dispatch) (err error) {
	if d.Info().CPU || !op.Kernel.Info.Prints {
		return nil
	}
	if o.print, err = d.kernargs.get(codeobject.PrintBufferSize); err != nil {
		return err
	}
	op.print = o.print.ptr
	*(*uint32)(op.print) = 0 // in case it never runs
	return nil
}

// resetPrint empties the buffer, for what has not run or is to run again.
func (d *Dispatch) resetPrint() {
	*(*[2]uint32)(d.print) = [2]uint32{0, codeobject.PrintBufferSize}
}

// printed prints what a launch has left.
func (o *operands) printed(op hostqueue.Op) {
	if o.print.ptr == nil {
		return
	}
	formats := op.(*Dispatch).Kernel.program.formats
	printf.Write(formats.Append(nil, unsafe.Slice((*byte)(o.print.ptr), codeobject.PrintBufferSize)))
}

// readFormats finds the format strings of a program whose kernels print.
func (prog *Program) readFormats(p *codeobject.Program) error {
	prints := false
	for i := range p.Kernels {
		prints = prints || p.Kernels[i].Prints
	}
	if !prints || prog.device.Info().CPU {
		return nil
	}
	m, err := codeobject.ReadMetadata(p.Code)
	if err == nil {
		prog.formats, err = printf.ParseFormats(m.Formats())
	}
	return err
}
