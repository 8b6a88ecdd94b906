package cl

import (
	"encoding/binary"

	"aqueduct/roc"
)

// NativeKernel is a call of clEnqueueNativeKernel, decoded.
type NativeKernel struct {
	Run  func(args []byte) // calls user_func with the copy of args
	Args []byte            // the copy of args: bytes, the callee owns them; nil if the caller gave none
	Mems []*Mem            // mem_list, nil for NULL entries
	At   []uint64          // for each of Mems the offset in Args where its handle is stored
}

// NativeKernel enqueues clEnqueueNativeKernel (OpenCL API 3.0 section 5.10).
func (q *Queue) NativeKernel(n NativeKernel, s Sync) (*Event, Status) {
	// "The context associated with command_queue and events, and memory objects, must be the same."
	var mems []*Mem
	for _, m := range n.Mems {
		if m != nil {
			mems = append(mems, m)
		}
	}
	if st := q.check(s, mems...); st != CL_SUCCESS {
		return nil, st
	}
	// CL_INVALID_OPERATION if the device associated with command_queue cannot execute the native kernel
	if !q.device.roc.Info().CPU {
		return nil, CL_INVALID_OPERATION
	}
	// "Before the user function is executed, the memory object handles are replaced by pointers to global memory."
	for i, m := range n.Mems {
		var address uint64
		if m != nil {
			address = uint64(uintptr(m.store.Ptr))
		}
		// CL_INVALID_VALUE: args_mem_loc points out of args
		if !span(n.At[i], 8, uint64(len(n.Args))) {
			return nil, CL_INVALID_VALUE
		}
		binary.NativeEndian.PutUint64(n.Args[n.At[i]:], address)
	}
	op := roc.HostFunc{Run: func() error { n.Run(n.Args); return nil }}
	return q.enqueue(CL_COMMAND_NATIVE_KERNEL, op, s, false, mems...)
}
