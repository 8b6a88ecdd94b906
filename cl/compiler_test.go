package cl

import (
	"testing"

	"aqueduct/roc/compiler"

	"github.com/stretchr/testify/require"
)

func TestWhereThereIsNoCompilerDeviceAndBuildsSaySo(t *testing.T) {
	f := newFixture(t)
	p := f.program(addSource)
	defer p.Release()
	compiled := f.ctx.CreateProgramWithSource([]string{addSource})
	defer compiled.Release()
	require.Equal(t, CL_SUCCESS, compiled.Compile(BuildArgs{}, nil))
	there := func() []Value {
		return []Value{deviceInfo[CL_DEVICE_COMPILER_AVAILABLE](f.device), deviceInfo[CL_DEVICE_LINKER_AVAILABLE](f.device)}
	}
	require.Equal(t, []Value{Bool(true), Bool(true)}, there())

	theBuilder = &compiler.Client{Config: &compiler.Config{Compiler: "/nonexistent"}}
	defer func() { theBuilder = testBuilder }()
	require.Equal(t, []Value{Bool(false), Bool(false)}, there())
	q := f.ctx.CreateProgramWithSource([]string{addSource})
	defer q.Release()
	require.Equal(t, CL_COMPILER_NOT_AVAILABLE, q.Build(BuildArgs{}))
	require.Contains(t, f.built(q).log, "/nonexistent")
	require.Equal(t, CL_COMPILER_NOT_AVAILABLE, q.Compile(BuildArgs{}, nil))
	l, st := f.ctx.Link(BuildArgs{}, []*Program{compiled}, func(*Program) bool { return true })
	require.Equal(t, CL_LINKER_NOT_AVAILABLE, st)
	l.Release()
	require.EqualValues(t, CL_BUILD_SUCCESS, f.built(p).status, "what was built before stays")
}
