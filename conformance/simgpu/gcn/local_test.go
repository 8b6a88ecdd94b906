package gcn

import (
	"fmt"
	"strings"
)

// localRows makes rows of accesses to local memory.
func localRows() []row {
	const value = "0xf1e2d3c4"
	var rows []row
	for name, after := range map[string][]string{ // the registers after; before, v0 is 0x11112222
		"u8": {"0xc4"}, "i8": {"0xffffffc4"}, "u16": {"0xd3c4"}, "i16": {"0xffffd3c4"}, "b32": {value},
		"b64": {value, "2"}, "b96": {value, "2", "3"}, "b128": {value, "2", "3", "4"},
		"u8_d16": {"0x111100c4"}, "u8_d16_hi": {"0x00c42222"}, "i8_d16": {"0x1111ffc4"}, "i8_d16_hi": {"0xffc42222"},
		"u16_d16": {"0x1111d3c4"}, "u16_d16_hi": {"0xd3c42222"},
	} {
		rows = append(rows, fmt.Sprintf("ds_read_%s %s, v10 offset:8 | exec=1 v0=0x11112222 v10=8 lds[16]=%s lds[20]=2 lds[24]=3 lds[28]=4 | %s", name,
			span(0, len(after)), value, strings.Join(numbered("v", after), " ")))
	}
	for name, after := range map[string][]string{ // memory after; before it is all 0x11111111, and v4 is 0xaabbccdd
		"b8": {"0x111111dd"}, "b8_d16_hi": {"0x111111bb"}, "b16": {"0x1111ccdd"}, "b16_d16_hi": {"0x1111aabb"}, "b32": {"0xaabbccdd"},
		"b64": {"0xaabbccdd", "6"}, "b96": {"0xaabbccdd", "6", "7"}, "b128": {"0xaabbccdd", "6", "7", "8"},
	} {
		want := ""
		for i, x := range after {
			want += fmt.Sprintf(" lds[%d]=%s", 16+4*i, x)
		}
		rows = append(rows, fmt.Sprintf("ds_write_%s v10, %s offset:8 | exec=1 v4=0xaabbccdd v5=6 v6=7 v7=8 v10=8 lds[16]=0x11111111 | %s", name,
			span(4, len(after)), want))
	}
	rows = append(rows,
		"ds_read2_b32 v[0:1], v10 offset0:1 offset1:3 | v10=16 lds[20]=5 lds[28]=6 | v0=5 v1=6",
		"ds_read2st64_b32 v[0:1], v10 offset0:0 offset1:2 | lds[0]=5 lds[512]=6 | v0=5 v1=6",
		"ds_read2_b64 v[0:3], v10 offset0:1 offset1:2 | lds[8]=5 lds[12]=6 lds[16]=7 lds[20]=8 | v0=5 v1=6 v2=7 v3=8",
		"ds_read2st64_b64 v[0:3], v10 offset0:0 offset1:1 | lds[4]=6 lds[512]=7 | v1=6 v2=7",
		"ds_write2_b32 v10, v4, v5 offset0:1 offset1:3 | v10=16 v4=5 v5=6 | lds[20]=5 lds[28]=6",
		"ds_write2st64_b32 v10, v4, v5 offset0:0 offset1:2 | v4=5 v5=6 | lds[0]=5 lds[512]=6",
		"ds_write2_b64 v10, v[4:5], v[6:7] offset0:1 offset1:2 | v4=5 v5=6 v6=7 v7=8 | lds[8]=5 lds[12]=6 lds[16]=7 lds[20]=8",
		"ds_write2st64_b64 v10, v[4:5], v[6:7] offset0:0 offset1:1 | v4=5 v7=8 | lds[0]=5 lds[516]=8",
	)
	// Operation, value in memory, operands, value after. cmpst compares with its first, mskor clears its first.
	for _, a := range []struct{ name, types, old, x, y, after string }{
		{"add", "u", "5", "-7", "", "-2"}, {"sub", "u", "5", "7", "", "-2"}, {"rsub", "u", "5", "7", "", "2"},
		{"inc", "u", "5", "5", "", "0"}, {"dec", "u", "0", "9", "", "9"},
		{"min", "i", "5", "-1", "", "-1"}, {"max", "i", "5", "-1", "", "5"}, {"min", "u", "5", "-1", "", "5"}, {"max", "u", "5", "-1", "", "-1"},
		{"and", "b", "12", "10", "", "8"}, {"or", "b", "12", "10", "", "14"}, {"xor", "b", "-1", "10", "", "-11"},
		{"mskor", "b", "15", "6", "16", "25"}, {"cmpst", "b", "5", "5", "7", "7"}, {"cmpst", "b", "6", "5", "7", "6"},
	} {
		for _, width := range []int{32, 64} {
			rows = append(rows, localAtomic(a.name, a.types, width, a.old, a.x, a.y, a.after, false),
				localAtomic(a.name, a.types, width, a.old, a.x, a.y, a.after, true))
		}
	}
	return append(rows,
		localAtomic("wrxchg", "b", 32, "5", "7", "", "7", true), localAtomic("wrxchg", "b", 64, "5", "7", "", "7", true),
		"ds_add_f32 v10, v4 | exec=1 v4=f:2 lds[0]=f:1.5 | lds[0]=f:3.5", "ds_add_rtn_f32 v0, v10, v4 | exec=1 v4=f:2 lds[0]=f:1.5 | lds[0]=f:3.5 v0=f:1.5",
		"ds_min_f32 v10, v4 | exec=1 v4=f:2 lds[0]=f:-1 | lds[0]=f:-1", "ds_min_rtn_f32 v0, v10, v4 | exec=1 v4=f:2 lds[0]=f:3 | lds[0]=f:2 v0=f:3",
		"ds_max_f32 v10, v4 | exec=1 v4=f:2 lds[0]=f:-1 | lds[0]=f:2", "ds_max_rtn_f32 v0, v10, v4 | exec=1 v4=f:2 lds[0]=f:3 | lds[0]=f:3 v0=f:3",
		"ds_min_f64 v10, v[4:5] | exec=1 v[4:5]=d:2 lds[4]=0x40080000 | lds[4]=0x40000000",
		"ds_min_rtn_f64 v[0:1], v10, v[4:5] | exec=1 v[4:5]=d:2 lds[4]=0x40080000 | lds[4]=0x40000000 v[0:1]=d:3",
		"ds_max_f64 v10, v[4:5] | exec=1 v[4:5]=d:2 lds[4]=0x40080000 | lds[4]=0x40080000",
		"ds_max_rtn_f64 v[0:1], v10, v[4:5] | exec=1 v[4:5]=d:4 lds[4]=0x40080000 | lds[4]=0x40100000 v[0:1]=d:3",
		// All lanes, one after the other.
		"ds_add_rtn_u32 v0, v10, v4 | v4=1 lds[0]=10 | v0.0=10 v0.63=73 lds[0]=74",
	)
}

func localAtomic(name, typ string, width int, old, x, y, after string, returns bool) row {
	first, second := span(4, width/32), span(6, width/32)
	registers := fmt.Sprintf("%s=%s ", first, x)
	data := first
	if y != "" {
		registers += fmt.Sprintf("%s=%s ", second, y)
		data += ", " + second
	}
	words := func(value string) string {
		if width == 32 {
			return " lds[8]=" + value
		} else if strings.HasPrefix(value, "-") {
			return " lds[8]=" + value + " lds[12]=-1"
		}
		return " lds[8]=" + value + " lds[12]=0"
	}
	if returns {
		return fmt.Sprintf("ds_%s_rtn_%s%d %s, v10, %s offset:8 | exec=1 %s%s | %s %s=%s", name, typ, width, span(0, width/32), data, registers, words(old),
			words(after), span(0, width/32), old)
	}
	return fmt.Sprintf("ds_%s_%s%d v10, %s offset:8 | exec=1 %s%s | %s", name, typ, width, data, registers, words(old), words(after))
}
