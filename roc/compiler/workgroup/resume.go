package workgroup

import "aqueduct/roc/compiler/llvm"

// resumable is an item function cut at its barriers:
//
//	i32 item(arguments, answers, ptr frame, i64 n, i64 index, i32 state[, i32 active])
//
// State 0 starts the work-item, state k goes on behind barrier k. It returns the number of the barrier it came to, or 0 at
// the end. What a work-item needs behind a barrier it stores in its slots of the frame. Since nothing is assumed about
// where barriers stand, this is right for any control flow, irreducible too, and adds a constant amount of code a barrier.
type resumable struct {
	*item
	barriers int
	exits    []set // by state: the states a call that starts there can return
	frame    frame
	states   slot // i32: the state of an item, kept by the loops around the function
}

// Positions of the parameters behind the answers.
const (
	paramFrame = iota
	paramN
	paramIndex
	paramState
	paramActive // i32: the work-items of the sub-group that go on now; only if the kernel has sub-groups that meet
)

// makeResumable moves the kernel's body into a resumable function.
func makeResumable(m llvm.Module, kernel llvm.Value, barriers []llvm.Value, p *parallel) *resumable {
	c := m.Context()
	r := &resumable{barriers: len(barriers)}
	r.states = r.frame.add(4, 4)
	extra := []llvm.Type{c.Ptr(0), c.I64(), c.I64(), c.I32()}
	meets := calls(m, kernel, subGroupMeet)
	if meets {
		extra = append(extra, c.I32())
	}
	r.item = newItem(m, kernel, c.I32(), extra...)
	b := c.NewBuilder()
	defer b.Dispose()
	if meets { // in each call another: freeze keeps it from being taken for an argument
		for _, call := range callsOf(m, r.f, subGroupActive) {
			b.Before(call)
			call.ReplaceUses(b.Freeze(r.param(paramActive)))
			call.Erase()
		}
	}
	behind := make([]llvm.Block, len(barriers)) // barrier k+1: where it goes on
	stop := map[llvm.Block]int{}                // block that ends in a barrier: its number
	for k, call := range barriers {
		behind[k] = splitAfter(c, b, r.f, call)
		b.AtEnd(call.Block())
		b.Br(behind[k]) // for liveness; cut removes it
	}
	for k, call := range barriers {
		stop[call.Block()] = k + 1
	}
	flow := readFlow(r.f)
	live := readLiveness(flow)
	r.exits = make([]set, len(barriers)+1)
	r.exits[0] = r.reach(flow, flow.blocks[0], stop)
	for k, bb := range behind {
		r.exits[k+1] = r.reach(flow, flow.of[bb], stop)
	}

	s := &spiller{m: m, c: c, b: b, r: r, p: p, flow: flow, dispatch: c.AppendBlock(r.f, "dispatch"), hoisted: map[*instr]bool{}, vars: map[*instr]variable{}}
	start := flow.blocks[0].b
	s.dispatch.MoveBefore(start)
	b.AtEnd(s.dispatch)
	s.end = b.Switch(r.param(paramState), start, len(barriers))
	s.moveAllocas()
	needed := make([][]*instr, len(barriers))
	for k, bb := range behind {
		for _, v := range live.at(flow.of[bb]) {
			if !s.hoist(v) {
				needed[k] = append(needed[k], v)
			}
		}
	}
	for _, vs := range needed {
		for _, v := range vs {
			s.demote(v)
		}
	}
	for k, call := range barriers {
		s.cut(call, k+1, behind[k], needed[k])
	}
	for _, blk := range flow.blocks {
		if last := blk.instrs[len(blk.instrs)-1]; last.op == llvm.OpRet {
			b.Before(last.v)
			b.Ret(c.I32().ConstInt(0))
			last.v.Erase()
		}
	}
	return r
}

func (r *resumable) param(k int) llvm.Value { return r.f.Param(r.extra + k) }

// reach finds the states that a run from a block can end in.
func (r *resumable) reach(f *flow, from *block, stop map[llvm.Block]int) set {
	ends, seen := newSet(r.barriers+1), newSet(len(f.blocks))
	work := []*block{from}
	seen.add(from.index)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if k := stop[b.b]; k != 0 {
			ends.add(k)
			continue
		} else if b.instrs[len(b.instrs)-1].op == llvm.OpRet {
			ends.add(0)
		}
		for _, s := range b.succs {
			if !seen.has(s.index) {
				seen.add(s.index)
				work = append(work, s)
			}
		}
	}
	return ends
}

// spiller moves what is live across barriers to the frame.
type spiller struct {
	m        llvm.Module
	c        llvm.Context
	b        llvm.Builder
	r        *resumable
	p        *parallel // nil: mark nothing
	flow     *flow
	dispatch llvm.Block // the new entry
	end      llvm.Value // its switch; what dominates everything is put in front of it
	hoisted  map[*instr]bool
	vars     map[*instr]variable
}

// variable is where a value lives: a stack variable while the function runs (mem2reg makes registers of it again), a slot of
// the frame while it waits.
type variable struct {
	stack llvm.Value
	slot  slot
}

func (s *spiller) address(at slot) llvm.Value {
	return at.address(s.b, s.c, s.r.param(paramFrame), s.r.param(paramN), s.r.param(paramIndex))
}

// moveAllocas gives private variables that are still in memory a place in the frame.
func (s *spiller) moveAllocas() {
	for _, b := range s.flow.blocks {
		for _, i := range b.instrs {
			if i.op != llvm.OpAlloca {
				continue
			}
			t := i.v.AllocatedType()
			align := max(i.v.Align(), s.m.Layout().Align(t))
			size := (s.m.Layout().Size(t) + uint64(align) - 1) &^ uint64(align-1)
			s.b.Before(s.end)
			place := s.address(s.r.frame.add(size, align))
			for _, u := range i.v.Users() {
				if u.IsInstruction() && u.Opcode() == llvm.OpCall && isLifetime(u.Callee().Name()) {
					u.Erase()
				}
			}
			i.v.ReplaceUses(place)
			s.hoisted[i] = true
		}
	}
	for i := range s.hoisted {
		i.v.Erase()
	}
}

func isLifetime(name string) bool {
	return name == "llvm.lifetime.start.p0" || name == "llvm.lifetime.end.p0"
}

// hoist moves a value that follows from arguments and ids by cheap arithmetic to the entry, where each resumption computes
// it again. It says whether it could.
func (s *spiller) hoist(i *instr) bool {
	if s.hoisted[i] {
		return true
	}
	switch op := i.op; {
	case op >= llvm.OpShl && op <= llvm.OpXor, op == llvm.OpAdd, op == llvm.OpSub, op == llvm.OpMul, op == llvm.OpGetElementPtr,
		op >= llvm.OpTrunc && op <= llvm.OpSExt, op == llvm.OpPtrToInt, op == llvm.OpIntToPtr, op == llvm.OpBitCast,
		op == llvm.OpAddrSpaceCast, op == llvm.OpICmp, op == llvm.OpSelect:
	default:
		return false
	}
	for _, a := range i.args {
		if !s.hoist(a) {
			return false
		}
	}
	i.v.Remove()
	s.b.Before(s.end)
	s.b.Insert(i.v)
	s.hoisted[i] = true
	return true
}

// demote makes a value a variable: stored where it is defined, loaded where it is used.
func (s *spiller) demote(i *instr) {
	if _, ok := s.vars[i]; ok {
		return
	}
	t := i.v.Type()
	users := i.v.Users()
	s.b.Before(s.dispatch.First())
	layout := s.m.Layout()
	v := variable{s.b.Alloca(t), s.r.frame.add(layout.Size(t), layout.Align(t))}
	s.vars[i] = v
	done := map[llvm.Value]bool{}
	for _, u := range users {
		if done[u] {
			continue
		}
		done[u] = true
		if u.Opcode() != llvm.OpPHI {
			s.b.Before(u)
			x := s.b.Load(t, v.stack)
			for k := range u.NumOperands() {
				if u.Operand(k) == i.v {
					u.SetOperand(k, x)
				}
			}
			continue
		}
		loads := map[llvm.Block]llvm.Value{} // a phi may name a block twice, with the same value
		for k := range u.NumIncoming() {
			if x, from := u.Incoming(k); x == i.v {
				if loads[from] == 0 {
					s.b.Before(from.Terminator())
					loads[from] = s.b.Load(t, v.stack)
				}
				u.SetOperand(k, loads[from])
			}
		}
	}
	next := i.v.Next()
	for next.Opcode() == llvm.OpPHI {
		next = next.Next()
	}
	s.b.Before(next)
	s.b.Store(i.v, v.stack)
}

// cut ends the function at a barrier, and makes the entry lead to what is behind it.
func (s *spiller) cut(call llvm.Value, state int, behind llvm.Block, needed []*instr) {
	head := call.Block()
	head.Terminator().Erase()
	call.Erase()
	s.b.AtEnd(head)
	for _, i := range needed {
		v := s.vars[i]
		s.p.accesses(s.b.Store(s.b.Load(i.v.Type(), v.stack), s.address(v.slot)))
	}
	s.b.Ret(s.c.I32().ConstInt(int64(state)))
	resume := s.c.AppendBlock(s.r.f, "restore")
	resume.MoveBefore(behind)
	s.b.AtEnd(resume)
	for _, i := range needed {
		v := s.vars[i]
		x := s.b.Load(i.v.Type(), s.address(v.slot))
		s.p.accesses(x)
		s.b.Store(x, v.stack)
	}
	s.b.Br(behind)
	s.end.AddCase(s.c.I32().ConstInt(int64(state)), resume)
}
