package workgroup

import (
	"unsafe"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// Kernels come here with calls of two functions that nothing defines, on one pixel each (builtins/image.h):
//
//	uint4 aqueduct_image_fetch(const Image *image, int x, int y, int z);
//	void aqueduct_image_store(const Image *image, int x, int y, int z, uint4 v);
//
// The vectoriser turns them into calls of the image's own access functions, which take many pixels (codeobject.ImageDescriptor).
// For what stays scalar DefineImageAccess gives them a body that calls these with one.
const (
	ImageFetch = "aqueduct_image_fetch"
	ImageStore = "aqueduct_image_store"
)

// Images emits calls of access functions with builder B. Vars is where stack variables go.
type Images struct {
	C       llvm.Context
	B, Vars llvm.Builder

	at, rows llvm.Value // stack memory for the arguments
}

// row is the type of codeobject.ImageLanes 32-bit values.
func (g *Images) row() llvm.Type { return g.C.I32().Vec(codeobject.ImageLanes) }

func (g *Images) offset(p llvm.Value, bytes llvm.Value) llvm.Value {
	return g.B.GEP(g.C.I8(), p, bytes)
}

// field is the value of a field of the descriptor.
func (g *Images) field(image llvm.Value, t llvm.Type, offset uintptr) llvm.Value {
	return g.B.Load(t, g.offset(image, g.C.I64().ConstInt(int64(offset))))
}

func (g *Images) rowAt(p llvm.Value, i int) llvm.Value {
	return g.offset(p, g.C.I64().ConstInt(int64(i)*4*codeobject.ImageLanes))
}

// arguments stores coordinates where an access function finds them.
func (g *Images) arguments(at [3]llvm.Value) {
	if g.at == 0 {
		g.at = g.Vars.Alloca(g.row().Array(3))
		g.rows = g.Vars.Alloca(g.row().Array(codeobject.ImageRows))
	}
	for i, x := range at {
		g.B.Store(x, g.rowAt(g.at, i))
	}
}

// call calls the access function whose address is at an offset in the descriptor.
func (g *Images) call(image llvm.Value, offset uintptr, lanes llvm.Value) {
	p := g.C.Ptr(0)
	t := llvm.Function(g.C.Void(), image.Type(), p, p, g.C.I32())
	g.B.Call(t, g.field(image, p, offset), image, g.at, g.rows, lanes)
}

// Fetch reads the pixels at coordinates of 16 lanes, those whose bit in lanes is set, as <16 x i32>: red, green, blue, alpha.
func (g *Images) Fetch(image llvm.Value, at [3]llvm.Value, lanes llvm.Value) (v [4]llvm.Value) {
	var d codeobject.ImageDescriptor
	g.arguments(at)
	g.call(image, unsafe.Offsetof(d.Fetch), lanes)
	for i := range v {
		row := g.field(image, g.C.I32(), unsafe.Offsetof(d.Read)+uintptr(4*i))
		bytes := g.B.Mul(g.B.Cast(llvm.OpZExt, row, g.C.I64()), g.C.I64().ConstInt(4*codeobject.ImageLanes))
		v[i] = g.B.Load(g.row(), g.offset(g.rows, bytes))
	}
	return v
}

// Store writes pixels.
func (g *Images) Store(image llvm.Value, at [3]llvm.Value, v [4]llvm.Value, lanes llvm.Value) {
	var d codeobject.ImageDescriptor
	g.arguments(at)
	for i, x := range v {
		g.B.Store(x, g.rowAt(g.rows, i))
	}
	g.call(image, unsafe.Offsetof(d.Store), lanes)
}

// DefineImageAccess defines what kernels in scalar form call to access images, if they do.
func DefineImageAccess(m llvm.Module) {
	c := m.Context()
	for _, name := range []string{ImageFetch, ImageStore} {
		f := m.Function(name)
		if f == 0 || !f.IsDeclaration() || !f.HasUses() {
			continue
		}
		b := c.NewBuilder()
		b.AtEnd(c.AppendBlock(f, ""))
		g := &Images{C: c, B: b, Vars: b}
		zero, one := c.I32().ConstInt(0), c.I32().ConstInt(1)
		first := func(x llvm.Value) llvm.Value { return b.InsertElement(g.row().Poison(), x, zero) }
		at := [3]llvm.Value{first(f.Param(1)), first(f.Param(2)), first(f.Param(3))}
		if name == ImageFetch {
			pixel := c.I32().Vec(4).Poison()
			for i, row := range g.Fetch(f.Param(0), at, one) {
				pixel = b.InsertElement(pixel, b.ExtractElement(row, zero), c.I32().ConstInt(int64(i)))
			}
			b.Ret(pixel)
		} else {
			var v [4]llvm.Value
			for i := range v {
				v[i] = first(b.ExtractElement(f.Param(4), c.I32().ConstInt(int64(i))))
			}
			g.Store(f.Param(0), at, v, one)
			b.RetVoid()
		}
		b.Dispose()
		f.SetLinkage(llvm.Internal)
		f.RemoveAttribute(llvm.FunctionIndex, "memory") // it writes its arguments to the stack, at least
	}
}
