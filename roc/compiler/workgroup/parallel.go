package workgroup

import (
	"fmt"
	"strings"

	"aqueduct/roc/compiler/llvm"
)

// parallel tells LLVM that the iterations of work-item loops do not depend on each other: work-items that touch the same
// memory without a barrier between them race (OpenCL C 3.0 section 6.15.8), except by atomics, which are not marked.
type parallel struct {
	c      llvm.Context
	access llvm.Metadata
	loops  []llvm.Metadata // one for each loop, since a loop's metadata is its identity
}

// newParallel makes the metadata for n loops. The C API makes no distinct nodes, so they come from text.
func newParallel(m llvm.Module, n int) (*parallel, error) {
	var code, nodes strings.Builder
	code.WriteString("define void @f(ptr %p) {\n%x = load i8, ptr %p, !llvm.access.group !0\nret void\n")
	nodes.WriteString("!0 = distinct !{}\n!1 = !{!\"llvm.loop.parallel_accesses\", !0}\n")
	for k := range n {
		fmt.Fprintf(&code, "l%d: br label %%l%d, !llvm.loop !%d\n", k, k, k+2)
		fmt.Fprintf(&nodes, "!%d = distinct !{!%d, !1}\n", k+2, k+2)
	}
	t, err := m.Context().ParseIR(code.String() + "}\n" + nodes.String())
	if err != nil {
		return nil, err
	}
	defer t.Dispose() // the nodes belong to the context
	p := &parallel{c: m.Context()}
	access, loop := p.c.MDKind("llvm.access.group"), p.c.MDKind("llvm.loop")
	for k, b := range t.Function("f").Blocks() {
		if k == 0 {
			p.access = b.First().Metadata(access).AsMetadata()
		} else {
			p.loops = append(p.loops, b.Terminator().Metadata(loop).AsMetadata())
		}
	}
	return p, nil
}

// mark takes every access of an item function that cannot be to memory which work-items use one after the other: their
// private variables, unless these are in the frame and so apart.
func (p *parallel) mark(f llvm.Value, apart bool) {
	kind := p.c.MDKind("llvm.access.group")
	for _, b := range f.Blocks() {
		for i := b.First(); i != 0; i = i.Next() {
			at := 0
			switch i.Opcode() {
			case llvm.OpLoad:
			case llvm.OpStore:
				at = 1
			default:
				continue
			}
			a := i.Operand(at)
			switch a.Type().AddressSpace() {
			case spaceGlobal, spaceConstant, spaceLocal:
			case spacePrivate, spaceGeneric:
				if !apart && !ofArgument(a) {
					continue
				}
			}
			if i.Ordering() == llvm.NotAtomic && !i.IsVolatile() {
				i.SetMetadata(p.c, kind, p.access)
			}
		}
	}
}

// ofArgument says whether an address is one an argument holds: that of a structure passed by value, say.
func ofArgument(a llvm.Value) bool {
	for a.IsInstruction() && a.Opcode() == llvm.OpGetElementPtr {
		a = a.Operand(0)
	}
	return a.IsArgument()
}

// accesses marks one load or store.
func (p *parallel) accesses(i llvm.Value) {
	if p != nil {
		i.SetMetadata(p.c, p.c.MDKind("llvm.access.group"), p.access)
	}
}

// loop marks the branch back of a work-item loop.
func (p *parallel) loop(back llvm.Value) {
	if p == nil {
		return
	}
	back.SetMetadata(p.c, p.c.MDKind("llvm.loop"), p.loops[0])
	p.loops = p.loops[1:]
}
