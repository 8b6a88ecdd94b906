package pipeline

import "aqueduct/roc/compiler/llvm"

// mostData bounds the variables and constants of program scope, bytes: they are part of the code, zeros too, which is kept in several
// places.
const mostData = 256 << 20

// declared is how many bytes the variables of m take: data is those of program scope, other those of local and private memory. Each
// counts as 1 TiB at most.
func declared(m llvm.Module) (data, other uint64) {
	const local, most = 3, 1 << 40
	for _, g := range m.Globals() {
		size := min(m.Layout().Size(g.ValueType()), most)
		if g.Type().AddressSpace() == local {
			other += size
		} else {
			data += size
		}
	}
	for _, f := range m.Functions() {
		if f.IsDeclaration() {
			continue
		}
		for i := f.Entry().First(); i != 0; i = i.Next() { // where clang has them all
			if i.Opcode() == llvm.OpAlloca {
				other += min(m.Layout().Size(i.AllocatedType()), most)
			}
		}
	}
	return data, other
}
