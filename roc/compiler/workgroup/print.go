package workgroup

import (
	"fmt"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// Calls of printf become records in the codeobject.PrintBuffer that the kernel is lent. Room for a record is asked for by a
// call of a function that nothing defines before DefinePrint does:
//
//	char *aqueduct_print_begin(PrintBuffer *, ulong size);
//
// Between it and the record's end nothing else of the thread may print, so kernels that print stay in scalar form.
const (
	printFunction = "printf"
	printBegin    = "aqueduct_print_begin"
)

// lowerPrintf replaces the calls of printf in a module. What arguments look like is up to the front end: as C passes them, a
// float2 is a double, say, and large vectors are in memory. Only their bytes count; the format says what they are.
func lowerPrintf(m llvm.Module, b llvm.Builder) error {
	f := m.Function(printFunction)
	if f == 0 || !f.IsDeclaration() {
		return nil
	}
	for _, call := range f.Users() {
		if !call.IsInstruction() || call.Opcode() != llvm.OpCall || call.Callee() != f {
			return fmt.Errorf("error: the address of printf is taken")
		}
		b.Before(call)
		if err := record(m, b, call); err != nil {
			return err
		}
		call.ReplaceUses(call.Type().Null())
		call.Erase()
	}
	return nil
}

// record writes the record of one call.
func record(m llvm.Module, b llvm.Builder, call llvm.Value) error {
	c, layout := m.Context(), m.Layout()
	ptr, i64 := c.Ptr(0), c.I64()
	word := func(v uint64) llvm.Value { return i64.ConstInt(int64(v)) }
	type argument struct {
		v      llvm.Value
		size   uint64
		memory bool // v is the address of the argument
	}
	var args []argument
	size := uint64(16)
	for i := 1; i < call.NumArgs(); i++ {
		a := argument{v: call.Operand(i)}
		if byval := call.CallAttribute(llvm.Index(i+1), "byval"); byval != 0 {
			a.memory, a.size = true, layout.Size(byval.Type())
		} else {
			a.size = layout.StoreSize(a.v.Type())
		}
		size += 8 + (a.size+7)&^7
		args = append(args, a)
	}
	if size > codeobject.PrintRecordLimit {
		return fmt.Errorf("error: a call of printf with %d arguments of %d bytes, more than the %d there is room for", len(args), size, codeobject.PrintRecordLimit)
	}
	begin := llvm.Function(ptr, ptr, i64)
	f := m.Function(printBegin)
	if f == 0 {
		f = m.AddFunction(printBegin, begin)
	}
	buffer := askPointer(m, b, PrintBuffer)
	p := b.Call(begin, f, buffer, word(size))
	at := uint64(0)
	place := func(bytes uint64) llvm.Value {
		q := b.InBoundsGEP(c.I8(), p, word(at))
		at += (bytes + 7) &^ 7
		return q
	}
	store := func(v llvm.Value, bytes uint64) { b.Store(v, place(bytes)).SetAlign(8) }
	store(word(size), 8)
	store(call.Operand(0), 8)
	for _, a := range args {
		store(word(a.size), 8)
		if a.memory {
			b.MemCpy(place(a.size), 8, a.v, 1, word(a.size))
		} else {
			store(a.v, a.size)
		}
	}
	b.Store(place(0), b.InBoundsGEP(c.I8(), buffer, word(uint64(unsafe.Offsetof(codeobject.PrintBuffer{}.Next)))))
	return nil
}

// DefinePrint defines what kernels that print call, if there are any.
func DefinePrint(m llvm.Module) {
	c := m.Context()
	f := m.Function(printBegin)
	if f == 0 || !f.HasUses() {
		return
	}
	ptr, i64 := c.Ptr(0), c.I64()
	f.SetLinkage(llvm.Internal)
	for _, a := range []string{"noinline", "cold", "nounwind"} {
		f.AddAttribute(llvm.FunctionIndex, c.EnumAttribute(a, 0))
	}
	b := c.NewBuilder()
	defer b.Dispose()
	entry, drain, room := c.AppendBlock(f, "entry"), c.AppendBlock(f, "drain"), c.AppendBlock(f, "room")
	buffer, size := f.Param(0), f.Param(1)
	field := func(t llvm.Type, offset uintptr) llvm.Value {
		return b.Load(t, b.InBoundsGEP(c.I8(), buffer, i64.ConstInt(int64(offset))))
	}
	var layout codeobject.PrintBuffer
	b.AtEnd(entry)
	left := b.Sub(field(i64, unsafe.Offsetof(layout.End)), field(i64, unsafe.Offsetof(layout.Next)))
	b.CondBr(b.ICmp(llvm.IntULT, left, size), drain, room)
	b.AtEnd(drain)
	b.Call(llvm.Function(c.Void(), ptr, i64), field(ptr, unsafe.Offsetof(layout.Drain)), buffer, size)
	b.Br(room)
	b.AtEnd(room)
	b.Ret(field(ptr, unsafe.Offsetof(layout.Next)))
}
