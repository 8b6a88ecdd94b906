package workgroup

import "aqueduct/roc/compiler/llvm"

// QueryKind is a question a kernel asks about its place in the NDRange (OpenCL C 3.0 section 6.15.1).
type QueryKind uint8

const (
	GlobalID QueryKind = iota
	LocalID
	GroupID
	GlobalSize
	LocalSize
	EnqueuedLocalSize
	NumGroups
	GlobalOffset
	WorkDim
	SubGroupID
	SubGroupLocalID
	SubGroupSize
	MaxSubGroupSize
	NumSubGroups
	EnqueuedNumSubGroups
	// What follows has no name in OpenCL C.

	// GroupSegment is the address of the group's local memory, a pointer in address space 3: PlaceLocals asks it for
	// kernel-scope __local variables.
	GroupSegment
	// PrintBuffer is the address of the codeobject.PrintBuffer.
	PrintBuffer
	// Services is codeobject.Context.Services.
	Services
	// Exchange is the address of some bytes (exchangeItem) for each work-item of the group, in address space 3: collective functions
	// ask for it (builtins/exchange.h).
	Exchange
	// SubGroupExchange is the like for functions of sub-groups, apart because sub-groups may be at different functions.
	SubGroupExchange
	// Lent is the address of the codeobject.Context: functions that tell address spaces ask for it (builtins/space.cl).
	Lent
	numKinds
)

// Query is a question about one dimension (0 to 2; 0 where the question has none).
type Query struct {
	Kind QueryKind
	Dim  int
}

// PerItem says whether the work-items of a group get different answers.
func (q Query) PerItem() bool {
	return q.Kind == GlobalID || q.Kind == LocalID || q.Kind >= SubGroupID && q.Kind <= SubGroupSize
}

// InDimension says whether the question is about one dimension of the NDRange.
func (q Query) InDimension() bool { return q.Kind <= GlobalOffset }

// OfSubGroup says whether the question is about sub-groups (OpenCL C 3.0 section 6.15.19).
func (q Query) OfSubGroup() bool {
	return q.Kind >= SubGroupID && q.Kind <= EnqueuedNumSubGroups || q.Kind == SubGroupExchange
}

// Type is the type of the answer.
func (q Query) Type(c llvm.Context) llvm.Type {
	switch q.Kind {
	case WorkDim, SubGroupID, SubGroupLocalID, SubGroupSize, MaxSubGroupSize, NumSubGroups, EnqueuedNumSubGroups:
		return c.I32()
	case GroupSegment, Exchange, SubGroupExchange:
		return c.Ptr(spaceLocal)
	case PrintBuffer, Services, Lent:
		return c.Ptr(spacePrivate)
	}
	return c.I64()
}

// Address spaces of -ffake-address-space-map.
const (
	spacePrivate  = 0
	spaceGlobal   = 1
	spaceConstant = 2
	spaceLocal    = 3
	spaceGeneric  = 4
)

// queryNames are the functions by which a kernel asks, as clang mangles them. outside is the answer for a dimension of
// three or more.
var queryNames = [numKinds]struct {
	name    string
	outside int64
}{
	GlobalID:          {"_Z13get_global_idj", 0},
	LocalID:           {"_Z12get_local_idj", 0},
	GroupID:           {"_Z12get_group_idj", 0},
	GlobalSize:        {"_Z15get_global_sizej", 1},
	LocalSize:         {"_Z14get_local_sizej", 1},
	EnqueuedLocalSize: {"_Z23get_enqueued_local_sizej", 1},
	NumGroups:         {"_Z14get_num_groupsj", 1},
	GlobalOffset:      {"_Z17get_global_offsetj", 0},
	WorkDim:           {"_Z12get_work_dimv", 0},
	GroupSegment:      {"aqueduct.group_segment", 0},
	PrintBuffer:       {"aqueduct.print_buffer", 0},
	Services:          {"aqueduct_enqueues", 0},
	Exchange:          {"aqueduct_exchange", 0},

	SubGroupID:           {"_Z16get_sub_group_idv", 0},
	SubGroupLocalID:      {"_Z22get_sub_group_local_idv", 0},
	SubGroupSize:         {"_Z18get_sub_group_sizev", 0},
	MaxSubGroupSize:      {"_Z22get_max_sub_group_sizev", 0},
	NumSubGroups:         {"_Z18get_num_sub_groupsv", 0},
	EnqueuedNumSubGroups: {"_Z27get_enqueued_num_sub_groupsv", 0},
	SubGroupExchange:     {"aqueduct_sub_group_exchange", 0},
	Lent:                 {"aqueduct_context", 0},
}

func (k QueryKind) hasDim() bool { return k < WorkDim }

// Queries lists the calls by which a prepared kernel asks each question. The transforms replace them by values.
func Queries(m llvm.Module, kernel llvm.Value) map[Query][]llvm.Value {
	r := map[Query][]llvm.Value{}
	for k, n := range queryNames {
		f := m.Function(n.name)
		if f == 0 {
			continue
		}
		for _, call := range f.Users() {
			if !call.IsInstruction() || call.Block().Parent() != kernel {
				continue
			}
			q := Query{Kind: QueryKind(k)}
			if q.Kind.hasDim() {
				q.Dim = int(call.Operand(0).Uint())
			}
			r[q] = append(r[q], call)
		}
	}
	return r
}

// askPointer calls a query that has a pointer for an answer.
func askPointer(m llvm.Module, b llvm.Builder, k QueryKind) llvm.Value {
	c := m.Context()
	t := llvm.Function(Query{Kind: k}.Type(c))
	f := m.Function(queryNames[k].name)
	if f == 0 {
		f = m.AddFunction(queryNames[k].name, t)
		for _, a := range []string{"nounwind", "willreturn", "memory"} {
			f.AddAttribute(llvm.FunctionIndex, c.EnumAttribute(a, 0))
		}
	}
	return b.Call(t, f)
}

// canonicalQueries leaves only queries of a constant dimension below three: others become constants, selections between
// the three dimensions, or (linear ids) arithmetic.
func canonicalQueries(m llvm.Module, b llvm.Builder) {
	c := m.Context()
	i32, i64 := c.I32(), c.I64()
	ask := func(k QueryKind, dim int64) llvm.Value {
		t := llvm.Function(i64, i32)
		f := m.Function(queryNames[k].name)
		if f == 0 {
			f = m.AddFunction(queryNames[k].name, t)
			for _, a := range []string{"nounwind", "willreturn"} {
				f.AddAttribute(llvm.FunctionIndex, c.EnumAttribute(a, 0))
			}
			f.AddAttribute(llvm.FunctionIndex, c.EnumAttribute("memory", 0))
		}
		return b.Call(t, f, i32.ConstInt(dim))
	}
	replace := func(call, v llvm.Value) {
		call.ReplaceUses(v)
		call.Erase()
	}
	// get_global_linear_id: OpenCL C 3.0 section 6.15.1, with the global offset taken off.
	linear := func(name string, id, size QueryKind, offset bool) {
		f := m.Function(name)
		if f == 0 || !f.IsDeclaration() {
			return
		}
		for _, call := range f.Users() {
			b.Before(call)
			at := func(d int64) llvm.Value {
				v := ask(id, d)
				if offset {
					v = b.Sub(v, ask(GlobalOffset, d))
				}
				return v
			}
			plane := b.Add(b.Mul(at(2), ask(size, 1)), at(1))
			replace(call, b.Add(b.Mul(plane, ask(size, 0)), at(0)))
		}
	}
	linear("_Z20get_global_linear_idv", GlobalID, GlobalSize, true)
	linear("_Z19get_local_linear_idv", LocalID, LocalSize, false)

	for k, n := range queryNames {
		f := m.Function(n.name)
		if f == 0 || !QueryKind(k).hasDim() {
			continue
		}
		outside := i64.ConstInt(n.outside)
		for _, call := range f.Users() {
			dim := call.Operand(0)
			switch {
			case !dim.IsConstantInt():
				b.Before(call)
				v := outside
				for d := int64(2); d >= 0; d-- {
					v = b.Select(b.ICmp(llvm.IntEQ, dim, i32.ConstInt(d)), ask(QueryKind(k), d), v)
				}
				replace(call, v)
			case dim.Uint() > 2:
				replace(call, outside)
			}
		}
	}
}
