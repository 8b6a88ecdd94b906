package kernelgen

import (
	"fmt"
	"math/rand"
	"strings"
)

// Calls is the source of a random program of functions that call one another, and of a kernel, named k, that calls them. They
// pass pointers to all kinds of memory, structures and vectors by value, and return from the midst of what they do. The kernel is
//
//	kernel void k(global uint *out, global const uint *in, local uint *own)
//
// with CallsOut elements of out and CallsOwn of own for each work-item, and CallsIn of in. It has no interpreter: its result is
// to be the same however it is compiled.
func Calls(seed int64) string {
	g := &callGen{r: rand.New(rand.NewSource(seed))}
	g.line(callsPrelude)
	for i := range 4 + g.r.Intn(4) {
		g.function(fmt.Sprintf("f%d", i))
	}
	g.kernel()
	return g.text.String()
}

// Elements of the buffers of Calls' kernel.
const (
	CallsOut = 16
	CallsOwn = 4
	CallsIn  = 64
)

const callsPrelude = `typedef struct { uint x; uchar y; } pair;
typedef struct { uint a[8]; ulong b; float4 f; } state;
state start(uint x) { state s; for (uint i = 0; i < 8; i++) s.a[i] = x * i; s.b = x ^ 99; s.f = (float4)(x & 255, 1, 2, 3); return s; }`

// callTypes are what functions take and return, with how to read a number of a variable. %[2]s is a number.
var callTypes = []struct{ name, read string }{
	{"uint", "%[1]s"}, {"ulong", "(uint)(%[1]s ^ %[1]s >> 29)"}, {"uchar", "%[1]s"}, {"short", "(uint)%[1]s"},
	{"uint4", "%[1]s.s2"}, {"ushort8", "%[1]s.s5"}, {"uint16", "%[1]s.sd"}, {"float2", "as_uint(%[1]s.y)"}, {"double", "(uint)as_ulong(%[1]s)"},
	{"pair", "(%[1]s.x + %[1]s.y)"}, {"state", "(%[1]s.a[%[2]s & 7u] + (uint)%[1]s.b + as_uint(%[1]s.f.z))"},
	{"uint *", "%[1]s[%[2]s & 7u]"}, {"state *", "(%[1]s->a[%[2]s & 7u] ^ as_uint(%[1]s->f.x))"},
	{"global uint *", "%[1]s[%[2]s & 15u]"}, {"local uint *", "%[1]s[%[2]s & 3u]"}, {"global const uint *", "%[1]s[%[2]s & 63u]"},
}

const firstPointer = 11 // of callTypes

// written are the types whose elements functions may change, with how.
var written = map[int]string{
	firstPointer: "%[1]s[%[2]s & 7u]", firstPointer + 1: "%[1]s->a[%[2]s & 7u]", firstPointer + 2: "%[1]s[%[2]s & 15u]", firstPointer + 3: "%[1]s[%[2]s & 3u]",
	10: "%[1]s.a[%[2]s & 7u]",
}

type callVariable struct {
	name string
	t    int // index into callTypes
}

type callFunction struct {
	name   string
	result int // -1: void
	params []int
}

type callGen struct {
	r         *rand.Rand
	text      strings.Builder
	functions []callFunction
	vars      []callVariable
	result    int
	names     int
}

func (g *callGen) line(format string, args ...any) {
	fmt.Fprintf(&g.text, format+"\n", args...)
}

func (g *callGen) fresh(prefix string) string {
	g.names++
	return fmt.Sprint(prefix, g.names)
}

func (g *callGen) declare(t int, value string) {
	v := callVariable{g.fresh("v"), t}
	g.line("\t%s %s = %s;", callTypes[t].name, v.name, value)
	g.vars = append(g.vars, v)
}

func (g *callGen) function(name string) {
	f := callFunction{name: name, result: g.r.Intn(firstPointer+1) - 1}
	g.vars = nil
	var params []string
	for range 2 + g.r.Intn(5) {
		t := g.r.Intn(len(callTypes))
		f.params = append(f.params, t)
		v := callVariable{g.fresh("p"), t}
		g.vars = append(g.vars, v)
		params = append(params, callTypes[t].name+" "+v.name)
	}
	result := "void"
	if f.result >= 0 {
		result = callTypes[f.result].name
	}
	g.line("%s %s(%s) {", result, name, strings.Join(params, ", "))
	g.result = f.result
	g.body(3 + g.r.Intn(5))
	g.line("\treturn %s;\n}", g.returned())
	g.functions = append(g.functions, f)
}

func (g *callGen) kernel() {
	g.line("kernel void k(global uint *out, global const uint *in, local uint *own) {\n\tuint id = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);")
	g.line("\tglobal uint *mine = out + id * %d; local uint *l = own + lid * %d; for (int i = 0; i < %d; i++) l[i] = id + i;", CallsOut, CallsOwn, CallsOwn)
	g.vars = []callVariable{{"id", 0}, {"mine", firstPointer + 2}, {"l", firstPointer + 3}, {"in", firstPointer + 4}}
	g.result = -1
	waits := g.r.Intn(2) == 0
	g.body(2)
	for range 3 {
		g.line("\tfor (uint i = 0; i < 2; i++) {")
		inner := len(g.vars)
		g.call()
		g.call()
		g.vars = g.vars[:inner]
		g.line("\t}")
		g.call()
		if waits {
			g.line("\tbarrier(CLK_LOCAL_MEM_FENCE);\n\tmine[%d] ^= own[(lid + 1) %% n * %d];\n\tbarrier(CLK_LOCAL_MEM_FENCE);", g.r.Intn(CallsOut), CallsOwn)
		}
	}
	for _, v := range g.vars {
		g.line("\tmine[%d] += %s;", g.r.Intn(CallsOut), g.read(v))
	}
	g.line("}")
}

// body declares some variables and does something with them.
func (g *callGen) body(statements int) {
	array := callVariable{g.fresh("v"), firstPointer}
	g.line("\tuint %s[8] = {%s, %s};", array.name, g.number(1), g.number(1))
	g.vars = append(g.vars, array)
	for range 3 {
		t := g.r.Intn(firstPointer)
		g.declare(t, g.value(t))
	}
	for range statements {
		g.statement()
	}
}

func (g *callGen) statement() {
	switch g.r.Intn(6) {
	case 0:
		if g.result >= 0 {
			g.line("\tif ((%s & 3u) == 1u) return %s;", g.number(2), g.returned())
		}
	case 1:
		k := g.fresh("k")
		g.line("\tfor (uint %s = 0; %s < (%s & 7u); %s++) {", k, k, g.number(1), k)
		g.vars = append(g.vars, callVariable{k, 0})
		g.change()
		g.vars = g.vars[:len(g.vars)-1]
		g.line("\t}")
	case 2:
		g.line("\tswitch (%s & 3u) {\n\tcase 0:", g.number(2))
		g.change()
		g.line("\tcase 2:")
		g.change()
		g.line("\t\tbreak;\n\tdefault:")
		g.change()
		g.line("\t}")
	case 3:
		g.change()
	default:
		g.call()
	}
}

// change writes to what a variable holds or points to.
func (g *callGen) change() {
	for {
		v := g.vars[g.r.Intn(len(g.vars))]
		if place := written[v.t]; place != "" {
			g.line("\t"+place+" %[3]s= %[4]s;", v.name, g.number(1), []string{"", "+", "^", "*"}[g.r.Intn(4)], g.number(2))
			return
		}
	}
}

// call calls a function, if there is one yet, and keeps its result.
func (g *callGen) call() {
	if len(g.functions) == 0 {
		return
	}
	f := g.functions[max(g.r.Intn(len(g.functions)), g.r.Intn(len(g.functions)))]
	var args []string
	for _, t := range f.params {
		x, ok := g.argument(t)
		if !ok {
			return
		}
		args = append(args, x)
	}
	text := fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
	if f.result < 0 {
		g.line("\t%s;", text)
		return
	}
	g.declare(f.result, text)
}

// argument is a value of a type, or a pointer: there may be none of global or local memory.
func (g *callGen) argument(t int) (string, bool) {
	if t < firstPointer {
		return g.value(t), true
	}
	var fit []string
	for _, v := range g.vars {
		switch {
		case v.t == t:
			fit = append(fit, v.name)
		case t == firstPointer && v.t == 10:
			fit = append(fit, v.name+".a")
		case t == firstPointer+1 && v.t == 10:
			fit = append(fit, "&"+v.name)
		}
	}
	if len(fit) == 0 {
		return "", false
	}
	return fit[g.r.Intn(len(fit))], true
}

func (g *callGen) returned() string {
	if g.result < 0 {
		return ""
	}
	return g.value(g.result)
}

// value is an expression of a type.
func (g *callGen) value(t int) string {
	if g.r.Intn(2) == 0 {
		var fit []string
		for _, v := range g.vars {
			if v.t == t {
				fit = append(fit, v.name)
			}
		}
		if len(fit) > 0 {
			return fit[g.r.Intn(len(fit))]
		}
	}
	switch callTypes[t].name {
	case "uint":
		return g.number(2)
	case "ulong":
		return fmt.Sprintf("(ulong)(%s) * 0x9e3779b97f4a7c15ul", g.number(2))
	case "uchar", "short":
		return fmt.Sprintf("(%s)(%s)", callTypes[t].name, g.number(2))
	case "uint4":
		return fmt.Sprintf("(uint4)(%s, %s, 7, %s)", g.number(1), g.number(1), g.number(1))
	case "ushort8", "uint16":
		return fmt.Sprintf("(%s)(%s) * (%[1]s)(3)", callTypes[t].name, g.number(1))
	case "float2":
		return fmt.Sprintf("(float2)((float)(%s & 4095u), 0.25f * (%s & 63u))", g.number(1), g.number(1))
	case "double":
		return fmt.Sprintf("(%s & 4095u) * 0.125", g.number(1))
	case "pair":
		return fmt.Sprintf("(pair){%s, (uchar)(%s)}", g.number(1), g.number(1))
	}
	return fmt.Sprintf("start(%s)", g.number(1)) // state
}

func (g *callGen) read(v callVariable) string {
	index := fmt.Sprint(g.r.Intn(9)) + "u"
	return fmt.Sprintf(callTypes[v.t].read, v.name, index)
}

// number is an expression of type uint.
func (g *callGen) number(depth int) string {
	if depth == 0 || g.r.Intn(4) == 0 {
		if len(g.vars) > 0 && g.r.Intn(4) > 0 {
			return g.read(g.vars[g.r.Intn(len(g.vars))])
		}
		return fmt.Sprintf("%du", []int{0, 1, 3, 17, 255, 1 << 20, 1<<32 - 1}[g.r.Intn(7)])
	}
	x, y := g.number(depth-1), g.number(depth-1)
	switch op := []string{"+", "-", "*", "^", "&", "|", "/", "%", "<<", ">>", "?"}[g.r.Intn(11)]; op {
	case "?":
		return fmt.Sprintf("(%s > %s ? %s : %s)", x, y, y, g.number(depth-1))
	case "<<", ">>":
		return fmt.Sprintf("(%s %s (%s & 31u))", x, op, y)
	default:
		return fmt.Sprintf("(%s %s %s)", x, op, y)
	}
}
