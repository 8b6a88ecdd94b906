package wfv

import "aqueduct/roc/compiler/llvm"

// What a vector form costs to compile grows with its instructions, of which a kernel of vectors, gathers and calls makes many
// times its own. Past these numbers of them, forms are fewer and narrower, and in the end there is none.
const (
	formBudget   = 3000 // in more than this there is one form only, which takes masks: it runs whole vectors as well
	kernelBudget = 8000 // more than this is left to the scalar form
)

// estimate guesses the instructions of the wide function for w lanes.
func (k *kernel) estimate(a *Shapes, w int) int {
	_, bytes := k.target.registers()
	n := 0
	for _, b := range k.data.order {
		for _, v := range b.instrs {
			_, query := k.queries[v]
			lanes := false
			if s := k.data.subGroups; s != nil {
				_, lanes = s.calls[v]
			}
			switch t := v.t; {
			case query:
				n++
			case lanes: // four steps of two instructions
				n += 8 * max(w*int(t.size)/bytes, 1)
			case v.op == llvm.OpLoad && gathered(a, v.args[0]):
				n += 3 * w * max(t.n, 1) // take an address out, load, put the value in
			case v.op == llvm.OpStore && gathered(a, v.args[1]):
				n += 3 * w * max(v.args[0].t.n, 1)
			case v.op == llvm.OpAtomicRMW, v.op == llvm.OpAtomicCmpXchg:
				n += 3 * w
			case v.op == llvm.OpCall && !elementwise[v.intrinsic()] && !ignored(v.intrinsic()):
				n += 3 * w
			case a.of(v).scalar():
				n++
			default:
				if v.op == llvm.OpStore {
					t = v.args[0].t
				}
				n += max(t.n, 1) * max(w*int(t.leaf().size)/bytes, 1)
			}
		}
	}
	return n
}

// fit halves the number of lanes until the form is within budget, but no lower than one register a value.
func (k *kernel) fit(a *Shapes) {
	_, bytes := k.target.registers()
	least := k.width
	if k.data.subGroups == nil {
		least = min(bytes/max(k.heat(a).widest, 4), k.width)
	}
	for k.options.Width == 0 && k.width > least && k.estimate(a, k.width) > kernelBudget {
		k.width /= 2
		k.report.Reason = "few lanes: a large kernel"
	}
	if n := k.estimate(a, k.width); n > kernelBudget && k.options.Width == 0 {
		fail("its vector form would be some %d instructions", n)
	}
}
