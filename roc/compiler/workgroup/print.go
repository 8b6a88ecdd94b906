package workgroup

import (
	"fmt"
	"strings"
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// Calls of printf become records in the codeobject.PrintBuffer that the kernel is lent. Each is written by a function, named
// aqueduct_print. and a number, that is called with the buffer, the format and the arguments, and stays a call: between the
// record's begin and its end nothing else of the thread may print. Room is asked for by a call of a function that nothing
// defines before DefinePrint does:
//
//	char *aqueduct_print_begin(PrintBuffer *, ulong size);
const (
	printFunction = "printf"
	printBegin    = "aqueduct_print_begin"
	printPrefix   = "aqueduct_print."
)

// IsPrint says whether a function writes a record.
func IsPrint(name string) bool { return strings.HasPrefix(name, printPrefix) }

// Prints says whether a kernel calls printf.
func Prints(m llvm.Module, kernel llvm.Value) bool {
	return calls(m, kernel, queryNames[PrintBuffer].name)
}

// printers are the functions that write records, by what records look like.
type printers struct {
	m    llvm.Module
	b    llvm.Builder
	made map[string]llvm.Value
}

// lowerPrintf replaces the calls of printf in a module. What arguments look like is up to the front end: as C passes them, a
// float2 is a double, say, and large vectors are in memory. Only their bytes count; the format says what they are.
func lowerPrintf(m llvm.Module, b llvm.Builder) error {
	f := m.Function(printFunction)
	if f == 0 || !f.IsDeclaration() {
		return nil
	}
	p := &printers{m, b, map[string]llvm.Value{}}
	for _, call := range f.Users() {
		if !call.IsInstruction() || call.Opcode() != llvm.OpCall || call.Callee() != f {
			return fmt.Errorf("error: the address of printf is taken")
		}
		if err := p.lower(call); err != nil {
			return err
		}
		call.ReplaceUses(call.Type().Null())
		call.Erase()
	}
	return nil
}

// printed is an argument of printf: its bytes are those of values in a row, or in memory.
type printed struct {
	size   uint64
	values []llvm.Value
	memory bool // the only value is the address of the argument
}

// argument takes vectors apart: how functions are passed long ones depends on the instructions they may use.
func (p *printers) argument(call llvm.Value, i int) printed {
	layout, c := p.m.Layout(), p.m.Context()
	v := call.Operand(i)
	if byval := call.CallAttribute(llvm.Index(i+1), "byval"); byval != 0 {
		return printed{layout.Size(byval.Type()), []llvm.Value{v}, true}
	}
	a := printed{size: layout.StoreSize(v.Type()), values: []llvm.Value{v}}
	if v.Type().Kind() != llvm.VectorKind {
		return a
	}
	unit := min(a.size&-a.size, 8)
	n := a.size / unit
	v = p.b.Cast(llvm.OpBitCast, v, c.Int(int(8*unit)).Vec(int(n)))
	a.values = nil
	for k := range n {
		a.values = append(a.values, p.b.ExtractElement(v, c.I32().ConstInt(int64(k))))
	}
	return a
}

// lower puts the call of a function that writes the record in front of one of printf.
func (p *printers) lower(call llvm.Value) error {
	p.b.Before(call)
	size := uint64(16)
	var args []printed
	passed := []llvm.Value{askPointer(p.m, p.b, PrintBuffer), call.Operand(0)}
	for i := 1; i < call.NumArgs(); i++ {
		a := p.argument(call, i)
		args = append(args, a)
		passed = append(passed, a.values...)
		size += 8 + (a.size+7)&^7
	}
	if size > codeobject.PrintRecordLimit {
		return fmt.Errorf("error: a call of printf with %d arguments of %d bytes, more than the %d there is room for", len(args), size, codeobject.PrintRecordLimit)
	}
	var types []llvm.Type
	for _, v := range passed {
		types = append(types, v.Type())
	}
	t := llvm.Function(p.m.Context().Void(), types...)
	looks := fmt.Sprint(t)
	for _, a := range args {
		looks += fmt.Sprint(" ", a.size, a.memory, len(a.values))
	}
	f, ok := p.made[looks]
	if !ok {
		f = p.write(t, size, args)
		p.made[looks] = f
		p.b.Before(call)
	}
	p.b.Call(t, f, passed...)
	return nil
}

// write makes a function that writes a record.
func (p *printers) write(t llvm.Type, size uint64, args []printed) llvm.Value {
	m, b, c := p.m, p.b, p.m.Context()
	ptr, i64 := c.Ptr(0), c.I64()
	word := func(v uint64) llvm.Value { return i64.ConstInt(int64(v)) }
	begin := llvm.Function(ptr, ptr, i64)
	room := m.Function(printBegin)
	if room == 0 {
		room = m.AddFunction(printBegin, begin)
	}
	f := m.AddFunction(fmt.Sprint(printPrefix, len(p.made)), t)
	f.SetLinkage(llvm.Internal)
	for _, a := range []string{"noinline", "cold", "nounwind"} {
		f.AddAttribute(llvm.FunctionIndex, c.EnumAttribute(a, 0))
	}
	b.AtEnd(c.AppendBlock(f, ""))
	buffer := f.Param(0)
	record := b.Call(begin, room, buffer, word(size))
	at := uint64(0)
	place := func(offset uint64) llvm.Value { return b.InBoundsGEP(c.I8(), record, word(at+offset)) }
	store := func(v llvm.Value) {
		b.Store(v, place(0)).SetAlign(8)
		at += 8
	}
	store(word(size))
	store(f.Param(1))
	next := 2
	for _, a := range args {
		store(word(a.size))
		if a.memory {
			b.MemCpy(place(0), 8, f.Param(next), 1, word(a.size))
			next++
		} else {
			for k := range a.values {
				b.Store(f.Param(next), place(uint64(k)*a.size/uint64(len(a.values)))).SetAlign(1)
				next++
			}
		}
		at += (a.size + 7) &^ 7
	}
	b.Store(place(0), b.InBoundsGEP(c.I8(), buffer, word(uint64(unsafe.Offsetof(codeobject.PrintBuffer{}.Next)))))
	b.RetVoid()
	return f
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
