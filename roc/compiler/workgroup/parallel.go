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
	// One for each loop, since a loop's metadata is its identity. Unrolling is left to the vectoriser: unrolled work-item
	// loops cost more time to compile than they win.
	inner []llvm.Metadata
	outer []llvm.Metadata
}

// newParallel makes the metadata for n nests of loops. The C API makes no distinct nodes, so they come from text.
func newParallel(m llvm.Module, nests int) (*parallel, error) {
	var code, nodes strings.Builder
	n := 3 * nests
	code.WriteString("define void @f(ptr %p) {\n%x = load i8, ptr %p, !llvm.access.group !0\nret void\n")
	nodes.WriteString("!0 = distinct !{}\n!1 = !{!\"llvm.loop.parallel_accesses\", !0}\n!2 = !{!\"llvm.loop.unroll.disable\"}\n")
	for k := range n {
		fmt.Fprintf(&code, "l%d: br label %%l%d, !llvm.loop !%d\n", k, k, k+3)
		more := ""
		if k%3 == 0 {
			more = ", !1"
		}
		fmt.Fprintf(&nodes, "!%d = distinct !{!%d, !2%s}\n", k+3, k+3, more)
	}
	t, err := m.Context().ParseIR(code.String() + "}\n" + nodes.String())
	if err != nil {
		return nil, err
	}
	defer t.Dispose() // the nodes belong to the context
	p := &parallel{c: m.Context()}
	access, loop := p.c.MDKind("llvm.access.group"), p.c.MDKind("llvm.loop")
	for k, b := range t.Function("f").Blocks() {
		switch {
		case k == 0:
			p.access = b.First().Metadata(access).AsMetadata()
		case k%3 == 1:
			p.inner = append(p.inner, b.Terminator().Metadata(loop).AsMetadata())
		default:
			p.outer = append(p.outer, b.Terminator().Metadata(loop).AsMetadata())
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

// nest marks the branches back of three nested work-item loops, the innermost first.
func (p *parallel) nest(back [3]llvm.Value) {
	if p == nil {
		return
	}
	kind := p.c.MDKind("llvm.loop")
	back[0].SetMetadata(p.c, kind, p.inner[0])
	back[1].SetMetadata(p.c, kind, p.outer[0])
	back[2].SetMetadata(p.c, kind, p.outer[1])
	p.inner, p.outer = p.inner[1:], p.outer[2:]
}
