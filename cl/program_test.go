package cl

import (
	"testing"

	"aqueduct/roc/compiler/codeobject"

	"github.com/stretchr/testify/require"
)

func text(s string) *string { return &s }

// built is the state of p on the fixture's device.
func (f *fixture) built(p *Program) build {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.builds[0]
}

func TestSourceIsConcatenatedWithoutNulls(t *testing.T) {
	f := newFixture(t)
	p := f.ctx.CreateProgramWithSource([]string{"a\x00b", "", "c"})
	defer p.Release()
	require.Equal(t, "abc", p.source)
	require.EqualValues(t, CL_BUILD_NONE, f.built(p).status)
}

func TestBuildKeepsStatusLogAndOptions(t *testing.T) {
	f := newFixture(t)
	p := f.ctx.CreateProgramWithSource([]string{addSource})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{Options: text("-DX=1  -w")}))
	b := f.built(p)
	require.EqualValues(t, CL_BUILD_SUCCESS, b.status)
	require.Equal(t, "-DX=1  -w", b.options)
	require.Equal(t, "a warning\n", b.log)
	require.Equal(t, codeobject.Executable, b.object.Type)

	bad := f.ctx.CreateProgramWithSource([]string{"#error"})
	defer bad.Release()
	require.Equal(t, CL_BUILD_PROGRAM_FAILURE, bad.Build(BuildArgs{}))
	b = f.built(bad)
	require.EqualValues(t, CL_BUILD_ERROR, b.status)
	require.Contains(t, b.log, "error: there is an #error")
	require.Nil(t, b.object)
}

func TestBuildRules(t *testing.T) {
	f := newFixture(t)
	p := f.ctx.CreateProgramWithSource([]string{addSource})
	defer p.Release()
	require.Equal(t, CL_INVALID_DEVICE, p.Build(BuildArgs{Devices: []*Device{nil}}))
	require.Equal(t, CL_INVALID_BUILD_OPTIONS, p.Build(BuildArgs{Options: text("-no-such-option")}))
	require.Contains(t, f.built(p).log, "-no-such-option")
	require.Equal(t, CL_INVALID_COMPILER_OPTIONS, p.Compile(BuildArgs{Options: text("-create-library")}, nil))
	require.EqualValues(t, CL_BUILD_NONE, f.built(p).status, "a build that cannot begin leaves the program alone")

	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{Devices: []*Device{f.device, f.device}}))
	k := f.kernel(p, "add")
	require.Equal(t, CL_INVALID_OPERATION, p.Build(BuildArgs{}), "a kernel is attached")
	require.Equal(t, CL_INVALID_OPERATION, p.Compile(BuildArgs{}, nil))
	require.NotNil(t, f.built(p).exe)
	k.Release()
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{}))
}

func TestBuildWithACallbackGoesOnBehindTheCall(t *testing.T) {
	f := newFixture(t)
	release := testBuilder.hold()
	defer release()
	p := f.ctx.CreateProgramWithSource([]string{addSource})
	ended := make(chan int32)
	notify := func(p *Program) { ended <- f.built(p).status }
	require.Equal(t, CL_SUCCESS, p.Build(BuildArgs{Notify: notify}))
	require.EqualValues(t, CL_BUILD_IN_PROGRESS, f.built(p).status)
	require.Equal(t, CL_INVALID_OPERATION, p.Build(BuildArgs{}), "the build has not completed")
	_, st := f.ctx.Link(BuildArgs{}, []*Program{p}, func(*Program) bool { return true })
	require.Equal(t, CL_INVALID_OPERATION, st)
	require.Equal(t, CL_SUCCESS, p.Release(), "the build uses the program")
	release()
	f.within("the callback", func() { require.EqualValues(t, CL_BUILD_SUCCESS, <-ended) })
}

func TestCompileAndLink(t *testing.T) {
	f := newFixture(t)
	header := f.ctx.CreateProgramWithSource([]string{"int twice(int v) { return 2 * v; }\n"})
	defer header.Release()
	p := f.ctx.CreateProgramWithSource([]string{"#include \"twice.h\"\n" + addSource})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Compile(BuildArgs{}, []Header{{"twice.h", header}}))
	require.Equal(t, codeobject.CompiledObject, f.built(p).object.Type)
	_, st := p.CreateKernel("add")
	require.Equal(t, CL_INVALID_PROGRAM_EXECUTABLE, st)

	publish := func(*Program) bool { return true }
	_, st = f.ctx.Link(BuildArgs{}, nil, publish)
	require.Equal(t, CL_INVALID_VALUE, st)
	_, st = f.foreign.Link(BuildArgs{}, []*Program{p}, publish)
	require.Equal(t, CL_INVALID_CONTEXT, st)
	_, st = f.ctx.Link(BuildArgs{Options: text("-DX")}, []*Program{p}, publish)
	require.Equal(t, CL_INVALID_LINKER_OPTIONS, st)
	_, st = f.ctx.Link(BuildArgs{}, []*Program{header}, publish)
	require.Equal(t, CL_INVALID_OPERATION, st, "not compiled")
	_, st = f.ctx.Link(BuildArgs{}, []*Program{p, header}, publish)
	require.Equal(t, CL_INVALID_OPERATION, st, "one of two is not compiled")

	lib, st := f.ctx.Link(BuildArgs{Options: text("-create-library")}, []*Program{p}, publish)
	require.Equal(t, CL_SUCCESS, st)
	defer lib.Release()
	require.Equal(t, codeobject.Library, f.built(lib).object.Type)
	exe, st := f.ctx.Link(BuildArgs{}, []*Program{lib}, publish)
	require.Equal(t, CL_SUCCESS, st)
	defer exe.Release()
	f.kernel(exe, "add").Release()
	require.Equal(t, CL_INVALID_OPERATION, exe.Build(BuildArgs{}), "linked programs cannot be built")
	require.Equal(t, CL_INVALID_OPERATION, exe.Compile(BuildArgs{}, nil))
}

func TestFailedLinkGivesTheProgramToo(t *testing.T) {
	f := newFixture(t)
	p := f.ctx.CreateProgramWithSource([]string{"this is not C"})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Compile(BuildArgs{}, nil))
	var published *Program
	linked, st := f.ctx.Link(BuildArgs{}, []*Program{p}, func(p *Program) bool { published = p; return true })
	require.Equal(t, CL_LINK_PROGRAM_FAILURE, st)
	require.NotNil(t, linked)
	require.Equal(t, published, linked)
	defer linked.Release()
	require.EqualValues(t, CL_BUILD_ERROR, f.built(linked).status)
	require.Contains(t, f.built(linked).log, "error:")
}

func TestBinaries(t *testing.T) {
	f := newFixture(t)
	p := f.program(addSource, "-cl-std=CL3.0", "-DX")
	defer p.Release()
	good := f.built(p).binary
	damaged := append([]byte{}, good...)
	damaged[len(damaged)/2] ^= 1
	other := *f.built(p).object
	other.Target = "another processor"
	foreign, err := other.Marshal()
	require.NoError(t, err)
	for name, c := range map[string]struct {
		bin  []byte
		want Status
	}{
		"good":      {good, CL_SUCCESS},
		"nothing":   {nil, CL_INVALID_VALUE},
		"garbage":   {[]byte("garbage"), CL_INVALID_BINARY},
		"truncated": {good[:len(good)-1], CL_INVALID_BINARY},
		"damaged":   {damaged, CL_INVALID_BINARY},
		"foreign":   {foreign, CL_INVALID_BINARY},
	} {
		t.Run(name, func(t *testing.T) {
			b, each, st := f.ctx.CreateProgramWithBinary([]*Device{f.device}, [][]byte{c.bin})
			require.Equal(t, c.want, st)
			require.Equal(t, []Status{c.want}, each)
			if st != CL_SUCCESS {
				require.Nil(t, b)
				return
			}
			defer b.Release()
			_, st = b.CreateKernel("add")
			require.Equal(t, CL_INVALID_PROGRAM_EXECUTABLE, st, "binaries are built, too")
			require.Equal(t, CL_INVALID_OPERATION, b.Compile(BuildArgs{}, nil), "there is no source")
			calls := testBuilder.calls
			require.Equal(t, CL_SUCCESS, b.Build(BuildArgs{}))
			require.Equal(t, calls, testBuilder.calls, "there is nothing to compile")
			require.Equal(t, "-cl-std=CL3.0 -DX", f.built(b).options, "NULL options are those of the binary")
			require.Equal(t, CL_SUCCESS, b.Build(BuildArgs{}), "again")
			f.kernel(b, "add").Release()
		})
	}
	_, _, st := f.ctx.CreateProgramWithBinary(nil, nil)
	require.Equal(t, CL_INVALID_VALUE, st)
	_, _, st = f.ctx.CreateProgramWithBinary([]*Device{nil}, [][]byte{good})
	require.Equal(t, CL_INVALID_DEVICE, st)
	require.Equal(t, CL_INVALID_VALUE, f.ctx.CreateProgramWithBuiltInKernels([]*Device{f.device}))
}

func TestCompiledObjectsTravelAsBinaries(t *testing.T) {
	f := newFixture(t)
	p := f.ctx.CreateProgramWithSource([]string{addSource})
	defer p.Release()
	require.Equal(t, CL_SUCCESS, p.Compile(BuildArgs{}, nil))
	b, _, st := f.ctx.CreateProgramWithBinary([]*Device{f.device}, [][]byte{f.built(p).binary})
	require.Equal(t, CL_SUCCESS, st)
	defer b.Release()
	linked, st := f.ctx.Link(BuildArgs{}, []*Program{b}, func(*Program) bool { return true })
	require.Equal(t, CL_SUCCESS, st)
	defer linked.Release()
	f.kernel(linked, "add").Release()
}
