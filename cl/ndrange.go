package cl

import (
	"math/bits"
	"sync"
	"unsafe"

	"aqueduct/hostqueue"
	"aqueduct/roc"
)

// Range is an NDRange as the caller gave it: its sizes in work-items, of which only the first Dims count.
type Range struct {
	Dims                  uint32
	Offset, Global, Local [3]uint64
	HasGlobal, HasLocal   bool // false: the pointer was NULL
}

// maxDims is CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS.
const maxDims = 3

// NDRangeKernel enqueues clEnqueueNDRangeKernel (OpenCL API 3.0 section 5.10).
func (q *Queue) NDRangeKernel(k *Kernel, r *Range, s Sync) (*Event, Status) {
	return q.launch(CL_COMMAND_NDRANGE_KERNEL, k, r, s)
}

// Task enqueues clEnqueueTask (OpenCL API 3.0 section 5.10): one work-item.
func (q *Queue) Task(k *Kernel, s Sync) (*Event, Status) {
	one := [3]uint64{1, 1, 1}
	return q.launch(CL_COMMAND_TASK, k, &Range{Dims: 1, Global: one, Local: one, HasGlobal: true, HasLocal: true}, s)
}

func (q *Queue) launch(kind uint32, k *Kernel, r *Range, s Sync) (*Event, Status) {
	if s.record != nil {
		return nil, s.record.launch(kind, k, r)
	}
	code, st := q.checkKernel(k)
	if st != CL_SUCCESS {
		return nil, st
	}
	if st := q.check(s); st != CL_SUCCESS {
		return nil, st
	}
	a := &k.args
	a.mu.Lock()
	defer a.mu.Unlock()
	// CL_INVALID_KERNEL_ARGS if any kernel arguments for kernel have not been set
	if a.unset > 0 {
		return nil, CL_INVALID_KERNEL_ARGS
	}
	sh, st := q.shape(k, code, r)
	if st != CL_SUCCESS {
		return nil, st
	}
	held := a.holder(k)
	// A buffer that was released since it was set is no argument any more.
	if !held.take() {
		return nil, CL_INVALID_KERNEL_ARGS
	}
	if sh.empty {
		c, e := q.command(kind, hostqueue.KindCommand, roc.Nothing{}, s)
		c.OnDone = held.done
		return q.submit(c, e, s, false)
	}
	c, e, l := q.launchCommand(kind, s)
	c.Tag = kind
	if !r.HasLocal {
		c.Tag |= localChosen
	}
	if q.initDispatch(&l.op, &l.args, a, code, r, sh) != nil {
		held.give(nil)
		if e != nil {
			e.Release()
		}
		return nil, CL_OUT_OF_RESOURCES
	}
	c.OnDone = held.done
	free, ok := q.reach(&l.op, k)
	if !ok {
		l.args.Release()
		held.give(nil)
		if e != nil {
			e.Release()
		}
		return nil, CL_INVALID_KERNEL_ARGS
	}
	if free != nil {
		c.OnDone = func(c *hostqueue.Command) {
			held.give(c)
			free()
		}
	}
	e, st = q.submit(c, e, s, false)
	if st != CL_SUCCESS {
		l.args.Release()
	}
	return e, st
}

// checkKernel is what all launches check first, and finds the code of k for q.
func (q *Queue) checkKernel(k *Kernel) (*kernelCode, Status) {
	// CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built program executable available for the device associated
	// with command_queue
	code := k.on(q.device)
	if code == nil {
		return nil, CL_INVALID_PROGRAM_EXECUTABLE
	}
	// CL_INVALID_CONTEXT if the context associated with command_queue and kernel are not the same
	if k.program.ctx != q.ctx {
		return nil, CL_INVALID_CONTEXT
	}
	return code, CL_SUCCESS
}

// shape is what the sizes of a launch come to.
type shape struct {
	global, local [3]uint64
	empty         bool
}

// shape checks sizes and arguments, as far as they are set, of a launch of k, whose arguments are locked.
func (q *Queue) shape(k *Kernel, code *kernelCode, r *Range) (sh shape, st Status) {
	a := &k.args
	if sh.global, sh.empty, st = r.global(); st != CL_SUCCESS {
		return sh, st
	}
	if sh.local, st = a.groupSize(q.device, code, r, sh.global, sh.empty); st != CL_SUCCESS {
		return sh, st
	}
	// CL_MISALIGNED_SUB_BUFFER_OFFSET if a kernel argument for kernel is a sub-buffer object and the offset specified when the
	// sub-buffer object is created is not aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN for the device associated with command_queue
	if a.holder(k).origins%q.device.baseAlign() != 0 {
		return sh, CL_MISALIGNED_SUB_BUFFER_OFFSET
	}
	// CL_OUT_OF_RESOURCES if there is a failure to allocate resources required by the OpenCL implementation on the device
	if a.localSize() > uint64(q.device.roc.Info().LocalMemory) {
		return sh, CL_OUT_OF_RESOURCES
	}
	return sh, CL_SUCCESS
}

// initDispatch makes op a launch with arguments a, which are locked.
func (q *Queue) initDispatch(op *roc.Dispatch, args *roc.Kernarg, a *kernelArgs, code *kernelCode, r *Range, sh shape) error {
	*op = roc.Dispatch{Kernel: code.kernel, Args: args, Dims: int(r.Dims), Offset: r.offset(), Global: sh.global, Local: sh.local}
	return q.device.roc.InitKernarg(args, code.kernel, a.values, a.locals)
}

// launch is a clEnqueueNDRangeKernel without an event: a command and what it carries. They are recycled, as they come by the million.
type launch struct {
	hostqueue.Command // first, see recycleLaunch
	launchOp
}

var launches = sync.Pool{New: func() any { return new(launch) }}

// recycleLaunch is their Command.Recycle.
func recycleLaunch(c *hostqueue.Command) {
	l := (*launch)(unsafe.Pointer(c))
	*l = launch{}
	launches.Put(l)
}

// visibleLaunch is a launch whose event is wanted.
type visibleLaunch struct {
	Event
	launchOp
}

type launchOp struct {
	op   roc.Dispatch
	args roc.Kernarg
}

// launchCommand is what command is for a launch.
func (q *Queue) launchCommand(kind uint32, s Sync) (*hostqueue.Command, *Event, *launchOp) {
	if !s.Event {
		l := launches.Get().(*launch)
		l.Init(hostqueue.KindCommand, &l.op)
		l.Recycle = recycleLaunch
		return &l.Command, nil, &l.launchOp
	}
	l := new(visibleLaunch)
	l.start(q.ctx, q, kind)
	l.command.Init(hostqueue.KindCommand, &l.op)
	l.command.Visible = true
	return &l.command, &l.Event, &l.launchOp
}

// offset is the global work offset with zeros behind the last dimension.
func (r *Range) offset() (o [3]uint64) {
	copy(o[:r.Dims], r.Offset[:])
	return o
}

// global is the global work size with ones behind the last dimension, and whether it is empty.
func (r *Range) global() (g [3]uint64, empty bool, st Status) {
	// CL_INVALID_WORK_DIMENSION if work_dim is not valid for the device associated with command_queue
	if r.Dims == 0 || r.Dims > maxDims {
		return g, false, CL_INVALID_WORK_DIMENSION
	}
	// "If [...] global_work_size is NULL or the value in any passed dimension is zero, then the kernel command will trivially
	// succeed after its event dependencies are satisfied"
	g, empty = [3]uint64{1, 1, 1}, !r.HasGlobal
	for d := range r.Dims {
		// CL_INVALID_GLOBAL_OFFSET if the value specified in global_work_size plus the corresponding value in global_work_offset
		// for any dimensions is greater than the maximum value representable by size_t
		if _, carry := bits.Add64(r.Global[d], r.Offset[d], 0); carry != 0 && r.HasGlobal {
			return g, false, CL_INVALID_GLOBAL_OFFSET
		}
		g[d] = r.Global[d]
		empty = empty || g[d] == 0
	}
	return g, empty, CL_SUCCESS
}

// groupSize finds the size of the work-groups. a is locked.
func (a *kernelArgs) groupSize(d *Device, code *kernelCode, r *Range, global [3]uint64, empty bool) ([3]uint64, Status) {
	local := [3]uint64{1, 1, 1}
	required := code.required
	if !r.HasLocal {
		switch {
		case empty:
			return local, CL_SUCCESS
		case required[0] == 0:
			return a.suggestLocal(d, code, int(r.Dims), global), CL_SUCCESS
		}
		local = required
	} else {
		copy(local[:], r.Local[:r.Dims])
	}
	for i := range local {
		// CL_INVALID_WORK_GROUP_SIZE if local_work_size is not NULL, if the work-group size must be uniform, and if the
		// global_work_size is not evenly divisible by the local_work_size, or if the total number of work-items in the work-group
		// is zero
		if local[i] == 0 || code.uniform && global[i]%local[i] != 0 {
			return local, CL_INVALID_WORK_GROUP_SIZE
		}
		// or if the local_work_size does not match the required work-group size for kernel
		if required[0] != 0 && local[i] != required[i] {
			return local, CL_INVALID_WORK_GROUP_SIZE
		}
	}
	// CL_INVALID_WORK_ITEM_SIZE if the number of work-items specified in any dimension of local_work_size is greater than the
	// corresponding value returned for CL_DEVICE_MAX_WORK_ITEM_SIZES
	limit := uint64(d.roc.Info().MaxWorkGroup)
	for _, n := range local {
		if n > limit {
			return local, CL_INVALID_WORK_ITEM_SIZE
		}
	}
	// CL_INVALID_WORK_GROUP_SIZE if the total number of work-items in the work-group is greater than the maximum work-group size
	// supported for kernel on the device (CL_KERNEL_WORK_GROUP_SIZE)
	if local[0]*local[1]*local[2] > code.maxLocal {
		return local, CL_INVALID_WORK_GROUP_SIZE
	}
	return local, CL_SUCCESS
}

// suggestion is a work-group size chosen for a kernel and a global size, kept because choosing takes longer than a launch.
type suggestion struct {
	code          *kernelCode
	dims          int
	global, local [3]uint64
}

// suggestLocal chooses a work-group size. a is locked.
func (a *kernelArgs) suggestLocal(d *Device, code *kernelCode, dims int, global [3]uint64) [3]uint64 {
	if s := &a.suggested; s.code != code || s.dims != dims || s.global != global {
		*s = suggestion{code, dims, global, d.roc.SuggestLocal(code.kernel, dims, global, code.uniform)}
	}
	return a.suggested.local
}
