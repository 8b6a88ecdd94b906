package kernelgen

import (
	"fmt"
	"slices"
	"strings"
)

// say is a call of printf: a line that begins with the work-item's number.
type say struct {
	format string
	args   []spoken
}

// spoken is an argument of printf.
type spoken struct {
	x       expr
	element func(lane uint64) string // what its conversion makes of it; elements of vectors are apart by commas
}

func (s say) print(p *printer) {
	args := ""
	for _, a := range s.args {
		args += fmt.Sprintf(", %v", a.x)
	}
	p.line("%s", fmt.Sprintf(`printf("%%u:%s 100%%%%\n", i%s);`, s.format, args))
}

func (s say) run(it *item) outcome {
	line := fmt.Sprintf("%d:", it.linear)
	for _, a := range s.args {
		v := a.x.eval(it)
		elements := make([]string, a.x.typ().lanes)
		for l := range elements {
			elements[l] = a.element(v[l])
		}
		line += " " + strings.Join(elements, ",")
	}
	it.args.Lines = append(it.args.Lines, line+" 100%")
	return goOn
}

// mostSays bounds what a kernel prints.
const mostSays = 3

func (g *gen) say() stmt {
	g.says++
	g.Prints = true
	var s say
	for range 1 + g.r.Intn(4) {
		t := g.anyScalar().withLanes(pick(g.r, []int{1, 1, 2, 3, 4, 8}))
		conversion, a := g.spoken(t)
		s.format += " " + conversion
		s.args = append(s.args, a)
	}
	return s
}

// spoken is an argument of a type, with its conversion.
func (g *gen) spoken(t typ) (conversion string, a spoken) {
	width, length := pick(g.r, []string{"", "", "7", "21"}), map[int]string{8: "hh", 16: "h", 64: "l"}[t.bits]
	vector := ""
	if t.lanes > 1 {
		vector = fmt.Sprint("v", t.lanes)
		if t.bits == 32 {
			length = "hl"
		}
	} else if t.float {
		length = "" // a half or a float becomes a double
	}
	if t.float {
		width = pick(g.r, []string{"", "-", "0", "+", " "}) + width
		verb := pick(g.r, []string{".3e", ".2f", ".0f", "e"})
		precision, verb := verb[:len(verb)-1], verb[len(verb)-1:]
		// The sign of a NaN is left open: of what is made of integers there is none.
		x := convert{t, g.expr(g.scalarType().withLanes(t.lanes), 2, false)}
		return "%" + width + precision + vector + length + verb, spoken{x, func(v uint64) string {
			x := number(t, v)
			if x != inf && x != -inf {
				return fmt.Sprintf("%"+width+precision+verb, x)
			}
			text := strings.NewReplacer("+Inf", "inf", "-Inf", "-inf").Replace(fmt.Sprint(x))
			for _, sign := range []string{"+", " "} {
				if x > 0 && strings.HasPrefix(width, sign) {
					text = sign + text
				}
			}
			left := ""
			if strings.HasPrefix(width, "-") {
				left = "-"
			}
			return fmt.Sprintf("%"+left+strings.TrimLeft(width, "-0+ ")+"s", text)
		}}
	}
	verb, flags := pick(g.r, []string{"x", "X", "o", "u"}), []string{"", "-", "0"}
	if t.signed {
		verb, flags = pick(g.r, []string{"d", "i"}), append(flags, "+", " ", "+0")
	}
	width = pick(g.r, flags) + width + pick(g.r, []string{"", "", ".3"})
	return "%" + width + vector + length + verb, spoken{convert{t, g.expr(t, 2, false)}, func(v uint64) string {
		if t.signed {
			return fmt.Sprintf("%"+width+"d", int64(v))
		}
		return fmt.Sprintf("%"+width+strings.Replace(verb, "u", "d", 1), v)
	}}
}

// SameLines compares the text that a kernel printed with the lines that it should have: in any order, but each work-item's in theirs.
func SameLines(text string, want []string) error {
	got := strings.SplitAfter(text, "\n")
	got = got[:len(got)-1] // nothing, behind the last end of a line
	if tail := text[strings.LastIndexByte(text, '\n')+1:]; tail != "" {
		got = append(got, tail)
	}
	want = slices.Clone(want)
	for i := range want {
		want[i] += "\n"
	}
	item := func(line string) string {
		number, _, _ := strings.Cut(line, ":")
		return number
	}
	byItem := func(x, y string) int { return strings.Compare(item(x), item(y)) }
	slices.SortStableFunc(got, byItem)
	slices.SortStableFunc(want, byItem)
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Errorf("printed %q, want %q", got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("printed %d lines, want %d", len(got), len(want))
	}
	return nil
}
