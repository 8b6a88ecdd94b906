package cl

import (
	"errors"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// construct initialises the variables of program scope of an executable that needs code for it, as C++ for OpenCL does: a kernel of
// one work-item, before any other.
func (d *Device) construct(exe *roc.Program, name string) error {
	kernel, err := exe.Kernel(name)
	if err != nil {
		return err
	}
	gpu, err := d.roc.NewVirtualGPU(true, false, roc.PriorityNormal, false)
	if err != nil {
		return err
	}
	reason := "it ended with an error"
	gpu.OnError = func(_ *hostqueue.Command, text string) { reason = text }
	queue := hostqueue.NewQueue(gpu, hostqueue.Config{InOrder: true})
	defer queue.Release()
	l := new(launch)
	one := [3]uint64{1, 1, 1}
	l.op = roc.Dispatch{Kernel: kernel, Args: &l.args, Dims: 1, Global: one, Local: one}
	l.Init(hostqueue.KindCommand, &l.op)
	if err := d.roc.InitKernarg(&l.args, kernel, nil, nil); err != nil {
		return err
	}
	if err := queue.Enqueue(&l.Command, nil); err != nil {
		l.args.Release()
		return err
	}
	if l.Wait() != hostqueue.Complete {
		return errors.New("initialisation of variables of program scope: " + reason)
	}
	return nil
}
