package llvm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func context(t *testing.T) Context {
	require.NoError(t, Load())
	c := NewContext()
	t.Cleanup(c.Dispose)
	return c
}

const source = `
define i32 @f(ptr addrspace(1) %p, i32 %n) !kernel_arg_name !0 {
  %x = add nsw i32 %n, 0
  %y = mul i32 %x, 3
  ret i32 %y
}
!0 = !{!"p", !"n"}
`

func TestModuleIsReadBuiltOptimisedAndEmitted(t *testing.T) {
	c := context(t)
	m, err := c.ParseIR(source)
	require.NoError(t, err)
	f := m.Function("f")
	require.Equal(t, "f", f.Name())
	require.Equal(t, 1, f.ValueType().Params()[0].AddressSpace())
	entry := f.Entry().Instructions()
	require.Len(t, entry, 3)
	require.Equal(t, OpAdd, entry[0].Opcode())
	require.True(t, entry[0].NSW())
	require.Equal(t, int64(3), entry[1].Operand(1).Int())
	names := f.GlobalMetadata(c, c.MDKind("kernel_arg_name")).MDOperands()
	require.Len(t, names, 2)
	s, ok := names[1].MDText()
	require.True(t, ok)
	require.Equal(t, "n", s)

	g := m.AddFunction("g", Function(c.F32(), c.F32()))
	b := c.NewBuilder()
	defer b.Dispose()
	b.AtEnd(c.AppendBlock(g, "entry"))
	r := m.Intrinsic("llvm.sqrt", c.F32())
	b.Ret(b.Call(r.ValueType(), r, b.BinOp(OpFAdd, g.Param(0), c.F32().ConstFloat(1.5))))
	g.AddAttribute(FunctionIndex, c.EnumAttribute("nounwind", 0))
	g.AddAttribute(FunctionIndex, c.StringAttribute("key", "value"))
	v, ok := g.StringAttribute(FunctionIndex, "key")
	require.True(t, ok)
	require.Equal(t, "value", v)
	require.NoError(t, m.Verify())
	require.Contains(t, m.String(), "fadd float %0, 1.5")

	m.SetTriple("x86_64-unknown-linux-gnu")
	tm, err := NewTargetMachine(m.Triple(), HostCPU(), HostFeatures(), CodeBest)
	require.NoError(t, err)
	defer tm.Dispose()
	require.NoError(t, m.RunPasses("function(instcombine<no-verify-fixpoint>)", tm, PassOptions{}))
	require.Len(t, f.Entry().Instructions(), 2)
	require.Error(t, m.RunPasses("no-such-pass", tm, PassOptions{}))
	asm, err := tm.Emit(m.Clone(), Assembly)
	require.NoError(t, err)
	require.Contains(t, string(asm), "sqrtss")
	obj, err := tm.Emit(m, Object)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(obj), "\x7fELF"))
}

func TestBitcodeSurvivesARoundTrip(t *testing.T) {
	c := context(t)
	m, err := c.ParseIR(source)
	require.NoError(t, err)
	code := m.Bitcode()
	for _, parse := range []func([]byte) (Module, error){c.ParseBitcode, c.ParseBitcodeLazily} {
		n, err := parse(code)
		require.NoError(t, err)
		into := c.NewModule("into")
		require.NoError(t, into.Link(n))
		require.Len(t, into.Function("f").Entry().Instructions(), 3)
	}
	c.OnDiagnostic(func(Diagnostic) {})
	defer c.OnDiagnostic(nil)
	for _, bad := range [][]byte{nil, []byte("BC"), []byte("not bitcode at all"), code[:len(code)/2]} {
		_, err = c.ParseBitcode(bad)
		require.Error(t, err)
	}
}

func TestDiagnosticsReachTheirContext(t *testing.T) {
	c := context(t)
	var got []Diagnostic
	c.OnDiagnostic(func(d Diagnostic) { got = append(got, d) })
	defer c.OnDiagnostic(nil)
	a, err := c.ParseIR("@x = global i32 1")
	require.NoError(t, err)
	b, err := c.ParseIR("@x = global i32 2")
	require.NoError(t, err)
	require.Error(t, a.Link(b))
	require.Len(t, got, 1)
	require.Contains(t, got[0].Text, "multiply defined")
	require.Equal(t, SeverityError, got[0].Severity)
}

func TestInvalidModuleIsReported(t *testing.T) {
	c := context(t)
	m := c.NewModule("m")
	f := m.AddFunction("f", Function(c.Void()))
	b := c.NewBuilder()
	defer b.Dispose()
	b.AtEnd(c.AppendBlock(f, ""))
	b.Ret(c.I32().ConstInt(1))
	require.Error(t, m.Verify())
	require.Error(t, f.VerifyFunction())
}

func TestHalfConstants(t *testing.T) {
	c := context(t)
	for v, s := range map[float64]string{1: "0xH3C00", -2.5: "0xHC100", 0: "0xH0000", 1e9: "0xH7C00"} {
		require.Contains(t, c.F16().ConstFloat(v).String(), s)
	}
}

func BenchmarkOpcode(b *testing.B) {
	require.NoError(b, Load())
	c := NewContext()
	m, err := c.ParseIR(source)
	require.NoError(b, err)
	i := m.Function("f").Entry().First()
	for b.Loop() {
		i.Opcode()
	}
}
