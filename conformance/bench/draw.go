package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
)

// draw makes an SVG: one bar a metric on a logarithmic axis, to the right of the middle line where a is better than b.
func draw(metrics []*metric, a, b string) []byte {
	const (
		left, middle, octave = 230, 420, 60.0 // pixels: labels, the line of equal speed, a factor of two
		line                 = 22
	)
	var out bytes.Buffer
	width, height := 960, line*(len(metrics)+3)
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&out, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	fmt.Fprintf(&out, `<text x="10" y="18" font-weight="bold">%s against %s: how many times better</text>`+"\n", html.EscapeString(a), html.EscapeString(b))
	for _, factor := range []float64{0.25, 0.5, 1, 2, 4, 8, 16, 32} {
		x := middle + octave*math.Log2(factor)
		fmt.Fprintf(&out, `<line x1="%g" x2="%g" y1="30" y2="%d" stroke="#ccc"/><text x="%g" y="%d" text-anchor="middle" fill="#555">%g×</text>`+"\n",
			x, x, height-line, x, height-6, factor)
	}
	for i, m := range metrics {
		y, r := 36+i*line, m.ratio(a, b)
		fmt.Fprintf(&out, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", left, y+13, html.EscapeString(m.name))
		if r == 0 {
			fmt.Fprintf(&out, `<text x="%d" y="%d" fill="#a00">not measured on both</text>`+"\n", middle+6, y+13)
			continue
		}
		length := max(-180, min(400, octave*math.Log2(r)))
		colour, x := "#2a7", float64(middle)
		if length < 0 {
			colour, x = "#c44", middle+length
		}
		fmt.Fprintf(&out, `<rect x="%g" y="%d" width="%g" height="%d" fill="%s"/>`+"\n", x, y, math.Abs(length), line-6, colour)
		fmt.Fprintf(&out, `<text x="%g" y="%d">%.2f× (%.3g against %.3g %s)</text>`+"\n",
			middle+max(0, length)+6, y+13, r, m.median(a), m.median(b), html.EscapeString(m.unit))
	}
	out.WriteString("</svg>\n")
	return out.Bytes()
}
