package main

import (
	"slices"
	"unsafe"

	"aqueduct/cl"
)

// queueList decodes a list of command-queues.
func queueList(n uint32, list cl.Addr) ([]*cl.Queue, cl.Status) {
	// CL_INVALID_VALUE if queues is NULL, or if num_queues is zero
	if n == 0 || list == 0 {
		return nil, cl.CL_INVALID_VALUE
	}
	queues, ok := objects[cl.Queue](list, n, cl.KindQueue)
	// CL_INVALID_COMMAND_QUEUE if any command-queue in queues is not a valid command-queue
	if !ok {
		return nil, cl.CL_INVALID_COMMAND_QUEUE
	}
	return queues, cl.CL_SUCCESS
}

func clCreateCommandBufferKHR(n uint32, list, props cl.Addr) (*cl.CommandBuffer, cl.Status) {
	queues, st := queueList(n, list)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	return cl.CreateCommandBuffer(queues, knownProperties(props, cl.CommandBufferProperties))
}

func clRetainCommandBufferKHR(b *cl.CommandBuffer) cl.Status   { return b.Retain() }
func clReleaseCommandBufferKHR(b *cl.CommandBuffer) cl.Status  { return b.Release() }
func clFinalizeCommandBufferKHR(b *cl.CommandBuffer) cl.Status { return b.Finalize() }

func clGetCommandBufferInfoKHR(b *cl.CommandBuffer, param uint32, out cl.Out) cl.Status {
	return b.Info(param, out)
}

func clEnqueueCommandBufferKHR(n uint32, list cl.Addr, b *cl.CommandBuffer, s cl.Sync) (*cl.Event, cl.Status) {
	// CL_INVALID_VALUE if queues is NULL and num_queues is > 0, or queues is not NULL and num_queues is 0
	if n == 0 && list == 0 {
		return b.Enqueue(nil, s)
	}
	queues, st := queueList(n, list)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	return b.Enqueue(queues, s)
}

// knownProperties is properties, but for what follows a name that is not among known: it may not be a list at all.
func knownProperties(at cl.Addr, known []uint64) []uint64 {
	if at == 0 {
		return nil
	}
	var out []uint64
	for ; ; at += 16 {
		pair := (*[2]uint64)(at.Pointer())
		name := pair[0]
		out = append(out, name)
		if name == 0 {
			return out
		}
		if !slices.Contains(known, name) {
			return append(out, 0, 0)
		}
		out = append(out, pair[1])
	}
}

func clRemapCommandBufferKHR(b *cl.CommandBuffer, automatic, n uint32, list cl.Addr, handles uint32, from, to cl.Addr) (*cl.CommandBuffer, cl.Status) {
	// CL_INVALID_VALUE if handles or handles_ret is NULL and num_handles is > 0, or either is not NULL and num_handles is 0
	if (handles == 0) != (from == 0) || (handles == 0) != (to == 0) {
		return nil, cl.CL_INVALID_VALUE
	}
	queues, st := queueList(n, list)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	var commands []*cl.MutableCommand
	if handles > 0 {
		for _, h := range array[uintptr](uintptr(from), handles) {
			commands = append(commands, (*cl.MutableCommand)(find(h, cl.KindMutableCommand)))
		}
	}
	copied, copies, st := b.Remap(automatic != 0, queues, commands)
	if st != cl.CL_SUCCESS {
		return nil, st
	}
	for _, c := range copies {
		if c.Handle() == 0 && !newHandle(&c.Object) {
			copied.Release()
			return nil, cl.CL_OUT_OF_HOST_MEMORY
		}
	}
	for i, c := range copies {
		array[uintptr](uintptr(to), handles)[i] = c.Handle()
	}
	return copied, cl.CL_SUCCESS
}

// mutableArg is cl_mutable_dispatch_arg_khr, mutableInfo is cl_mutable_dispatch_exec_info_khr.
type mutableArg struct {
	index uint32
	size  uintptr
	value cl.Addr
}

type mutableInfo struct {
	param uint32
	size  uintptr
	value cl.Addr
}

// mutableConfig is cl_mutable_dispatch_config_khr.
type mutableConfig struct {
	command                             uintptr
	numArgs, numSVMArgs, numInfos, dims uint32
	args, svmArgs, infos                cl.Addr
	globalOffset, globalSize, localSize cl.Addr
}

func clUpdateMutableCommandsKHR(b *cl.CommandBuffer, n uint32, types, configs cl.Addr) cl.Status {
	if st := b.CheckMutable(); st != cl.CL_SUCCESS {
		return st
	}
	// CL_INVALID_VALUE if config_types or configs is NULL and num_configs > 0, or is not NULL and num_configs is 0
	if (n == 0) != (types == 0) || (n == 0) != (configs == 0) {
		return cl.CL_INVALID_VALUE
	}
	updates := make([]cl.Update, n)
	for i := range updates {
		// CL_INVALID_VALUE if any element of config_types is not a valid cl_command_buffer_update_type_khr enum, or if any element of
		// configs is NULL
		config := array[cl.Addr](uintptr(configs), n)[i]
		if array[uint32](uintptr(types), n)[i] != cl.CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR || config == 0 {
			return cl.CL_INVALID_VALUE
		}
		var st cl.Status
		if updates[i], st = (*mutableConfig)(config.Pointer()).decode(); st != cl.CL_SUCCESS {
			return st
		}
	}
	return b.Update(updates)
}

func (m *mutableConfig) decode() (u cl.Update, st cl.Status) {
	// CL_INVALID_MUTABLE_COMMAND_KHR if command is not a valid mutable command object
	u.Command = (*cl.MutableCommand)(find(m.command, cl.KindMutableCommand))
	if u.Command == nil {
		return u, cl.CL_INVALID_MUTABLE_COMMAND_KHR
	}
	// CL_INVALID_VALUE if arg_list, arg_svm_list or exec_info_list is NULL and its number > 0, or is not NULL and its number is 0
	if (m.numArgs == 0) != (m.args == 0) || (m.numSVMArgs == 0) != (m.svmArgs == 0) || (m.numInfos == 0) != (m.infos == 0) {
		return u, cl.CL_INVALID_VALUE
	}
	u.Dims, u.Args, u.Infos = m.dims, m.numArgs+m.numSVMArgs > 0, m.numInfos > 0
	for _, p := range [...]struct {
		to **[3]uint64
		at cl.Addr
	}{{&u.Offset, m.globalOffset}, {&u.Global, m.globalSize}, {&u.Local, m.localSize}} {
		if p.at != 0 {
			*p.to = &[3]uint64{}
			copy((*p.to)[:], unsafe.Slice((*uint64)(p.at.Pointer()), u.Command.Dims()))
		}
	}
	u.Set = m.set
	return u, cl.CL_SUCCESS
}

// set gives k the arguments and the execution information of m.
func (m *mutableConfig) set(k *cl.Kernel) cl.Status {
	if m.numArgs > 0 {
		for _, a := range array[mutableArg](uintptr(m.args), m.numArgs) {
			if st := clSetKernelArg(k, a.index, a.size, a.value); st != cl.CL_SUCCESS {
				return st
			}
		}
	}
	if m.numSVMArgs > 0 {
		for _, a := range array[mutableArg](uintptr(m.svmArgs), m.numSVMArgs) {
			if st := clSetKernelArgSVMPointer(k, a.index, a.value); st != cl.CL_SUCCESS {
				return st
			}
		}
	}
	if m.numInfos > 0 {
		for _, i := range array[mutableInfo](uintptr(m.infos), m.numInfos) {
			if st := clSetKernelExecInfo(k, i.param, i.size, i.value); st != cl.CL_SUCCESS {
				return st
			}
		}
	}
	return cl.CL_SUCCESS
}

func clGetMutableCommandInfoKHR(c *cl.MutableCommand, param uint32, out cl.Out) cl.Status {
	return c.Info(param, out)
}
