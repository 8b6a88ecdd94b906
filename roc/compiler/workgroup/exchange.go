package workgroup

import "aqueduct/roc/compiler/llvm"

// exchangeItem is how many bytes a work-item has in the memory that collective functions use: two numbers.
const exchangeItem = 16

// placeExchange takes the memory for collective functions from the start of the frame, if the kernel has such functions. It
// is as large for the last, smaller group as for others, so that its size has to be computed once.
func (w *Wrapper) placeExchange(kernel llvm.Value) {
	if !calls(w.m, kernel, queryNames[Exchange].name) {
		return
	}
	w.Exchange = exchangeItem
	items := w.B.Mul(w.B.Mul(w.Enqueued[0], w.Enqueued[1]), w.Enqueued[2])
	w.exchange = w.B.Cast(llvm.OpAddrSpaceCast, w.Frame, w.c.Ptr(spaceLocal))
	w.Frame = w.B.InBoundsGEP(w.c.I8(), w.Frame, w.B.Mul(w.padded(items), w.C(exchangeItem)))
}
