package pipeline

import (
	"context"
	"fmt"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// checkSubGroups refuses a kernel that asks for sub-groups of another size than they have (cl_intel_required_subgroup_size).
func (b *build) checkSubGroups(ctx context.Context, kernels []llvm.Value, infos map[llvm.Value]*codeobject.KernelInfo) error {
	for _, f := range kernels {
		k := infos[f]
		if k.ReqdSubGroupSize == 0 || k.ReqdSubGroupSize == codeobject.SubGroupSize {
			continue
		}
		where := ""
		if m := b.withLines(ctx); m != 0 {
			where = firstLine(m.Function(k.Name))
			m.Dispose()
		}
		return fmt.Errorf("%serror: kernel %s requires sub-groups of %d work-items; this device has %d", where, k.Name,
			k.ReqdSubGroupSize, codeobject.SubGroupSize)
	}
	return nil
}

// firstLine is the place of the first instruction of f that has one.
func firstLine(f llvm.Value) string {
	if f == 0 {
		return ""
	}
	for _, bb := range f.Blocks() {
		for i := bb.First(); i != 0; i = i.Next() {
			if where := place(i); where != "" {
				return where
			}
		}
	}
	return ""
}
