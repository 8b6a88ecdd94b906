package workgroup

import "aqueduct/roc/compiler/llvm"

// exchangeItem is how many bytes a work-item has in the memory that collective functions use: two numbers, those of sub-groups
// three.
var exchangeItem = map[QueryKind]uint32{Exchange: 16, SubGroupExchange: 24}

// placeExchange takes the memory for collective functions from the start of the frame, if the kernel has such functions. It
// is as large for the last, smaller group as for others, so that its size has to be computed once.
func (w *Wrapper) placeExchange(kernel llvm.Value) {
	b := w.B
	for _, k := range []QueryKind{Exchange, SubGroupExchange} {
		if !calls(w.m, kernel, queryNames[k].name) {
			continue
		}
		w.Exchange += exchangeItem[k]
		w.exchanges[k] = b.Cast(llvm.OpAddrSpaceCast, w.Frame, w.c.Ptr(spaceLocal))
		w.Frame = b.InBoundsGEP(w.c.I8(), w.Frame, b.Mul(w.padded(w.items(w.Enqueued)), w.C(int64(exchangeItem[k]))))
	}
}

// items is the product of a size's dimensions.
func (w *Wrapper) items(size [3]llvm.Value) llvm.Value {
	return w.B.Mul(w.B.Mul(size[0], size[1]), size[2])
}
