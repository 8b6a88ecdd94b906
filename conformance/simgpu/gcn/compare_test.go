package gcn

import (
	"fmt"
	"strings"
)

// compareRows tries each comparison with pairs of values for which the first is less, equal, greater and, for floats, not ordered; the
// answers are written out.
func compareRows() []row {
	floats := map[string]string{"f": "0000", "lt": "1000", "eq": "0100", "le": "1100", "gt": "0010", "lg": "1010", "ge": "0110", "o": "1110",
		"u": "0001", "nge": "1001", "nlg": "0101", "ngt": "1101", "nle": "0011", "neq": "1011", "nlt": "0111", "tru": "1111"}
	integers := map[string]string{"f": "000", "lt": "100", "eq": "010", "le": "110", "gt": "001", "ne": "101", "ge": "011", "t": "111"}
	signed, unsigned := [][2]string{{"-1", "1"}, {"-7", "-7"}, {"3", "-3"}}, [][2]string{{"1", "-1"}, {"-7", "-7"}, {"-3", "3"}}
	var rows []row
	for name, answers := range floats {
		for _, typ := range []string{"f16", "f32", "f64"} {
			kind := map[string]string{"f16": "h", "f32": "f", "f64": "d"}[typ]
			pairs := [][2]string{{"-1.5", "2"}, {"2", "2"}, {"inf", "2"}, {"nan", "2"}}
			for i, p := range pairs {
				pairs[i] = [2]string{kind + ":" + p[0], kind + ":" + p[1]}
			}
			rows = append(rows, compares(name+"_"+typ, answers, pairs)...)
		}
	}
	for name, answers := range integers {
		for _, width := range []string{"16", "32", "64"} {
			rows = append(rows, compares(name+"_i"+width, answers, signed)...)
			rows = append(rows, compares(name+"_u"+width, answers, unsigned)...)
		}
	}
	// The ten classes of floats, in the order of their bits.
	for typ, values := range map[string][]string{
		"f16": {"0x7c01", "0x7e00", "0xfc00", "0xc000", "0x8001", "0x8000", "0", "1", "0x4000", "0x7c00"},
		"f32": {"0x7f800001", "0x7fc00000", "0xff800000", "0xc0000000", "0x80000001", "0x80000000", "0", "1", "0x40000000", "0x7f800000"},
		"f64": {"0x7ff0000000000001", "0x7ff8000000000000", "0xfff0000000000000", "0xc000000000000000", "0x8000000000000001",
			"0x8000000000000000", "0", "1", "0x4000000000000000", "0x7ff0000000000000"},
	} {
		for i, v := range values {
			pairs := [][2]string{{v, fmt.Sprint(1 << i)}, {v, fmt.Sprint(0x3ff &^ (1 << i))}}
			rows = append(rows, compares("class_"+typ, "10", pairs)...)
		}
	}
	return rows
}

// compares makes rows of a comparison and of the one that sets the mask of active lanes, with an answer for each pair.
func compares(name, answers string, pairs [][2]string) []row {
	a, b := "v[2:3]", "v[4:5]"
	if !strings.HasSuffix(name, "64") {
		a, b = "v2", "v4"
	} else if strings.HasPrefix(name, "class") {
		b = "v4"
	}
	var rows []row
	for i, p := range pairs {
		answer := string(answers[i])
		rows = append(rows, fmt.Sprintf("v_cmp_%s vcc, %s, %s | %s=%s %s=%s exec=1 vcc=-1 | vcc=%s exec=1", name, a, b, a, p[0], b, p[1], answer),
			fmt.Sprintf("v_cmpx_%s s[20:21], %s, %s | %s=%s %s=%s exec=1 | s[20:21]=%s exec=%s", name, a, b, a, p[0], b, p[1], answer, answer))
	}
	return rows
}
