package workgroup

import (
	"slices"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// barrierNames are the work-group barriers, as clang mangles them.
var barrierNames = []string{"_Z7barrierj", "_Z18work_group_barrierj", "_Z18work_group_barrierj12memory_scope"}

// IsBarrier says whether a function is a work-group barrier.
func IsBarrier(name string) bool { return slices.Contains(barrierNames, name) }

// IsMarker says whether a function needs no definition, since the transforms replace its calls: queries, barriers, the access
// to images, printf, meetings of sub-groups.
func IsMarker(name string) bool {
	for _, n := range queryNames {
		if n.name == name {
			return true
		}
	}
	return IsBarrier(name) || name == ImageFetch || name == ImageStore || name == printFunction || name == printBegin || IsPrint(name) ||
		name == subGroupMeet || name == subGroupActive || LinkedLate(name)
}

// LinkedLate says whether a function is one of builtins/device_queue.cl or pipe_reserve.cl, which are linked when the transforms
// are through. Each work-item has it called for itself, and gets a result of its own.
func LinkedLate(name string) bool {
	return strings.HasPrefix(name, "aqueduct_device_") || name == "aqueduct_pipe_reserve"
}

// findBarriers lists a kernel's calls of work-group barriers.
func findBarriers(m llvm.Module, kernel llvm.Value) (r []llvm.Value) {
	for _, n := range barrierNames {
		r = append(r, callsOf(m, kernel, n)...)
	}
	return r
}

// callsOf lists a kernel's calls of a function.
func callsOf(m llvm.Module, kernel llvm.Value, name string) (r []llvm.Value) {
	f := m.Function(name)
	if f == 0 {
		return nil
	}
	for _, call := range f.Users() {
		if call.IsInstruction() && call.Block().Parent() == kernel {
			r = append(r, call)
		}
	}
	return r
}

// calls says whether a kernel calls a function.
func calls(m llvm.Module, kernel llvm.Value, name string) bool {
	return len(callsOf(m, kernel, name)) > 0
}
