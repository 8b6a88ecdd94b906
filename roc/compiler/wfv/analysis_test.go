package wfv

import (
	"testing"

	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"

	"github.com/stretchr/testify/require"
)

// analysed is a function of LLVM's textual form, read and analysed.
type analysed struct {
	t    *testing.T
	f    *Func
	a    *Shapes
	name map[string]*Value
}

const declarations = `
declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z12get_group_idj(i32)
declare i32 @llvm.smin.i32(i32, i32)
`

// analyse runs the analyses on the function k of ir, whose ids are taken to be small.
func analyse(t *testing.T, ir string) *analysed {
	t.Helper()
	require.NoError(t, llvm.Load())
	c := llvm.NewContext()
	t.Cleanup(c.Dispose)
	m, err := c.ParseIR(declarations + ir)
	require.NoError(t, err)
	k := &kernel{m: m, f: m.Function("k")}
	k.data = read(m, k.f)
	x := &analysed{t: t, f: k.data, name: map[string]*Value{}}
	if !k.data.analyse() {
		return x
	}
	k.findQueries()
	x.a = shapes(k.data, k.queries, findPrivate(k.data), nil)
	for _, b := range x.f.blocks {
		for _, v := range b.instrs {
			if n := v.h.Name(); n != "" {
				x.name[n] = v
			}
		}
	}
	return x
}

// block finds the block that holds a named value.
func (x *analysed) block(value string) *Block {
	require.Contains(x.t, x.name, value)
	return x.name[value].block
}

func (x *analysed) shape(value string) Shape {
	require.Contains(x.t, x.name, value)
	return x.a.of(x.name[value])
}

const straightLine = `
define void @k(ptr addrspace(1) %p, i32 %n, i64 %m) {
  %g = call i64 @_Z13get_global_idj(i32 0)
  %g1 = call i64 @_Z13get_global_idj(i32 1)
  %i = trunc i64 %g to i32
  %twice = shl nsw i32 %i, 1
  %wraps = add i32 %i, %n
  %exact = add nsw i32 %i, %n
  %inexact = add nsw i32 %wraps, 1
  %w = sext i32 %wraps to i64
  %e = sext i32 %exact to i64
  %x = sext i32 %inexact to i64
  %z = zext nneg i32 %exact to i64
  %none = sub i32 %i, %i
  %square = mul i64 %g, %g
  %a = getelementptr float, ptr addrspace(1) %p, i64 %e
  %u = getelementptr float, ptr addrspace(1) %p, i64 %g1
  %lu = load float, ptr addrspace(1) %u
  %la = load float, ptr addrspace(1) %a
  ret void
}`

func TestShapesOfArithmetic(t *testing.T) {
	x := analyse(t, straightLine)
	for name, want := range map[string]Shape{
		"g": {affine, 1, true, true}, "g1": uniform, "i": {affine, 1, true, true}, "twice": {affine, 2, true, false},
		"wraps": {affine, 1, false, false}, "exact": {affine, 1, true, false},
		"inexact": {affine, 1, false, false}, // its operand may wrap between lanes, whatever it promises itself
		"w":       vary, "e": {affine, 1, true, false}, "x": vary, "z": {affine, 1, true, true},
		"none": vary, "square": vary, "a": {affine, 4, true, true}, "u": uniform, "lu": uniform, "la": vary,
	} {
		require.Equal(t, want, x.shape(name), name)
	}
}

const twoLoops = `
define void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %g = call i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %g to i32
  br label %uni
uni:
  %k = phi i32 [ 0, %entry ], [ %k1, %uni ]
  %k1 = add nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %uni, label %mid
mid:
  %klast = phi i32 [ %k1, %uni ]
  br label %div
div:
  %j = phi i32 [ 0, %mid ], [ %j1, %div ]
  %j1 = add nsw i32 %j, 1
  %again = icmp slt i32 %j1, %i
  br i1 %again, label %div, label %out
out:
  %jlast = phi i32 [ %j1, %div ]
  %c = icmp sgt i32 %i, 5
  br i1 %c, label %then, label %end
then:
  %t = add i32 %klast, 1
  br label %end
end:
  %merged = phi i32 [ %t, %then ], [ %klast, %out ]
  %same = phi i32 [ %klast, %then ], [ %klast, %out ]
  ret void
}`

func TestShapesOfControlFlow(t *testing.T) {
	x := analyse(t, twoLoops)
	for name, want := range map[string]bool{
		"k": true, "klast": true, "more": true,
		"j": true, "again": false, // the count is the same for all lanes that are still on
		"jlast": false, // they left in different iterations
		"t":     true, "merged": false, "same": true,
	} {
		require.Equal(t, want, x.shape(name).isUniform(), name)
	}
	require.False(t, x.block("k").loop.div)
	require.True(t, x.block("j").loop.div)
	require.True(t, x.a.div[x.block("c")])
	require.False(t, x.a.div[x.block("more")])
}

func TestLinearOrderKeepsLoopsTogether(t *testing.T) {
	x := analyse(t, twoLoops)
	for i, b := range x.f.order {
		require.Equal(t, i, b.pos)
		for _, s := range b.succs {
			require.True(t, s.pos > b.pos || dominates(s, b), "block %d", i)
		}
	}
	for _, l := range x.f.loops {
		first, last := len(x.f.order), 0
		for b := range l.blocks {
			first, last = min(first, b.pos), max(last, b.pos)
		}
		require.Equal(t, len(l.blocks), last-first+1)
		require.Equal(t, first, l.header.pos)
	}
}

func TestDominators(t *testing.T) {
	x := analyse(t, twoLoops)
	out, then, end := x.block("c"), x.block("t"), x.block("merged")
	require.True(t, dominates(out, end))
	require.False(t, dominates(then, end))
	require.True(t, postdominates(end, then))
	require.False(t, postdominates(then, out))
	require.Equal(t, end, out.ipdom)
}

func TestWhatTheAnalysesDoNotTake(t *testing.T) {
	for name, ir := range map[string]string{
		"irreducible": `define void @k(i1 %a, i1 %b) {
			br i1 %a, label %x, label %y
			x: br i1 %b, label %y, label %e
			y: br i1 %a, label %x, label %e
			e: ret void }`,
		"no exit": `define void @k() { br label %x
			x: br label %x }`,
		"unreachable": `define void @k(i1 %a) { br i1 %a, label %x, label %y
			x: unreachable
			y: ret void }`,
		"two latches": `define void @k(i1 %a, i1 %b) { br label %h
			h: br i1 %a, label %x, label %y
			x: br i1 %b, label %h, label %e
			y: br i1 %b, label %h, label %e
			e: ret void }`,
	} {
		require.Nil(t, analyse(t, ir).a, name)
	}
}

func TestMasks(t *testing.T) {
	x := analyse(t, twoLoops)
	p := plan(x.f, x.a, costs{threshold: 1000})
	entry, then, end, body := x.f.order[0], x.block("t"), x.block("merged"), x.block("j")
	require.Equal(t, entry, p.rep[x.block("k")], "a uniform loop has the mask around it")
	require.Equal(t, body, p.rep[body], "a divergent loop has its own")
	require.Equal(t, then, p.rep[then])
	require.Equal(t, entry, p.rep[end], "all lanes meet again")
	require.Nil(t, p.guard[then], "too little to skip")
	p = plan(x.f, x.a, costs{})
	require.Equal(t, end, p.guard[then])
}

func TestAssumedBranchesKeepAllLanesOn(t *testing.T) {
	x := analyse(t, twoLoops)
	a := shapes(x.f, x.a.queries, nil, map[*Block]int{x.block("c"): 0})
	p := plan(x.f, a, costs{})
	require.True(t, p.allLanes(x.block("t")))
}

const arrays = `
define void @k(ptr addrspace(1) %p, i64 %i) {
  %soa = alloca [8 x i32]
  %mixed = alloca [8 x i32]
  %escapes = alloca [8 x i32]
  %e = getelementptr [8 x i32], ptr %soa, i64 0, i64 %i
  store i32 1, ptr %e
  %v = load i32, ptr %e
  %b = getelementptr i8, ptr %mixed, i64 %i
  store i8 1, ptr %b
  store ptr %escapes, ptr addrspace(1) %p
  ret void
}`

func TestLayoutOfPrivateArrays(t *testing.T) {
	x := analyse(t, arrays)
	require.NotNil(t, x.a.private[x.name["soa"]])
	require.NotNil(t, x.a.private[x.name["e"]])
	require.Nil(t, x.a.private[x.name["mixed"]])
	require.Nil(t, x.a.private[x.name["escapes"]])
	require.Equal(t, uniform, x.shape("soa"))
	require.Equal(t, int64(32), x.shape("mixed").stride)
}

func TestWhatLivesAcrossABarrier(t *testing.T) {
	x := analyse(t, `
declare void @_Z7barrierj(i32)
define void @k(ptr addrspace(1) %p, i32 %n) {
  %g = call i64 @_Z13get_global_idj(i32 0)
  %a = getelementptr float, ptr addrspace(1) %p, i64 %g
  %v = load float, ptr addrspace(1) %a
  %dead = fadd float %v, 1.0
  %use = fmul float %dead, 2.0
  call void @_Z7barrierj(i32 1)
  %r = fadd float %v, 1.0
  store float %r, ptr addrspace(1) %a
  ret void
}`)
	b := x.f.order[0]
	for _, v := range b.instrs {
		if workgroup.IsBarrier(v.callee) {
			live := reads{}.liveAfter(reads{}.liveOut(x.f)[b], v)
			require.True(t, live[x.name["v"]] && live[x.name["a"]])
			require.False(t, live[x.name["dead"]] || live[x.name["use"]] || live[x.name["r"]])
			return
		}
	}
	t.Fatal("no barrier")
}

func TestIntrinsicNames(t *testing.T) {
	for callee, want := range map[string]string{
		"llvm.fma.v4f32": "fma", "llvm.smax.i32": "smax", "llvm.memcpy.p0.p1.i64": "memcpy", "llvm.fptosi.sat.i32.f32": "fptosi.sat",
		"llvm.masked.load.v8f32.p1": "masked.load", "llvm.assume": "assume", "sinf": "",
	} {
		require.Equal(t, want, (&Value{callee: callee}).intrinsic())
	}
}
