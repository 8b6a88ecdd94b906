// Package wfv vectorises kernels across work-items (whole-function vectorisation): one call of the wide function runs W
// work-items, a SIMD lane each. What it cannot prove right it leaves to the scalar form of package workgroup.
//
//  1. copyKernel, boundIDs, canonical, lowBits: a copy of the kernel in the form the analyses take.
//  2. read, analyse: the IR as Go data; dominators, loops, linear order.
//  3. findPrivate, shapes: layout of private arrays; what is uniform, affine, varying; which branches diverge.
//  4. plan: linearisation and masks.
//  5. choose: the number of lanes and rows, by the cost model.
//  6. gen.emit: the wide function; regions at barriers; rows.
//  7. wrap: loops over vectors, rows and groups, with the calling convention of package codeobject.
//  8. lean: clean-up.
package wfv

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
	"aqueduct/roc/compiler/workgroup"
)

// Kernel is a kernel of a module that workgroup.Prepare returned.
type Kernel struct {
	F            llvm.Value
	Args         []codeobject.ArgInfo // Kind and Offset of each parameter
	HiddenOffset uint32
}

// Options of Lower. The zero value lets the cost model choose.
type Options struct {
	Scalar  bool // vectorise nothing
	Width   int  // lanes, a power of two up to mostLanes; 0: the model's choice
	Rows    int  // work-items of dimension 1 in a call; 0: the model's choice
	Skip    int  // cost above which a region is skipped when no lane runs it; 0: the model's choice, negative: always
	OneForm bool // the form that takes masks runs whole vectors as well, as in a large kernel

	Stage func(m llvm.Module, name string) // is called at each stage; may be nil
}

func (o *Options) stage(m llvm.Module, name string) {
	if o.Stage != nil {
		o.Stage(m, name)
	}
}

// Result of one kernel: what the driver needs to know of its native form, and what became of it.
type Result struct {
	workgroup.Report
	Explain         Report
	native, general llvm.Value   // the vectorised form and the scalar form it calls for large grids; zero if in scalar form
	apart           []llvm.Value // the other functions that native calls
}

// Lower replaces all kernels of a module by their native forms: vectorised where that is proved right, else scalar. Vectorised
// ones are optimised already; Result.Width tells.
func Lower(m llvm.Module, tm llvm.TargetMachine, kernels []Kernel, o Options) ([]Result, error) {
	target := TargetOf(tm)
	kept := workgroup.Kept(m)
	copies := map[llvm.Value]bool{}
	work := make([]*kernel, len(kernels))
	for i, k := range kernels {
		w := &kernel{Kernel: k, m: m, target: target, options: o, name: k.F.Name(), cells: map[string]cell{}}
		work[i] = w
		if o.Scalar || k.F.NumParams() != len(k.Args) { // workgroup.Lower tells
			w.reason = "as asked for"
			continue
		}
		if workgroup.CallsAny(k.F, kept) {
			w.reason = "it calls functions, as it would be too large with all of them inlined"
			continue
		}
		w.reqd = requiredSize(m, k.F)
		if o.Width == 0 && w.reqd == [3]int64{1, 1, 1} {
			w.reason = "a work-group is one work-item"
			continue
		}
		w.f = copyKernel(m, k.F)
		copies[w.f] = true
		w.small = workgroup.Narrows(m, k.F, workgroup.Unbounded...)
		w.few = o.Width == 0 && workgroup.Enqueues(m, k.F)
		boundIDs(m, w.f, w.small)
	}
	bodies := make([]llvm.Value, len(kernels))
	for i, k := range kernels {
		bodies[i] = k.F
	}
	if err := workgroup.SettleSubGroups(m, tm, bodies); err != nil {
		return nil, err
	}
	if err := runOn(m, tm, canonical, copies); err != nil {
		return nil, err
	}
	for _, w := range work {
		if w.f != 0 {
			lowBits(w.f)
		}
	}
	o.stage(m, "canonical")
	results := make([]Result, len(kernels))
	wide, general := map[llvm.Value]bool{}, map[llvm.Value]bool{}
	for i, w := range work {
		var err error
		if results[i], err = w.lower(); err != nil {
			return nil, err
		}
		if w.native == 0 {
			continue
		}
		wide[w.native] = true
		for _, f := range slices.Concat(w.made, w.turns) {
			wide[f] = true
		}
		if w.general != 0 && !w.mixed() {
			general[w.general] = true
		}
	}
	workgroup.DiscardLanes(m)
	if len(wide) == 0 {
		return results, nil
	}
	for _, f := range m.Functions() { // the bodies that the scalar forms are made of
		if strings.HasSuffix(f.Name(), ".item") {
			general[f] = true
		}
	}
	o.stage(m, "wide")
	if err := runOn(m, tm, lean, wide); err != nil {
		return nil, err
	}
	o.stage(m, "lean")
	for _, w := range work {
		if w.native == 0 {
			continue
		}
		for _, f := range append(w.apart, w.native) {
			if !target.Half && w.data.hasHalves() {
				convertHalves(m, f)
			}
			if !target.AVX512 {
				widenMasks(m, f)
			}
		}
	}
	if err := runOn(m, tm, plain, general); err != nil {
		return nil, err
	}
	// Code for what hardly ever runs is to be made quickly.
	for _, r := range results {
		if r.general == 0 {
			continue
		}
		for _, a := range []string{"optsize", "minsize"} {
			r.general.RemoveAttribute(llvm.FunctionIndex, a)
		}
		r.general.AddAttribute(llvm.FunctionIndex, m.Context().EnumAttribute("optnone", 0))
	}
	return results, nil
}

// OptimiseRest runs a pipeline on what Lower left in scalar form, if anything.
func OptimiseRest(m llvm.Module, tm llvm.TargetMachine, results []Result, pipeline string, o llvm.PassOptions) error {
	rest := false
	done := map[llvm.Value]bool{}
	for _, r := range results {
		if r.native == 0 {
			rest = true
			continue
		}
		done[r.native], done[r.general] = true, true
		for _, f := range r.apart {
			done[f] = true
		}
	}
	if !rest {
		return nil
	}
	only := map[llvm.Value]bool{}
	for _, f := range m.Functions() {
		if !done[f] {
			only[f] = true
		}
	}
	return runOnWith(m, tm, pipeline, only, o)
}

// requiredSize is a kernel's reqd_work_group_size, else zeros.
func requiredSize(m llvm.Module, f llvm.Value) (size [3]int64) {
	c := m.Context()
	md := f.GlobalMetadata(c, c.MDKind("reqd_work_group_size"))
	if md == 0 {
		return size
	}
	for i, v := range md.MDOperands() {
		if i < 3 && v.IsConstantInt() {
			size[i] = v.Int()
		}
	}
	return size
}

// kernel is one kernel under way.
type kernel struct {
	Kernel
	m       llvm.Module
	target  Target
	options Options
	name    string
	f       llvm.Value // the copy
	made    []llvm.Value
	turns   []llvm.Value    // functions that made ones call for each lane, inlined in the end (turnloop.go)
	cells   map[string]cell // by the function's name
	native  llvm.Value
	apart   []llvm.Value // the forms it calls out of line
	general llvm.Value   // the scalar form, if there are NDRanges that the native one leaves to it
	small   bool         // global ids are assumed to be below smallGrid

	reqd    [3]int64 // reqd_work_group_size, or zeros
	few     bool     // NDRanges of few work-items are left to the scalar form, see fewItems
	across  bool     // sub-groups are to be taken across rows
	ragged  bool     // those that go across rows are left to the scalar form
	turned  bool     // dimensions 0 and 1 have changed places (column.go)
	segment uint32
	data    *Func
	queries map[*Value]workgroup.Query
	asked   []workgroup.Query
	width   int
	report  Report
	reason  string
}

// lower makes the native form.
func (k *kernel) lower() (Result, error) {
	k.report = Report{Kernel: k.name, Width: 1, Reason: k.reason}
	var forms forms
	var why *Unsupported
	if k.f != 0 {
		why = try(func() { forms = k.vectorise() })
	}
	r, err := Result{}, error(nil)
	vector := k.f != 0 && why == nil
	if vector && !k.leaves() {
		r.Report = workgroup.Survey(k.m, k.F)
		workgroup.Discard(k.m, k.F)
	} else {
		r.Report, err = workgroup.Lower(k.m, k.F, workgroup.Options{Args: k.Args, HiddenOffset: k.HiddenOffset, Fallback: vector && !k.mixed()})
	}
	if err == nil && vector {
		k.wrap(&r, forms)
	} else {
		if why != nil {
			k.report.Reason = why.Reason
		}
		for _, f := range k.made {
			f.DeleteFunction()
		}
		k.made = nil
	}
	if k.f != 0 {
		k.f.DeleteFunction()
	}
	if k.native == 0 {
		for _, f := range k.turns {
			f.DeleteFunction()
		}
	}
	r.Explain, r.native, r.apart = k.report, k.native, k.apart
	if !k.mixed() {
		r.general = k.general
	}
	return r, err
}

// leaves says whether there are NDRanges that the vectorised form is not right for.
func (k *kernel) leaves() bool { return k.small || k.mixed() || k.reqd[0] > 0 }

// mixed says whether some usual NDRanges run in vectorised and some in scalar form, which is to be as good as any then: those of
// few work-items, and those whose sub-groups are not neighbours in a row, if there is no form for them.
func (k *kernel) mixed() bool { return k.few || k.ragged }

// forms are the wide functions of a kernel for a number of lanes.
type forms struct {
	width   int
	full    *gen // all lanes on, and guards assumed
	partial *gen // the first few lanes on; also what full is not for
	tile    *gen // full for several rows; nil if there is none
	guards  []guard
	streams *streams // nil: no stores go past the caches
	shapes  *Shapes  // without assumptions
	free    bool     // groups may be merged
	narrow  *forms   // those for short rows; nil if there are none (narrow.go)
	column  *forms   // those for groups of one column; nil if there are none, or if these are they (column.go)
	across  *forms   // for groups whose sub-groups go across rows; nil if there are none, or if these are for them
}

// huge is the number of instructions above which a kernel stays scalar.
const huge = 6000

func (k *kernel) vectorise() forms {
	segment, err := workgroup.PlaceLocals(k.m, k.f)
	if err != nil {
		fail("%v", err)
	}
	k.segment = segment
	r := k.makeForms()
	if s := k.data.subGroups; s != nil && !s.across && k.reqd[0] == 0 {
		r.across = k.tryAcross()
	}
	if k.alongColumn() && r.full.region != nil && r.full != r.partial {
		r.column = k.tryColumn()
	}
	return r
}

// makeForms emits the forms for one way to lay work-items out in lanes.
func (k *kernel) makeForms() forms {
	a := k.analyse()
	k.small = k.small || workgroup.Narrows(k.m, k.f, workgroup.Unbounded...)
	refuseLocks(a)
	for k.takeTurn(a) {
		a = k.analyse()
	}
	if k.options.Width == 0 && !k.turnsPay(a) {
		fail("little but loops that repeat an atomic exchange until it succeeds")
	}
	f := k.data
	k.summarise(a)
	if f.subGroups == nil {
		k.width = k.chooseWidth(a)
	}
	k.fit(a)
	r := k.forms(a, k.width)
	k.describe(&r)
	if w := k.narrow(a); w > 0 {
		n := k.forms(a, w)
		r.narrow, k.report.Narrow = &n, w
	}
	return r
}

// forms makes those for a number of lanes.
func (k *kernel) forms(a *Shapes, width int) forms {
	f := k.data
	r := forms{width: width, shapes: a, free: k.free()}
	if width > 1 && !k.dividesRequired(width) {
		r.partial = k.widen(&r, a, plan(f, a, k.costs()), false, 1, nil)
		k.apart = append(k.apart, r.partial.fn)
	}
	size := k.estimate(a, width)
	if r.partial != nil && (size > formBudget || k.options.OneForm) {
		r.full = r.partial
		return r
	}
	var assume map[*Block]int
	if r.partial != nil && r.partial.region == nil {
		r.guards, assume = k.findGuards(a)
	}
	if assume != nil {
		a = shapes(f, k.queries, a.private, assume)
	}
	p := plan(f, a, k.costs())
	r.streams = k.findStreams(a, width)
	r.full = k.widen(&r, a, p, true, 1, nil)
	if byRow, pays := k.rowDependent(a); pays && r.full.region == nil {
		if rows := min(k.chooseRows(a, byRow, width), formBudget/size); rows > 1 {
			r.tile = k.widen(&r, a, p, true, rows, byRow)
		}
	}
	return r
}

// analyse reads the kernel as it is.
func (k *kernel) analyse() *Shapes {
	f := read(k.m, k.f)
	k.data = f
	if f.count > huge {
		fail("%d instructions", f.count)
	}
	if !f.analyse() {
		fail("control flow that is not reducible, or a loop without end")
	}
	k.findQueries()
	k.findSubGroups()
	return shapes(f, k.queries, findPrivate(f), nil)
}

// dividesRequired says whether a required size leaves no vector with a rest of work-items.
func (k *kernel) dividesRequired(width int) bool {
	items := k.reqd[0]
	if s := k.data.subGroups; s != nil && s.across {
		items *= k.reqd[1] * k.reqd[2]
	}
	return items > 0 && items%int64(width) == 0
}

// describe tells of the forms that run whole vectors.
func (k *kernel) describe(r *forms) {
	k.report.Width, k.report.Rows, k.report.Notes, k.report.Guards = r.width, 1, *r.full.notes, len(r.guards)
	if r.tile != nil {
		k.report.Rows = r.tile.rows
	}
}

func (k *kernel) costs() costs {
	c := costs{threshold: 40}
	if !k.target.AVX512 {
		c.maskedStore = 40
	}
	switch s := k.options.Skip; {
	case s < 0:
		c.threshold = 0
	case s > 0:
		c.threshold = s
	}
	return c
}

// findQueries maps calls of the copy to the questions they ask.
func (k *kernel) findQueries() {
	k.queries = map[*Value]workgroup.Query{}
	calls := workgroup.Queries(k.m, k.f)
	if k.turned {
		turned := make(map[workgroup.Query][]llvm.Value, len(calls))
		for q, list := range calls {
			turned[turn(q)] = list
		}
		calls = turned
	}
	k.asked = slices.SortedFunc(maps.Keys(calls), func(a, b workgroup.Query) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Dim, b.Dim))
	})
	for q, list := range calls {
		for _, c := range list {
			k.queries[k.data.values[c]] = q
		}
	}
}

func (k *kernel) summarise(a *Shapes) {
	for _, s := range a.shape {
		switch {
		case s.isUniform():
			k.report.Shapes[0]++
		case s.kind == affine:
			k.report.Shapes[1]++
		default:
			k.report.Shapes[2]++
		}
	}
	for _, l := range k.data.loops {
		if l.div {
			k.report.Loops[1]++
		} else {
			k.report.Loops[0]++
		}
	}
}

// widen emits one form: the kernel's parameters, the answers to its queries (of lane 0), then the number of active lanes,
// whether its streams go past the caches, the frame and the state.
func (k *kernel) widen(r *forms, a *Shapes, p *Plan, full bool, rows int, byRow map[*Value]bool) *gen {
	c := k.m.Context()
	g := &gen{m: k.m, c: c, f: k.data, a: a, asked: k.asked, p: p, w: r.width, full: full, rows: rows, byRow: byRow, target: k.target, cells: k.cells,
		blocks: map[*Block]llvm.Block{}, params: map[*Value]llvm.Value{}, answers: map[workgroup.Query]llvm.Value{},
		escape: map[*Value]bool{}, sVars: map[key]llvm.Value{}, wVars: map[key][]llvm.Value{}, maskVar: map[*Block]llvm.Value{},
		edgeVar: map[*Edge]llvm.Value{}, notes: &Notes{}, lines: len(k.m.NamedMetadata("llvm.dbg.cu")) > 0, declared: map[declaration]llvm.Value{},
		i1: c.I1(), i8: c.I8(), i32: c.I32(), i64: c.I64(), f32: c.F32()}
	g.region = g.regions()
	types := k.f.ValueType().Params()
	n := len(types)
	for _, q := range k.asked {
		types = append(types, q.Type(c))
	}
	g.active = len(types)
	types = append(types, g.i64)
	if full && r.streams != nil { // then there are no barriers
		types = append(types, g.i1)
	}
	result := c.Void()
	if g.region != nil {
		types = append(types, c.Ptr(0), g.i32)
		for range g.region.shared {
			types = append(types, c.Ptr(0), c.Ptr(0)) // before, after
		}
		result = g.i32
	}
	g.fn = k.m.AddFunction(k.name+".wide", llvm.Function(result, types...))
	k.made = append(k.made, g.fn)
	g.fn.SetLinkage(llvm.Internal)
	copyAttributes(k.f, g.fn, llvm.FunctionIndex)
	inline := "alwaysinline"
	if !full {
		inline = "noinline"
		g.fn.RemoveAttribute(llvm.FunctionIndex, "alwaysinline")
	}
	g.fn.AddAttribute(llvm.FunctionIndex, c.EnumAttribute(inline, 0))
	k.useFullRegisters(g.fn)
	for i := range n {
		copyAttributes(k.f, g.fn, llvm.Index(i+1))
		g.params[k.data.params[i]] = g.fn.Param(i)
	}
	for i, q := range k.asked {
		g.answers[q] = g.fn.Param(n + i)
		if q.Kind == workgroup.LocalSize && k.reqd[0] > 0 {
			g.answers[q] = g.num(g.i64, k.reqd[q.Dim])
		}
	}
	if g.region != nil {
		g.frame = g.fn.Param(g.active + 1)
		g.region.idle = g.findIdle()
	}
	if full && r.streams != nil {
		g.streams, g.streaming = r.streams, g.fn.Param(g.active+1)
	}
	g.b, g.vars = c.NewBuilder(), c.NewBuilder()
	defer g.b.Dispose()
	defer g.vars.Dispose()
	g.emit()
	if err := g.fn.VerifyFunction(); err != nil {
		fail("internal fault: %v: %v", err, k.m.Verify())
	}
	return g
}
