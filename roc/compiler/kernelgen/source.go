package kernelgen

// Prelude stands in front of any number of kernels in one source.
const Prelude = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\ntypedef struct { uchar a; uint b[4]; long d; } scalars;\n"

// Source is the kernel in OpenCL C; it needs the Prelude, and no builtins other than work-item functions, barriers and printf,
// unless NewCalling made it.
func (k *Kernel) Source() string {
	p := &printer{}
	if r := k.Required; r[0] > 0 {
		p.line("__attribute__((reqd_work_group_size(%d, %d, %d)))", r[0], r[1], r[2])
	}
	p.line("kernel void %s(global ulong *out, global const uint *in, global const uint *zero, global uint *acc, global half *h,", k.Name)
	p.line("\t\tscalars s, uint u, char c, long l, short4 v, local uint *ex) {")
	p.depth++
	p.line("local uint own[%d];", MaxItems)
	if k.Barriers {
		p.line("local uint sums[%d];", accLen)
	}
	p.line("const uint i = get_global_linear_id(), lid = get_local_linear_id();")
	p.line("const ulong at = get_global_linear_id();")
	p.line("const uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);")
	p.line("own[lid] = ex[lid] = 0;")
	for _, v := range k.vars {
		if v.array > 0 {
			p.line("%v %s[%d] = {};", v.t, v.name, v.array)
		} else {
			p.line("%v %s = 0;", v.t, v.name)
		}
	}
	p.depth--
	k.body.print(p)
	p.line("}")
	return p.String()
}

// clearSums is how every kernel with barriers starts: a loop whose trip count differs between work-items.
type clearSums struct{}

func (clearSums) print(p *printer) {
	p.line("for (uint j = lid; j < %du; j += items) sums[j] = 0;", accLen)
}
func (clearSums) run(*item) outcome { return goOn }
