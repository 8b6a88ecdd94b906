package cl

import (
	"slices"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// recordedLaunch is what a kernel command of a command buffer is made of. It does not change: an update makes another.
type recordedLaunch struct {
	kernel  *Kernel // that was recorded
	args    *Kernel // a clone, for "any changes to kernel after calling clCommandNDRangeKernelKHR have no effect"
	r       Range
	sh      shape
	fields  uint64 // CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR
	partial bool   // arguments may be missing
}

func (l *recordedLaunch) drop() {
	l.args.Release()
	l.kernel.Unuse()
}

// launch records a launch of k: clCommandNDRangeKernelKHR.
func (r *Recording) launch(kind uint32, k *Kernel, size *Range) Status {
	l := &recordedLaunch{kernel: k, r: *size, fields: mutableFields}
	asserts := r.buffer.asserts
	for i := 0; i+1 < len(r.properties); i += 2 {
		value := r.properties[i+1]
		// CL_INVALID_VALUE if values specified in properties are not valid
		if slices.Contains(names64(r.properties[:i]), r.properties[i]) {
			return CL_INVALID_VALUE
		}
		switch r.properties[i] {
		case CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR:
			// CL_INVALID_OPERATION if the requested properties are not reported by CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR
			if value&^mutableFields != 0 {
				return CL_INVALID_OPERATION
			}
			l.fields = value
			// CL_INVALID_KERNEL_ARGS if the kernel argument values have not been specified and the CL_MUTABLE_DISPATCH_ARGUMENTS_KHR
			// flag was not set in the properties parameter. Finalized "is a valid state only for mutable command buffers".
			l.partial = value&CL_MUTABLE_DISPATCH_ARGUMENTS_KHR != 0 && r.buffer.flags&CL_COMMAND_BUFFER_MUTABLE_KHR != 0
		case CL_MUTABLE_DISPATCH_ASSERTS_KHR:
			if value&^CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR != 0 {
				return CL_INVALID_VALUE
			}
			asserts |= value
		}
	}
	// CL_INVALID_VALUE if command_buffer, or properties, have CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR and
	// local_work_size is NULL
	if asserts != 0 && !size.HasLocal {
		return CL_INVALID_VALUE
	}
	// CL_INVALID_OPERATION if the device associated with command_queue does not support
	// CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR and kernel contains a kernel-enqueue call
	if code := k.on(r.Queue().device); code != nil && code.kernel.Info.Enqueues {
		return CL_INVALID_OPERATION
	}
	if !k.Use() {
		return CL_INVALID_KERNEL
	}
	l.args = k.Clone()
	p, st := r.Queue().prepare(l)
	if st == CL_SUCCESS {
		if st = r.add(&MutableCommand{kind: kind, launch: l, prepared: p}); st != CL_SUCCESS && p != nil {
			p.Release()
		}
	}
	if st != CL_SUCCESS {
		l.drop()
	}
	return st
}

// names64 are the names in a list of properties.
func names64(properties []uint64) (names []uint64) {
	for i := 0; i < len(properties); i += 2 {
		names = append(names, properties[i])
	}
	return names
}

// prepare checks l as a launch would be, for q, and prepares it; nil if arguments are missing, and may be.
func (q *Queue) prepare(l *recordedLaunch) (*roc.Prepared, Status) {
	code, st := q.checkKernel(l.args)
	if st != CL_SUCCESS {
		return nil, st
	}
	a := &l.args.args
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.unset > 0 && !l.partial {
		return nil, CL_INVALID_KERNEL_ARGS
	}
	if l.sh, st = q.shape(l.args, code, &l.r); st != CL_SUCCESS || a.unset > 0 {
		return nil, st
	}
	held := a.holder(l.args)
	// A buffer that was released since it was set is no argument any more.
	if !held.take() {
		return nil, CL_INVALID_KERNEL_ARGS
	}
	done := func() { held.give(nil) }
	var op hostqueue.Op = roc.Nothing{}
	if !l.sh.empty {
		d := new(roc.Dispatch)
		if q.initDispatch(d, new(roc.Kernarg), a, code, &l.r, l.sh) != nil {
			done()
			return nil, CL_OUT_OF_RESOURCES
		}
		free, ok := q.reach(d, l.args)
		if !ok {
			d.Args.Release()
			done()
			return nil, CL_INVALID_KERNEL_ARGS
		}
		if free != nil {
			give := done
			done = func() {
				give()
				free()
			}
		}
		op = d
	}
	p, err := q.device.roc.Prepare(op, done)
	if err != nil {
		if d, ok := op.(*roc.Dispatch); ok {
			d.Args.Release()
		}
		done()
		return nil, CL_OUT_OF_RESOURCES
	}
	return p, CL_SUCCESS
}
