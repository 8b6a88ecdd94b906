package gcn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// reaching is a way to address memory: how the instruction says so, what registers are needed, and which word of memory a lane's word
// at byte 4 is.
type reaching struct {
	kind, load, store, registers string
	word                         func(lane, at int) int
	loaded                       int // first register of what an atomic returns
}

func flatWord(lane, at int) int    { return 16*lane + at }
func privateWord(lane, at int) int { return 0x1000 + at*64 + 4*lane }

const descriptor = "s12=0x10000 s14=4096 "

var reachings = []reaching{
	{"flat", "%s, v[8:9] offset:4", "v[8:9], %s offset:4", "", flatWord, 0},
	{"global", "%s, v[8:9], off offset:4", "v[8:9], %s, off offset:4", "", flatWord, 0},
	{"buffer", "%s, v10, s[12:15], 0 offen offset:4", "%s, v10, s[12:15], 0 offen offset:4", descriptor, flatWord, 4},
	{"scratch", "%s, v10, off offset:4", "v10, %s, off offset:4", "", privateWord, 0},
}

func span(first, count int) string {
	if count == 1 {
		return fmt.Sprint("v", first)
	}
	return fmt.Sprintf("v[%d:%d]", first, first+count-1)
}

// memoryRows makes rows of loads, stores and atomics for each way to reach memory, with answers that are written out.
func memoryRows() []row {
	const value = "0xf1e2d3c4"
	loads := map[string][]string{ // the registers after; before, v0 is 0x11112222
		"ubyte": {"0xc4"}, "sbyte": {"0xffffffc4"}, "ushort": {"0xd3c4"}, "sshort": {"0xffffd3c4"}, "dword": {value},
		"dwordx2": {value, "2"}, "dwordx3": {value, "2", "3"}, "dwordx4": {value, "2", "3", "4"},
		"ubyte_d16": {"0x111100c4"}, "ubyte_d16_hi": {"0x00c42222"}, "sbyte_d16": {"0x1111ffc4"}, "sbyte_d16_hi": {"0xffc42222"},
		"short_d16": {"0x1111d3c4"}, "short_d16_hi": {"0xd3c42222"},
	}
	stores := map[string][]string{ // memory after; before it is all 0x11111111, and v4 is 0xaabbccdd
		"byte": {"0x111111dd"}, "byte_d16_hi": {"0x111111bb"}, "short": {"0x1111ccdd"}, "short_d16_hi": {"0x1111aabb"}, "dword": {"0xaabbccdd"},
		"dwordx2": {"0xaabbccdd", "6"}, "dwordx3": {"0xaabbccdd", "6", "7"}, "dwordx4": {"0xaabbccdd", "6", "7", "8"},
	}
	var rows []row
	for _, r := range reachings {
		mem := func(i int) string { return fmt.Sprintf("mem[%d]", r.word(0, 4+4*i)) }
		for name, after := range loads {
			rows = append(rows, fmt.Sprintf("%s_load_%s "+r.load+" | %s exec=1 v0=0x11112222 %s=%s %s=2 %s=3 %s=4 | v0=%s", r.kind, name,
				span(0, len(after)), r.registers, mem(0), value, mem(1), mem(2), mem(3), strings.Join(numbered("v", after), " ")[len("v0="):]))
		}
		for name, after := range stores {
			want := ""
			for i, x := range after {
				want += fmt.Sprintf(" %s=%s", mem(i), x)
			}
			rows = append(rows, fmt.Sprintf("%s_store_%s "+r.store+" | %s exec=1 v4=0xaabbccdd v5=6 v6=7 v7=8 %s=0x11111111 | %s", r.kind, name,
				span(4, len(after)), r.registers, mem(0), want))
		}
		if r.kind == "scratch" {
			continue
		}
		for _, a := range atomicRows {
			rows = append(rows, r.atomic(a, 32), r.atomic(a, 64))
		}
	}
	return append(rows,
		"global_load_dword v0, v10, s[0:1] offset:4 | v10=8 mem[12]=5 | v0=5",
		"global_load_dword v0, v[8:9], off offset:-4 | mem[12]=5 exec=2 | v0.1=5",
		"global_store_dword v10, v4, s[0:1] | v10.3=8 v4.3=7 exec=8 | mem[8]=7",
		"scratch_load_dword v0, off, s4 offset:4 | s4=4 mem[0x1208]=5 | v0.2=5 v0.1=0",
		"scratch_store_dword off, v4, s4 | s4=8 v4.3=9 | mem[0x120c]=9",
		// Flat addresses of local and of private memory.
		"flat_load_dword v0, v[2:3] offset:4 | v[2:3]=0x1000000000008 lds[12]=5 | v0=5",
		"flat_store_short v[2:3], v4 | v[2:3]=0x1000000000008 v4=7 exec=1 | lds[8]=7",
		"flat_load_dword v0, v[2:3] | v[2:3]=0x2000000000008 mem[0x1214]=5 | v0.5=5",
		"flat_store_dwordx2 v[2:3], v[4:5] | v[2:3]=0x2000000000008 v4.1=6 v5.1=7 | mem[0x1204]=6 mem[0x1304]=7",
		// Private memory that is not aligned to words.
		"scratch_load_dword v0, v10, off | v10=2 exec=1 mem[0x1000]=0x44332211 mem[0x1100]=0x88776655 | v0=0x66554433",
		// Descriptors of private memory, and ends of buffers.
		"buffer_store_dword v4, v10, s[12:15], s5 offen offset:4 | s12=0x10000 s13=0x80000000 s15=0x800000 s5=0x100 v10=4 v4.2=9 | mem[0x308]=9",
		"buffer_load_dword v0, off, s[12:15], 0 offset:8 | s12=0x10000 s13=0x80000000 s15=0x800000 mem[0x204]=9 | v0.1=9",
		"buffer_load_dword v0, v10, s[12:15], 0 offen | s12=0x10000 s14=8 v10=8 mem[8]=5 v0=3 | v0=0",
		"buffer_wbinvl1 | | pc=0", "buffer_wbinvl1_vol | | pc=0",
	)
}

func numbered(prefix string, values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprintf("%s%d=%s", prefix, i, v)
	}
	return out
}

// atomicRows are operation, value in memory, operand, value after. cmpswap compares with 5.
var atomicRows = [][4]string{
	{"swap", "5", "7", "7"}, {"cmpswap", "5", "7", "7"}, {"cmpswap", "6", "7", "6"}, {"add", "5", "-7", "-2"}, {"sub", "5", "7", "-2"},
	{"smin", "5", "-1", "-1"}, {"umin", "5", "-1", "5"}, {"smax", "5", "-1", "5"}, {"umax", "5", "-1", "-1"},
	{"and", "-12", "10", "0"}, {"and", "-1", "-10", "-10"}, {"or", "12", "10", "14"}, {"xor", "-1", "10", "-11"},
	{"inc", "5", "5", "0"}, {"inc", "4", "5", "5"}, {"dec", "0", "9", "9"}, {"dec", "5", "9", "4"},
}

// atomic is a row of an operation on a word, or on two, that gives the old value back. Memory of 64 bits is looked at in two halves.
func (r reaching) atomic(a [4]string, width int) row {
	name, result, before := a[0], span(r.loaded, width/32), r.registers
	operands := width / 32
	pair := func(first int, value string) string {
		if width == 32 {
			return fmt.Sprintf(" v%d=%s", first, value)
		}
		return fmt.Sprintf(" v[%d:%d]=%s", first, first+1, value)
	}
	before += pair(4, a[2])
	if name == "cmpswap" {
		before += pair(4+operands, "5")
		operands *= 2
	}
	data := span(4, operands)
	if width == 64 {
		name += "_x2"
	}
	// At byte 4 a lane's words are not aligned to 64 bits, so these are at byte 8.
	offset := map[int]int{32: 4, 64: 8}[width]
	where := r.word(0, offset)
	access := strings.Replace(r.store, "offset:4", fmt.Sprintf("offset:%d glc", offset), 1)
	if r.kind != "buffer" {
		access = result + ", " + access
	}
	words := func(value string) string {
		high := "0"
		if strings.HasPrefix(value, "-") {
			high = "-1"
		}
		if width == 32 {
			return fmt.Sprintf(" mem[%d]=%s", where, value)
		}
		return fmt.Sprintf(" mem[%d]=%s mem[%d]=%s", where, value, where+4, high)
	}
	return fmt.Sprintf("%s_atomic_%s "+access+" | exec=1 %s%s | %s%s", r.kind, name, data, before, words(a[1]), words(a[3]), pair(r.loaded, a[1]))
}

func TestAnAccessOfMemoryThatIsNotThereIsAFault(t *testing.T) {
	rows := []row{"global_store_dword v[2:3], v4, off", "s_load_dword s4, s[6:7], 0x0", "ds_read_b32 v0, v1", "flat_atomic_add v[8:9], v4 offset:2"}
	code, at := assemble(t, "gfx906", rows)
	m := newMachine(t, "gfx906", code)
	for i := range rows {
		m.prepare(at[i])
		m.set(t, "v[2:3]", "0x500000")
		m.set(t, "s[6:7]", "0x600000")
		m.set(t, "v1", "1024")
		err := m.Run(1)
		switch i {
		case 0:
			require.Equal(t, &Fault{0x500000, true}, err)
		case 1:
			require.Equal(t, &Fault{0x600000, false}, err)
		case 2:
			var a *Aperture
			require.ErrorAs(t, err, &a)
			require.Equal(t, uint64(1024), a.Address)
		case 3:
			require.IsType(t, &Fault{}, err, "atomics must be aligned")
		}
		require.Equal(t, Ended, m.State)
	}
}

func TestAnUnknownInstructionIsNamed(t *testing.T) {
	rows := []row{"s_sendmsg sendmsg(MSG_INTERRUPT)", "image_load v0, v1, s[4:11] dmask:0x1", "v_add_u32 v0, v1, v2 ; s_trap 2", "v_mov_b32 v0, v200"}
	code, at := assemble(t, "gfx906", rows)
	m := newMachine(t, "gfx906", code)
	run := func(i int) error {
		m.prepare(at[i])
		m.V = m.V[:24]
		return m.Run(5)
	}
	require.ErrorContains(t, run(0), "s_sendmsg is not emulated")
	require.ErrorContains(t, run(1), "no format of gfx9 begins with f0")
	require.ErrorContains(t, run(2), "s_trap 2")
	require.ErrorContains(t, run(3), "index out of range", "a register the wave does not have")
}
