package workgroup

import (
	"testing"

	"aqueduct/roc/compiler/kerneltest"
	"aqueduct/roc/compiler/llvm"

	"github.com/stretchr/testify/require"
)

const flowSource = `
declare void @stop()
define i32 @f(i32 %n) {
entry:
  %a = add i32 %n, 1
  %b = mul i32 %n, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ %a, %entry ], [ %t, %loop ]
  call void @stop()
  %t = add i32 %s, %i
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = add i32 %t, %b
  ret i32 %r
}`

func flowFunction(t *testing.T) (llvm.Module, llvm.Value) {
	_, err := kerneltest.Target()
	require.NoError(t, err)
	c := llvm.NewContext()
	t.Cleanup(c.Dispose)
	m, err := c.ParseIR(flowSource)
	require.NoError(t, err)
	return m, m.Function("f")
}

func names(is []*instr) (r []string) {
	for _, i := range is {
		r = append(r, i.v.Name())
	}
	return r
}

func TestLivenessFollowsPhisAndLoops(t *testing.T) {
	_, f := flowFunction(t)
	flow := readFlow(f)
	live := readLiveness(flow)
	require.Len(t, flow.blocks, 3)
	require.Empty(t, live.at(flow.blocks[0]))
	require.Equal(t, []string{"b"}, names(live.at(flow.blocks[1])), "a is used at the end of entry, i and s are defined in loop")
	require.Equal(t, []string{"b", "t"}, names(live.at(flow.blocks[2])))
}

func TestSplitLoopKeepsItsPhis(t *testing.T) {
	m, f := flowFunction(t)
	b := m.Context().NewBuilder()
	defer b.Dispose()
	stop := m.Function("stop").Users()[0]
	tail := splitAfter(m.Context(), b, f, stop)
	b.AtEnd(stop.Block())
	b.Br(tail)
	require.NoError(t, m.Verify(), "%v", m)
	flow := readFlow(f)
	live := readLiveness(flow)
	require.ElementsMatch(t, []string{"b", "", ""}, names(live.at(flow.of[tail])), "the phis are new, without names")
}
