package wfv

import (
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Access to images goes through functions of the image that take as many pixels as a vector has lanes, or more vectors' worth.

// imageLanes calls access for each 16 lanes, with what takes them from a vector of all, and the bits of those that are on.
// Where there are fewer lanes, the rest are off.
func (g *gen) imageLanes(b *Block, access func(part func(llvm.Value) llvm.Value, lanes llvm.Value)) {
	if g.images == nil {
		g.images = &workgroup.Images{C: g.c, B: g.b, Vars: g.vars}
	}
	const n = codeobject.ImageLanes
	width := min(g.w, n)
	for from := 0; from < g.w; from += n {
		part := func(x llvm.Value) llvm.Value {
			if g.w > n {
				return g.part(x, from, n)
			}
			return g.pick(x, func(i int) int { return min(i, g.w-1) }, n)
		}
		lanes := g.num(g.i32, 1<<width-1)
		if !g.allOn(b) {
			m := g.mask(b)
			if g.w > n {
				m = g.part(m, from, n)
			}
			lanes = g.b.Cast(llvm.OpZExt, g.b.Cast(llvm.OpBitCast, m, g.c.Int(width)), g.i32)
		}
		access(part, lanes)
	}
}

func (g *gen) imageFetch(b *Block, v *Value) {
	image := g.scalar(v.args[0])
	at := [3]llvm.Value{g.wide(v.args[1])[0], g.wide(v.args[2])[0], g.wide(v.args[3])[0]}
	var parts [4][]llvm.Value
	g.imageLanes(b, func(part func(llvm.Value) llvm.Value, lanes llvm.Value) {
		for i, x := range g.images.Fetch(image, [3]llvm.Value{part(at[0]), part(at[1]), part(at[2])}, lanes) {
			parts[i] = append(parts[i], g.part(x, 0, min(g.w, codeobject.ImageLanes)))
		}
	})
	g.define(v, g.concat(parts[0]), g.concat(parts[1]), g.concat(parts[2]), g.concat(parts[3]))
}

func (g *gen) imageStore(b *Block, v *Value) {
	image := g.scalar(v.args[0])
	at := [3]llvm.Value{g.wide(v.args[1])[0], g.wide(v.args[2])[0], g.wide(v.args[3])[0]}
	pixel := g.wide(v.args[4])
	g.imageLanes(b, func(part func(llvm.Value) llvm.Value, lanes llvm.Value) {
		g.images.Store(image, [3]llvm.Value{part(at[0]), part(at[1]), part(at[2])},
			[4]llvm.Value{part(pixel[0]), part(pixel[1]), part(pixel[2]), part(pixel[3])}, lanes)
	})
}
