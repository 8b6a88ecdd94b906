package cl

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"aqueduct/roc/compiler"
	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/hsa"

	"github.com/stretchr/testify/require"
)

// cBuilder stands in for the compiler: sources are C that keeps to the ABI of package codeobject, with a line
// "//kernel <KernelInfo as JSON>" for each kernel. Compiled objects are sources, which linking puts together.
type cBuilder struct {
	mu    sync.Mutex
	made  map[[32]byte]*codeobject.Program // guarded by mu
	calls int                              // guarded by mu
	dir   string
	gate  chan struct{} // if not nil, builds wait for it
}

// prelude is what every source starts with: how a kernel walks its work-items in one dimension.
const prelude = `
#include <stdint.h>
#define memset __builtin_memset
#define HIDDEN(args, at) ((const struct hidden *)((const char *)(args) + (at)))
struct hidden { uint32_t blocks[3]; uint16_t group[3], remainder[3]; };
struct context { char *local; };
#define ITEMS(h, i) for (uint64_t g_ = first; g_ < last; g_++) \
	for (uint64_t i = g_ * (h)->group[0], e_ = i + (g_ == (h)->blocks[0] ? (h)->remainder[0] : (h)->group[0]); i < e_; i++)
`

// addSource has kernel add(global int *out, int v): out[i] += v.
const addSource = `
//kernel {"Name":"add","Symbol":"add","HiddenOffset":16,"KernargSize":272,"Width":4,"HasArgInfo":true,"PrivateSegmentSize":8,"Args":[{"Name":"out","TypeName":"int*","Kind":1,"Size":8,"AddressSpace":4507,"Access":4515},{"Name":"v","TypeName":"int","Size":4,"Offset":8,"AddressSpace":4510,"Access":4515}]}
struct add_args { int *out; int v; };
void add(const struct add_args *a, const struct context *c, uint64_t first, uint64_t last)
{
	ITEMS(HIDDEN(a, 16), i) a->out[i] += a->v;
}
`

// localSource has kernel spread(global int *out, local int *a, local int4 *b, constant int *in) with 24 bytes of local memory
// of its own, and kernel fixed(), whose work-groups are 8 by 2.
const localSource = `
//kernel {"Name":"spread","Symbol":"spread","HiddenOffset":24,"KernargSize":280,"GroupSegmentSize":24,"Args":[{"Kind":1,"Size":8},{"Kind":3,"Size":4,"Offset":8,"PointeeAlign":4},{"Kind":3,"Size":4,"Offset":12,"PointeeAlign":16},{"Kind":2,"Size":8,"Offset":16}]}
//kernel {"Name":"fixed","Symbol":"fixed","HiddenOffset":0,"KernargSize":256,"ReqdWorkGroupSize":[8,2,1],"Attributes":"reqd_work_group_size(8,2,1)"}
struct spread_args { int *out; uint32_t a, b; int *in; };
void spread(const struct spread_args *s, const struct context *c, uint64_t first, uint64_t last)
{
	s->out[0] = s->a;
	s->out[1] = s->b;
	s->out[2] = s->in ? s->in[0] : -1;
	memset(c->local + s->a, 1, s->b - s->a);
}
void fixed(const void *a, const struct context *c, uint64_t first, uint64_t last) {}
`

func (b *cBuilder) Build(_ context.Context, r compiler.Request) (*codeobject.Program, string, error) {
	if err := compiler.CheckOptions(r.Stage, r.Options); err != nil {
		return nil, "", err
	}
	b.mu.Lock()
	gate := b.gate
	b.calls++
	b.mu.Unlock()
	if gate != nil {
		<-gate
	}
	p := &codeobject.Program{Type: codeobject.Executable, Target: r.Target.ID, Options: r.Options}
	if string(r.Source) == hsa.BlitSource { // which is OpenCL C
		c, err := theCompiler()
		if err != nil {
			return nil, "", err
		}
		return c.Build(context.Background(), r)
	}
	text := string(r.Source)
	for _, h := range r.Headers {
		text = strings.ReplaceAll(text, fmt.Sprintf("#include %q", h.Name), string(h.Source))
	}
	for _, in := range r.Inputs {
		text += string(in.Code)
	}
	switch {
	case strings.Contains(text, "#error"):
		return nil, "<source>:1: error: there is an #error\n", compiler.ErrFailed
	case r.Stage == compiler.Compile:
		p.Type, p.Code = codeobject.CompiledObject, []byte(text)
		return p, "", nil
	case strings.Contains(r.Options, "-create-library"):
		p.Type, p.Code = codeobject.Library, []byte(text)
		return p, "", nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if info, ok := strings.CutPrefix(line, "//kernel "); ok {
			var k codeobject.KernelInfo
			if err := json.Unmarshal([]byte(info), &k); err != nil {
				return nil, err.Error(), compiler.ErrFailed
			}
			p.Kernels = append(p.Kernels, k)
		}
	}
	var err error
	if r.Target.GPU() {
		p.Code, err = b.compileGPU(text, r.Target.CPU, p.Kernels)
	} else {
		p.Code, err = b.compile(text, "-fPIC")
	}
	if err != nil {
		return nil, err.Error(), compiler.ErrFailed
	}
	p.Globals = 12
	return p, "a warning\n", nil
}

func (b *cBuilder) Available() (sources, links bool) { return true, true }

func (b *cBuilder) Unload() {}

// compile makes a shared object of C, each text once.
func (b *cBuilder) compile(text string, options ...string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := sha256.Sum256(fmt.Append(nil, options, text))
	if p := b.made[key]; p != nil {
		return p.Code, nil
	}
	so := filepath.Join(b.dir, fmt.Sprintf("%x.so", key[:8]))
	cmd := exec.Command("clang-19", append(options, "-shared", "-O1", "-nostdlib", "-x", "c", "-o", so, "-")...)
	cmd.Stdin = strings.NewReader(prelude + text)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v\n%s", err, out)
	}
	code, err := os.ReadFile(so)
	b.made[key] = &codeobject.Program{Code: code}
	return code, err
}

// hold has builds wait until what it returns is called.
func (b *cBuilder) hold() (release func()) {
	gate := make(chan struct{})
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gate = gate
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.gate = nil
		close(gate)
	})
}

// testBuilder is the builder of all tests of this package.
var testBuilder *cBuilder

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "cl-test-")
	if err != nil {
		panic(err)
	}
	testBuilder = &cBuilder{dir: dir, made: map[[32]byte]*codeobject.Program{}}
	theBuilder = testBuilder
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// program is a built program.
func (f *fixture) program(source string, options ...string) *Program {
	f.Helper()
	p := f.ctx.CreateProgramWithSource([]string{source})
	o := strings.Join(options, " ")
	st := p.Build(BuildArgs{Options: &o})
	require.Equal(f, CL_SUCCESS, st, p.builds[0].log)
	return p
}

func (f *fixture) kernel(p *Program, name string) *Kernel {
	f.Helper()
	k, st := p.CreateKernel(name)
	require.Equal(f, CL_SUCCESS, st)
	return k
}
