package pipeline

import (
	"fmt"

	"aqueduct/roc/compiler/llvm"
)

// The C ABI of x86-64, which clang keeps to, passes a float2 as a double, a char4 as an int and a double16 in memory; functions of
// SPIR-V modules take and return them as they are. Where the two meet, a call does not have the signature of what it calls.

// adaptCalls gives every call of a function of m its signature: arguments go through memory, which optimisation then removes.
func adaptCalls(m llvm.Module) error {
	b := m.Context().NewBuilder()
	defer b.Dispose()
	for _, f := range m.Functions() {
		if f.IsDeclaration() {
			continue
		}
		for _, call := range f.Users() {
			if !call.IsInstruction() || call.Opcode() != llvm.OpCall || call.Callee() != f || call.CalleeType() == f.ValueType() {
				continue
			}
			a := adapter{b: b, c: m.Context(), layout: m.Layout(), call: call, f: f}
			if err := a.replace(); err != nil {
				return err
			}
		}
	}
	return nil
}

// passed is how a value travels: by itself, or in memory that a pointer argument is the address of.
type passed struct {
	t      llvm.Type
	memory bool
	at     int // which argument it is; -1 for a result that is returned
}

// signature is what goes in and what comes out.
type signature struct {
	params []passed
	result passed
}

// signatureOf reads the type of a function; attribute gives the attributes of arguments.
func signatureOf(t llvm.Type, attribute func(at llvm.Index, name string) llvm.Attribute) signature {
	s := signature{result: passed{t: t.Result(), at: -1}}
	for i, p := range t.Params() {
		at := llvm.Index(i + 1)
		if a := attribute(at, "sret"); a != 0 {
			s.result = passed{a.Type(), true, i}
		} else if a := attribute(at, "byval"); a != 0 {
			s.params = append(s.params, passed{a.Type(), true, i})
		} else {
			s.params = append(s.params, passed{p, false, i})
		}
	}
	return s
}

// adapter replaces one call.
type adapter struct {
	b       llvm.Builder
	c       llvm.Context
	layout  llvm.Layout
	call, f llvm.Value
}

func (a *adapter) replace() error {
	have, want := signatureOf(a.call.CalleeType(), a.call.CallAttribute), signatureOf(a.f.ValueType(), a.f.Attribute)
	if len(have.params) != len(want.params) || !a.alike(have.result, want.result) {
		return a.mismatch()
	}
	args := make([]llvm.Value, len(a.f.ValueType().Params()))
	byval := map[int]llvm.Type{}
	a.b.Before(a.call)
	for i, p := range want.params {
		q := have.params[i]
		if !a.alike(q, p) {
			return a.mismatch()
		}
		args[p.at] = a.convert(a.call.Operand(q.at), q, p)
		if p.memory {
			byval[p.at] = p.t
		}
	}
	if want.result.memory {
		args[want.result.at] = a.slot(want.result.t, want.result.t)
	}
	result := a.b.Call(a.f.ValueType(), a.f, args...)
	for at := range byval {
		result.AddCallAttribute(llvm.Index(at+1), a.f.Attribute(llvm.Index(at+1), "byval"))
	}
	if want.result.memory {
		at := llvm.Index(want.result.at + 1)
		result.AddCallAttribute(at, a.f.Attribute(at, "sret"))
		result = args[want.result.at]
	}
	switch to := have.result; {
	case to.memory:
		v := a.convert(result, want.result, passed{t: to.t})
		a.b.Store(v, a.call.Operand(to.at))
	case to.t.Kind() != llvm.VoidKind:
		a.call.ReplaceUses(a.convert(result, want.result, to))
	}
	a.call.Erase()
	return nil
}

// alike reports whether two values can be the same: they have the same number of bytes in memory.
func (a *adapter) alike(p, q passed) bool {
	if p.t.Kind() == llvm.VoidKind || q.t.Kind() == llvm.VoidKind {
		return p.t == q.t
	}
	return a.layout.Size(p.t) == a.layout.Size(q.t)
}

func (a *adapter) mismatch() error {
	return fmt.Errorf("error: %s is called with other parameters than it has", sourceName(a.f.Name()))
}

// convert makes what is passed as p one that is passed as q.
func (a *adapter) convert(v llvm.Value, p, q passed) llvm.Value {
	if p.memory && q.memory || p.t == q.t && !p.memory && !q.memory {
		return v
	}
	if p.memory {
		return a.b.Load(q.t, v)
	}
	memory := a.slot(p.t, q.t)
	a.b.Store(v, memory)
	if q.memory {
		return memory
	}
	return a.b.Load(q.t, memory)
}

// slot is memory of the calling function for a value of either type.
func (a *adapter) slot(s, t llvm.Type) llvm.Value {
	if a.layout.Align(t) > a.layout.Align(s) {
		s = t
	}
	a.b.Before(a.call.Block().Parent().Entry().First())
	memory := a.b.Alloca(s)
	a.b.Before(a.call)
	return memory
}
