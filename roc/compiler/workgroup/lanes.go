package workgroup

import (
	"slices"
	"strconv"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// Functions of lanes are what the builtin library makes functions of sub-groups of: aqueduct_lanes_take, say, of a type. The
// vectoriser makes operations on registers of them; for the scalar form SettleSubGroups inlines their bodies, in which the
// work-items of a sub-group meet. Until then they stay calls, which no pass may move into or out of a condition.
const lanesPrefix = "aqueduct_lanes_"

// LaneKind is what a function of lanes does with the values of the work-items of a sub-group that are at the call.
type LaneKind uint8

const (
	LanesReduce    LaneKind = iota // all get what an operator makes of all values
	LanesInclusive                 // each gets what it makes of those up to its own
	LanesExclusive                 // of those before its own
	LanesCluster                   // of those of its neighbours, as many as the second argument says
	LanesTake                      // each gets the value of the one that its second argument names
	LanesFirst                     // all get that of the first one
	LanesBallot                    // a bit for each whose value is not zero
	LanesEqual                     // whether all have the same
	LanesMeet                      // nothing
	LanesActive                    // a bit for each, see subGroupActive
)

var laneKinds = map[string]LaneKind{"reduce": LanesReduce, "inclusive": LanesInclusive, "exclusive": LanesExclusive, "cluster": LanesCluster,
	"take": LanesTake, "first": LanesFirst, "ballot": LanesBallot, "equal": LanesEqual}

// LaneFunction is a function of lanes.
type LaneFunction struct {
	Kind     LaneKind
	Operator string // add, mul, min, max, and, or, xor; of those that have one
	Signed   bool   // the values are signed integers
}

// AsLaneFunction says what a function of lanes, of which it has the mangled name, does. A meeting, and who met, are such too.
func AsLaneFunction(symbol string) (f LaneFunction, ok bool) {
	switch symbol {
	case subGroupMeet:
		return LaneFunction{Kind: LanesMeet}, true
	case subGroupActive:
		return LaneFunction{Kind: LanesActive}, true
	}
	name, params, ok := splitLanes(symbol)
	if !ok {
		return f, false
	}
	kind, operator, _ := strings.Cut(name, "_")
	f.Operator = operator
	f.Kind, ok = laneKinds[kind]
	f.Signed = strings.ContainsAny(params[:min(1, len(params))], "csil") // char, short, int, long in the C++ ABI of Itanium
	return f, ok
}

// splitLanes takes a mangled name apart: what follows the prefix, and the types of the parameters.
func splitLanes(symbol string) (name, params string, ok bool) {
	at := strings.Index(symbol, lanesPrefix)
	if at < 3 || !strings.HasPrefix(symbol, "_Z") {
		return "", "", false
	}
	n, err := strconv.Atoi(symbol[2:at])
	if err != nil || n < len(lanesPrefix) || at+n > len(symbol) {
		return "", "", false
	}
	return symbol[at+len(lanesPrefix) : at+n], symbol[at+n:], true
}

func isLanes(symbol string) bool {
	_, _, ok := splitLanes(symbol)
	return ok
}

// laneCalls lists the calls of functions of lanes, by kernel.
func laneCalls(m llvm.Module, kernels []llvm.Value) map[llvm.Value][]llvm.Value {
	r := map[llvm.Value][]llvm.Value{}
	for _, f := range m.Functions() {
		if !isLanes(f.Name()) {
			continue
		}
		for _, call := range f.Users() {
			if k := call.Block().Parent(); slices.Contains(kernels, k) {
				r[k] = append(r[k], call)
			}
		}
	}
	return r
}

// inlineLanes puts the bodies of functions of lanes into the kernels that call them. Other callers keep the calls.
func inlineLanes(m llvm.Module, tm llvm.TargetMachine, calls map[llvm.Value][]llvm.Value) error {
	if len(calls) == 0 {
		return nil
	}
	inline := m.Context().EnumAttribute("alwaysinline", 0)
	for _, list := range calls {
		for _, call := range list {
			call.AddCallAttribute(llvm.FunctionIndex, inline)
		}
	}
	return m.RunPasses("always-inline,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg)", tm, llvm.PassOptions{})
}

// DiscardLanes takes away the functions of lanes that nothing calls any more: what their bodies call is not to be linked.
func DiscardLanes(m llvm.Module) {
	for _, f := range m.Functions() {
		if isLanes(f.Name()) && !f.HasUses() {
			f.DeleteFunction()
		}
	}
}
