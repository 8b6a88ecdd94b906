package spirv

// Instructions that become calls of builtin functions.

const (
	opTypePipe          = 38
	opFunctionParameter = 55
	opLoad              = 61
	opGetNumPipePackets = 283
	opGetMaxPipePackets = 284
	opEnqueueKernel     = 292
	opGetWorkGroupSize  = 295  // OpGetKernelWorkGroupSize
	opGetLocalSize      = 325  // OpGetKernelLocalSizeForSubgroupCount
	opGetMaxSubGroups   = 326  // OpGetKernelMaxNumSubgroups
	opReadClock         = 5056 // SPV_KHR_shader_clock

	pipeReadOnly = 0

	scopeWorkGroup = 2
	scopeSubGroup  = 3
)

// EnqueueMarker is the function that is called before each OpEnqueueKernel with the size and the alignment of the memory it passes,
// of which the translator does not tell.
const EnqueueMarker = "__aqueduct_enqueue"

// function is a builtin function, with the ids of its types.
type function struct {
	name   string // in OpenCL C, mangled
	result uint32
	params [3]uint32 // zeros behind the last one
}

// arguments are the ids of the arguments of the instruction that becomes a call of f.
func (f function) arguments(i instruction) []uint32 {
	if f.params[0] == 0 {
		return nil
	}
	return i.args[2:]
}

// calls are those of a module.
type calls struct {
	vectors map[uint32]bool   // types
	scopes  map[uint32]uint32 // values of constants
	access  map[uint32]uint32 // of types of pipes
	pipes   map[uint32]uint32 // types of values that are pipes
	void    uint32
	ids     map[function]uint32 // of the function; its type and parameters have the next ids
	order   []function
}

func newCalls() *calls {
	return &calls{vectors: map[uint32]bool{}, scopes: map[uint32]uint32{}, access: map[uint32]uint32{}, pipes: map[uint32]uint32{}, ids: map[function]uint32{}}
}

// see takes note of an instruction; they come in the module's order.
func (c *calls) see(i instruction) {
	switch {
	case i.op == opTypeVoid && len(i.args) == 1:
		c.void = i.args[0]
	case i.op == opTypeVector && len(i.args) > 0:
		c.vectors[i.args[0]] = true
	case i.op == opConstant && len(i.args) > 2:
		c.scopes[i.args[1]] = i.args[2]
	case i.op == opTypePipe && len(i.args) == 2:
		c.access[i.args[0]] = i.args[1]
	case (i.op == opFunctionParameter || i.op == opLoad) && len(i.args) > 1: // there is no other way to a pipe
		if _, ok := c.access[i.args[0]]; ok {
			c.pipes[i.args[1]] = i.args[0]
		}
	}
	if f, ok := c.of(i); ok {
		c.use(f)
	}
	if f, _, ok := c.before(i); ok {
		c.use(f)
	}
	if f, _, ok := c.subGroups(i); ok {
		c.use(f)
	}
}

// subGroups is the function that i is in terms of OpGetKernelWorkGroupSize, if there is one, and how many of the operands come before
// those that the two have in common.
func (c *calls) subGroups(i instruction) (f function, own int, ok bool) {
	switch {
	case i.op == opGetMaxSubGroups && len(i.args) == 6:
		return function{"__aqueduct_max_sub_groups", i.args[0], [3]uint32{i.args[0]}}, 0, true
	case i.op == opGetLocalSize && len(i.args) == 7:
		return function{"__aqueduct_local_size", i.args[0], [3]uint32{i.args[0], i.args[0]}}, 1, true
	}
	return function{}, 0, false
}

func (c *calls) use(f function) {
	if _, known := c.ids[f]; !known {
		c.ids[f] = 0
		c.order = append(c.order, f)
	}
}

// before is the function that is called before i, if there is one, and its arguments.
func (c *calls) before(i instruction) (function, []uint32, bool) {
	if i.op != opEnqueueKernel || len(i.args) < 12 {
		return function{}, nil, false
	}
	return function{EnqueueMarker, c.void, [3]uint32{i.args[0], i.args[0]}}, i.args[10:12], true
}

// of is the function that i becomes a call of, if it does.
func (c *calls) of(i instruction) (function, bool) {
	switch {
	case i.op == opReadClock && len(i.args) == 3:
		return function{name: clock(c.scopes[i.args[2]], c.vectors[i.args[0]]), result: i.args[0]}, true
	// The translator knows these, but takes the pipes of the whole module for what the first one is.
	case (i.op == opGetNumPipePackets || i.op == opGetMaxPipePackets) && len(i.args) == 5:
		t, ok := c.pipes[i.args[2]]
		name := "__get_pipe_num_packets"
		if i.op == opGetMaxPipePackets {
			name = "__get_pipe_max_packets"
		}
		if c.access[t] == pipeReadOnly {
			name += "_ro"
		} else {
			name += "_wo"
		}
		return function{name, i.args[0], [3]uint32{t, i.args[0], i.args[0]}}, ok
	}
	return function{}, false
}

func clock(scope uint32, hilo bool) string {
	switch scope {
	case scopeWorkGroup:
		if hilo {
			return "_Z26clock_read_hilo_work_groupv"
		}
		return "_Z21clock_read_work_groupv"
	case scopeSubGroup:
		if hilo {
			return "_Z25clock_read_hilo_sub_groupv"
		}
		return "_Z20clock_read_sub_groupv"
	}
	if hilo {
		return "_Z22clock_read_hilo_devicev"
	}
	return "_Z17clock_read_devicev"
}

// number gives the functions ids from bound on, and returns the new bound.
func (c *calls) number(bound uint32) uint32 {
	for _, f := range c.order {
		c.ids[f] = bound
		bound += 2 + uint32(len(f.params))
	}
	return bound
}

func (c *calls) decorate(out []uint32) []uint32 {
	for _, f := range c.order {
		args := append([]uint32{c.ids[f], decorationLinkage}, encode(f.name)...)
		out = emit(out, opDecorate, append(args, linkageImport)...)
	}
	return out
}

func (c *calls) declare(out []uint32) []uint32 {
	for _, f := range c.order {
		id := c.ids[f]
		var params []uint32
		for _, p := range f.params {
			if p != 0 {
				params = append(params, p)
			}
		}
		out = emit(out, opTypeFunction, append([]uint32{id + 1, f.result}, params...)...)
		out = emit(out, opFunction, f.result, id, 0, id+1)
		for i, p := range params {
			out = emit(out, opFunctionParameter, p, id+2+uint32(i))
		}
		out = emit(out, opFunctionEnd)
	}
	return out
}
