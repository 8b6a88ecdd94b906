package gcn

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A row is "instruction | registers before | registers after", in LLVM's assembler and in words like these:
//
//	v1=5 v2.7=-3 v[2:3]=d:1.5 s4=0xff s[6:7]=1 vcc=1 exec=3 scc=1 m0=4 mode=0x3f0 lds[8]=1 mem[16]=2 pc=8
//
// v1 is all lanes of a register, v2.7 its lane 7. lds and mem are words of memory; s[0:1] and v[8:9] hold the address of mem at the
// start. pc is relative to the next instruction. Values may be floats: f:1.5 of 32, h:1.5 of 16, d:1.5 of 64 bits; f:nan as a result
// is any NaN. Registers that are not named are zero before, and not looked at after.
type row = string

const (
	testMemory = 0x10000
	testCode   = 0x100000
	testShared = 0x0001_0000_0000_0000
	testStack  = 0x0002_0000_0000_0000
	// testMode rounds to nearest, keeps denormals and is that of kernels: DX10_CLAMP and IEEE.
	testMode = 0x3f0
)

// fakeMemory is some memory, and code behind it.
type fakeMemory struct{ data, code []byte }

func (m *fakeMemory) Access(va, n uint64, kind Access) []byte {
	switch {
	case kind == Fetch && va >= testCode && va+n <= testCode+uint64(len(m.code)):
		return m.code[va-testCode : va-testCode+n]
	case va >= testMemory && va+n <= testMemory+uint64(len(m.data)):
		return m.data[va-testMemory : va-testMemory+n]
	}
	panic(&Fault{va, kind == Write})
}

// assemble gives the code of the rows and where each begins.
func assemble(t *testing.T, chip string, rows []row) ([]byte, []uint64) {
	var text bytes.Buffer
	for i, r := range rows {
		fmt.Fprintf(&text, "row%d:\n%s\ns_endpgm\n", i, strings.ReplaceAll(strings.Split(r, "|")[0], ";", "\n"))
	}
	object := filepath.Join(t.TempDir(), "rows.o")
	c := osexec.Command("clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu="+chip, "-c", "-x", "assembler", "-o", object, "-")
	c.Stdin = &text
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	f, err := elf.Open(object)
	require.NoError(t, err)
	defer f.Close()
	code, err := f.Section(".text").Data()
	require.NoError(t, err)
	symbols, err := f.Symbols()
	require.NoError(t, err)
	at := make([]uint64, len(rows))
	for _, s := range symbols {
		if n, ok := strings.CutPrefix(s.Name, "row"); ok {
			i, err := strconv.Atoi(n)
			require.NoError(t, err)
			at[i] = s.Value
		}
	}
	return code, at
}

var place1 = regexp.MustCompile(`^(v|s|lds|mem)\[?(\w+)(?::\w+)?\]?(?:\.(\d+))?$`)

// machine is a wave with memory.
type machine struct {
	*Wave
	memory *fakeMemory
	start  uint64
}

func newMachine(t *testing.T, chip string, code []byte) *machine {
	p, err := NewProgram(chip, testShared, testStack)
	require.NoError(t, err)
	m := &machine{memory: &fakeMemory{make([]byte, 64<<10), code}}
	m.Wave = &Wave{Program: p, Memory: m.memory, Group: &Group{Local: make([]byte, 1024)}, V: make([]Vector, 512), Clock: func() uint64 { return 77 }}
	return m
}

func (m *machine) prepare(at uint64) {
	m.S, m.SCC, m.index = [128]uint32{}, false, indexing{}
	clear(m.V)
	clear(m.Group.Local)
	clear(m.memory.data)
	m.SetExec(math.MaxUint64)
	m.setS64(0, testMemory)
	m.setS64(flatScratch, testMemory+0x1000)
	for l := range Lanes {
		m.setVector64(8, l, testMemory+uint64(16*l))
	}
	m.Reset(testCode+at, testMode)
}

// parse reads a value of a width in bits.
func parse(t *testing.T, text string, width int) uint64 {
	kind, number, isFloat := strings.Cut(text, ":")
	if !isFloat {
		if v, err := strconv.ParseInt(text, 0, 64); err == nil {
			return uint64(v) & (math.MaxUint64 >> (64 - width))
		}
		v, err := strconv.ParseUint(text, 0, 64)
		require.NoError(t, err, text)
		return v
	}
	v, err := strconv.ParseFloat(number, 64)
	require.NoError(t, err, text)
	switch kind {
	case "f":
		return uint64(math.Float32bits(float32(v)))
	case "d":
		return math.Float64bits(v)
	}
	for x, value := range halfValues() {
		if value == v && math.Signbit(value) == math.Signbit(v) || value != value && v != v {
			return uint64(x)
		}
	}
	require.Fail(t, "no half is "+text)
	return 0
}

// halfValues is what each encoding of 16 bits means, by the definition.
var halfValues = sync.OnceValue(func() []float64 {
	values := make([]float64, 1<<16)
	for x := range values {
		e, f, sign := x>>10&31, float64(x&0x3ff), 1-2*float64(x>>15)
		switch {
		case e == 31 && f == 0:
			values[x] = math.Inf(int(sign))
		case e == 31:
			values[x] = math.NaN()
		case e > 0:
			values[x] = sign * (1 + f/1024) * math.Pow(2, float64(e-15))
		default:
			values[x] = sign * f / 1024 * 0x1p-14
		}
	}
	return values
})

func (m *machine) set(t *testing.T, name, text string) {
	special := map[string]int{"vcc": vcc, "exec": exec}
	if n, ok := special[name]; ok {
		m.setS64(n, parse(t, text, 64))
		return
	}
	switch name {
	case "scc":
		m.SCC = text == "1"
		return
	case "m0":
		m.S[m0] = uint32(parse(t, text, 32))
		return
	case "mode":
		m.setMode(uint32(parse(t, text, 32)))
		return
	}
	p := place1.FindStringSubmatch(name)
	require.NotNil(t, p, name)
	n64, err := strconv.ParseInt(p[2], 0, 32)
	require.NoError(t, err)
	n, pair := int(n64), strings.Contains(name, ":")
	switch {
	case p[1] == "lds":
		binary.LittleEndian.PutUint32(m.Group.Local[n:], uint32(parse(t, text, 32)))
	case p[1] == "mem":
		binary.LittleEndian.PutUint32(m.memory.data[n:], uint32(parse(t, text, 32)))
	case p[1] == "s" && pair:
		m.setS64(n, parse(t, text, 64))
	case p[1] == "s":
		m.S[n] = uint32(parse(t, text, 32))
	default:
		width := 32
		if pair {
			width = 64
		}
		x := parse(t, text, width)
		for l := range Lanes {
			if p[3] == "" || p[3] == strconv.Itoa(l) {
				m.setOperand(n, l, width, x)
			}
		}
	}
}

// check compares what a name stands for with a value.
func (m *machine) check(t *testing.T, r row, name, text string) {
	wants := map[int]uint64{} // by width
	equal := func(got uint64, width int, where string) {
		want, ok := wants[width]
		if !ok {
			want = parse(t, text, width)
			wants[width] = want
		}
		if strings.HasSuffix(text, ":nan") {
			f := map[byte]float64{'f': float64(math.Float32frombits(uint32(got))), 'd': math.Float64frombits(got), 'h': fromHalf(uint16(got))}[text[0]]
			if f == f {
				t.Errorf("%s: %s is %#x", r, where, got)
			}
		} else if want != got {
			t.Errorf("%s: %s is %#x, not %#x", r, where, got, want)
		}
	}
	switch name {
	case "vcc":
		equal(m.s64(vcc), 64, name)
		return
	case "exec":
		equal(m.Exec(), 64, name)
		return
	case "scc":
		equal(bit(m.SCC), 32, name)
		return
	case "m0":
		equal(uint64(m.S[m0]), 32, name)
		return
	case "mode":
		equal(uint64(m.Mode), 32, name)
		return
	case "pc":
		equal(m.PC-m.start, 64, name)
		return
	}
	p := place1.FindStringSubmatch(name)
	require.NotNil(t, p, name)
	n64, err := strconv.ParseInt(p[2], 0, 32)
	require.NoError(t, err)
	n, pair := int(n64), strings.Contains(name, ":")
	switch {
	case p[1] == "lds":
		equal(uint64(binary.LittleEndian.Uint32(m.Group.Local[n:])), 32, name)
	case p[1] == "mem":
		equal(uint64(binary.LittleEndian.Uint32(m.memory.data[n:])), 32, name)
	case p[1] == "s" && pair:
		equal(m.s64(n), 64, name)
	case p[1] == "s":
		equal(uint64(m.S[n]), 32, name)
	default:
		for l := range Lanes {
			if p[3] != "" && p[3] != strconv.Itoa(l) || p[3] == "" && m.Exec()>>l&1 == 0 {
				continue
			}
			if pair {
				equal(m.vector64(n, l), 64, name)
			} else {
				equal(uint64(m.V[n][l]), 32, name)
			}
		}
	}
}

// runRows executes each row and says which instructions there were.
func runRows(t *testing.T, chip string, rows []row) map[string]bool {
	seen := map[string]bool{}
	code, at := assemble(t, chip, rows)
	m := newMachine(t, chip, code)
	for i, r := range rows {
		parts := strings.Split(r, "|")
		require.Len(t, parts, 3, r)
		m.prepare(at[i])
		for _, w := range strings.Fields(parts[1]) {
			name, value, _ := strings.Cut(w, "=")
			m.set(t, name, value)
		}
		for range strings.Count(parts[0], ";") + 1 {
			in := m.Program.at(m.PC, m.memory)
			seen[in.Name] = true
			m.start = m.PC + uint64(in.size)
			require.NoError(t, m.Run(1), r)
		}
		for _, w := range strings.Fields(parts[2]) {
			name, value, _ := strings.Cut(w, "=")
			m.check(t, r, name, value)
		}
	}
	return seen
}

// TestEveryInstructionGivesItsValue runs all rows and looks for instructions of gfx906 that are implemented but in none of them.
func TestEveryInstructionGivesItsValue(t *testing.T) {
	var rows []row
	for _, r := range [][]row{scalarRows, scalarMemoryRows, vop1Rows, vop2Rows, vop3Rows, vop3pRows, divisionRows, crossLaneRows, modifierRows, roundingRows,
		compareRows(), memoryRows(), localRows()} {
		rows = append(rows, r...)
	}
	seen := runRows(t, "gfx906", rows)
	for name := range runRows(t, "gfx90a", gfx90aRows) {
		seen[name] = true
	}
	for _, names := range []map[Format]map[int]string{gfx906Names, gfx90aNames} {
		for format, ops := range names {
			for op, name := range ops {
				in := &Instruction{Name: name, format: format, op: op}
				if implemented(in) && !seen[name] {
					t.Errorf("no row has %s", name)
				}
			}
		}
	}
}

// implemented is whether the emulator knows an instruction.
func implemented(in *Instruction) (yes bool) {
	defer func() { yes = recover() == nil }()
	in.bind(0)
	return
}
