package workgroup

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"aqueduct/roc/compiler/kerneltest"

	"github.com/stretchr/testify/require"
)

// meetSource declares what the builtin library makes the functions of sub-groups of.
const meetSource = `
__attribute__((convergent, nomerge)) void aqueduct_sub_group_meet(void);
uint aqueduct_sub_group_active(void);
uint met(void) { aqueduct_sub_group_meet(); return aqueduct_sub_group_active(); }
`

func TestSubGroupsAreTheWorkItemsInOrder(t *testing.T) {
	p := build(t, `
kernel void k(global uint *out) {
	size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
	global uint *o = out + 7 * i;
	o[0] = get_sub_group_id(); o[1] = get_sub_group_local_id(); o[2] = get_sub_group_size(); o[3] = get_max_sub_group_size();
	o[4] = get_num_sub_groups(); o[5] = get_enqueued_num_sub_groups(); o[6] = get_local_linear_id();
}`, Options{})
	for _, n := range []kerneltest.Launch{
		{Global: [3]int{64}, Local: [3]int{32}}, {Global: [3]int{50}, Local: [3]int{20}}, {Global: [3]int{1}, Local: [3]int{1}},
		{Global: [3]int{10, 7, 3}, Local: [3]int{5, 3, 2}},
	} {
		global, local := [3]int{max(n.Global[0], 1), max(n.Global[1], 1), max(n.Global[2], 1)}, [3]int{max(n.Local[0], 1), max(n.Local[1], 1), max(n.Local[2], 1)}
		out := make([]uint32, 7*global[0]*global[1]*global[2])
		p.run("k", n, out)
		for i := range global[0] * global[1] * global[2] {
			at := [3]int{i % global[0], i / global[0] % global[1], i / global[0] / global[1]}
			items, linear, step, enqueued := 1, 0, 1, 1
			for d := range 3 {
				size := min(local[d], global[d]-at[d]/local[d]*local[d])
				linear += at[d] % local[d] * step
				step *= size
				items *= size
				enqueued *= local[d]
			}
			id := linear / 16
			require.Equal(t, []uint32{uint32(id), uint32(linear % 16), uint32(min(16, items-16*id)), 16, uint32((items + 15) / 16), uint32((enqueued + 15) / 16), uint32(linear)},
				out[7*i:7*i+7], "%v, work-item %d", n, i)
		}
	}
}

// within fails a test that hangs.
func within(t *testing.T, do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		t.Fatal("no end in sight")
	}
}

func TestSubGroupsMakeProgressOnTheirOwn(t *testing.T) {
	p := build(t, meetSource+`
kernel void relay(global uint *out, volatile local uint *turn) { // each sub-group waits for the one behind it, by an ordinary look at memory
	uint g = get_sub_group_id(), last = get_num_sub_groups() - 1;
	if (get_local_id(0) == 0) *turn = last;
	barrier(CLK_LOCAL_MEM_FENCE);
	while (*turn != g) {}
	met();
	if (get_sub_group_local_id() == 0) { out[last - g] = g; *turn = g - 1; }
}
kernel void pairs(global uint *out) { // the first work-items of two sub-groups hand a number to and fro
	local uint ball;
	uint g = get_sub_group_id();
	if (get_local_id(0) == 0) ball = 0;
	work_group_barrier(CLK_LOCAL_MEM_FENCE);
	if (get_sub_group_local_id() == 0)
		for (uint k = 0; k < 50; k++) {
			while ((__atomic_load_n(&ball, __ATOMIC_SEQ_CST) & 1) != g) {}
			__atomic_fetch_add(&ball, 1, __ATOMIC_SEQ_CST);
		}
	work_group_barrier(CLK_LOCAL_MEM_FENCE);
	out[get_local_id(0)] = __atomic_load_n(&ball, __ATOMIC_SEQ_CST);
}`, Options{})
	out := make([]uint32, 64)
	within(t, func() {
		p.run("relay", kerneltest.Launch{Global: [3]int{64}, Local: [3]int{64}}, out, kerneltest.Local(4))
	})
	require.Equal(t, []uint32{3, 2, 1, 0}, out[:4])
	within(t, func() { p.run("pairs", kerneltest.Launch{Global: [3]int{32}, Local: [3]int{32}}, out) })
	require.Equal(t, uint32(100), out[31])
}

func TestSubGroupsMeetOftenOrSeldomBetweenBarriers(t *testing.T) {
	p := build(t, meetSource+`
kernel void k(global uint *out, local uint *l) {
	uint i = get_local_id(0), g = get_sub_group_id(), sum = 0;
	for (uint round = 0; round < 3; round++) {
		l[i] = i + round;
		for (uint k = 0; k < g + round; k++) sum += met();
		barrier(CLK_LOCAL_MEM_FENCE);
		sum += l[(i + 17) % get_local_size(0)];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[i] = sum;
}`, Options{})
	for _, n := range []int{5, 16, 40, 64} {
		out := make([]uint32, n)
		p.run("k", kerneltest.Launch{Global: [3]int{n}, Local: [3]int{n}}, out, kerneltest.Local(4*n))
		for i := range n {
			want, g := 0, i/16
			all := 1<<min(16, n-16*g) - 1
			for round := range 3 {
				want += (g+round)*all + (i+17)%n + round
			}
			require.Equal(t, uint32(want), out[i], "work-item %d of %d", i, n)
		}
	}
}

// simt is a random program of structured control flow: what a sub-group of it does when all its work-items run in lockstep is
// what functions of sub-groups have to see.
type simt struct {
	r     *rand.Rand
	loops int
	text  strings.Builder
}

// lanes is the state of a sub-group.
type lanes struct {
	x, h [16]uint32
}

// step runs the work-items of a mask. It returns those that left the innermost loop by break, and those that went on by continue.
type step func(s *lanes, mask uint32) (broke, went uint32)

func (p *simt) block(depth, n int, inLoop bool) step {
	steps := make([]step, n)
	for i := range steps {
		steps[i] = p.statement(depth, inLoop)
	}
	return func(s *lanes, mask uint32) (broke, went uint32) {
		for _, do := range steps {
			if mask == 0 {
				break
			}
			b, w := do(s, mask)
			broke, went, mask = broke|b, went|w, mask&^(b|w)
		}
		return broke, went
	}
}

func each(mask uint32, do func(l int)) {
	for l := range 16 {
		if mask>>l&1 != 0 {
			do(l)
		}
	}
}

func (p *simt) condition() (string, func(s *lanes, mask uint32) uint32) {
	bit := p.r.Intn(8)
	return fmt.Sprintf("x >> %d & 1", bit), func(s *lanes, mask uint32) (taken uint32) {
		each(mask, func(l int) { taken |= s.x[l] >> bit & 1 << l })
		return taken
	}
}

func (p *simt) statement(depth int, inLoop bool) step {
	kind := p.r.Intn(10)
	switch {
	case kind < 3 || depth == 0 && kind < 8:
		p.text.WriteString("h = h * 31 + met();\n")
		return func(s *lanes, mask uint32) (uint32, uint32) {
			each(mask, func(l int) { s.h[l] = s.h[l]*31 + mask })
			return 0, 0
		}
	case kind < 4 || depth == 0:
		c := p.r.Uint32() | 1
		fmt.Fprintf(&p.text, "x = x * %du + h;\n", c)
		return func(s *lanes, mask uint32) (uint32, uint32) {
			each(mask, func(l int) { s.x[l] = s.x[l]*c + s.h[l] })
			return 0, 0
		}
	case kind < 5 && inLoop:
		text, taken := p.condition()
		exit := p.r.Intn(2) == 0
		fmt.Fprintf(&p.text, "if (%s) %s;\n", text, map[bool]string{true: "break", false: "continue"}[exit])
		return func(s *lanes, mask uint32) (broke, went uint32) {
			if exit {
				return taken(s, mask), 0
			}
			return 0, taken(s, mask)
		}
	case kind < 8:
		text, taken := p.condition()
		fmt.Fprintf(&p.text, "if (%s) {\n", text)
		yes := p.block(depth-1, 1+p.r.Intn(3), inLoop)
		p.text.WriteString("} else {\n")
		no := p.block(depth-1, p.r.Intn(3), inLoop)
		p.text.WriteString("}\n")
		return func(s *lanes, mask uint32) (uint32, uint32) {
			t := taken(s, mask)
			b1, w1 := yes(s, t)
			b2, w2 := no(s, mask&^t)
			return b1 | b2, w1 | w2
		}
	}
	p.loops++
	i, shift := p.loops, p.r.Intn(8)
	fmt.Fprintf(&p.text, "for (uint i%d = 0, n%d = x >> %d & 3; i%d < n%d; i%d++) {\n", i, i, shift, i, i, i)
	body := p.block(depth-1, 1+p.r.Intn(3), true)
	p.text.WriteString("}\n")
	return func(s *lanes, mask uint32) (uint32, uint32) {
		var n [16]uint32
		each(mask, func(l int) { n[l] = s.x[l] >> shift & 3 })
		for k := uint32(0); ; k++ {
			each(mask, func(l int) {
				if k >= n[l] {
					mask &^= 1 << l
				}
			})
			if mask == 0 {
				return 0, 0
			}
			broke, _ := body(s, mask)
			mask &^= broke
		}
	}
}

func TestWorkItemsOfASubGroupComeTogetherWhereTheirPathsDo(t *testing.T) {
	const kernels = 24
	var source strings.Builder
	source.WriteString(meetSource)
	var programs []step
	for seed := range int64(kernels) {
		p := &simt{r: rand.New(rand.NewSource(seed))}
		run := p.block(3, 4, false)
		programs = append(programs, run)
		fmt.Fprintf(&source, "kernel void k%d(global uint *xs, global uint *hs) {\nuint x = xs[get_global_id(0)], h = 1;\n%sxs[get_global_id(0)] = x;\nhs[get_global_id(0)] = h;\n}\n", seed, p.text.String())
	}
	built := build(t, source.String(), Options{})
	for k, run := range programs {
		for _, n := range []int{16, 24, 7} {
			r := rand.New(rand.NewSource(int64(k)))
			xs, hs := make([]uint32, n), make([]uint32, n)
			var groups []lanes
			for i := range xs {
				if i%16 == 0 {
					groups = append(groups, lanes{})
				}
				xs[i] = r.Uint32()
				groups[i/16].x[i%16], groups[i/16].h[i%16] = xs[i], 1
			}
			within(t, func() {
				built.run(fmt.Sprintf("k%d", k), kerneltest.Launch{Global: [3]int{n}, Local: [3]int{n}}, xs, hs)
			})
			for g := range groups {
				size := min(16, n-16*g)
				run(&groups[g], 1<<size-1)
				require.Equal(t, groups[g].h[:size], hs[16*g:16*g+size], "kernel %d, %d work-items\n%s", k, n, source.String())
				require.Equal(t, groups[g].x[:size], xs[16*g:16*g+size], "kernel %d, %d work-items", k, n)
			}
		}
	}
}
