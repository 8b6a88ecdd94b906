package frontend

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOptionsAreSplitLikeShellWords(t *testing.T) {
	for _, c := range []struct {
		options string
		words   []string
	}{
		{"", nil},
		{" \t\n ", nil},
		{"-w   -g", []string{"-w", "-g"}},
		{`-D X="a b"`, []string{"-D", "X=a b"}},
		{`-DX=\"a\"`, []string{`-DX="a"`}},
		{`-DS='"a b"'`, []string{`-DS="a b"`}},
		{`"-I/with space" -I /a\ b`, []string{"-I/with space", "-I", "/a b"}},
		{`-DF(x)=(x+1) -DA={1,2}`, []string{"-DF(x)=(x+1)", "-DA={1,2}"}},
		{`-DP="a\nb" -DQ="c\\d\""`, []string{`-DP=a\nb`, `-DQ=c\d"`}},
		{`-D X=$(rm);*`, []string{"-D", "X=$(rm);*"}},
		{`-D ""`, []string{"-D", ""}},
	} {
		words, err := Tokenise(c.options)
		require.NoError(t, err, c.options)
		require.Equal(t, c.words, words, c.options)
	}
}

func TestOpenQuotesAreMalformed(t *testing.T) {
	for _, options := range []string{`-D X="a`, `'`, `-DX=\`, "-D\x00X", "'\x00'"} {
		_, err := Tokenise(options)
		require.ErrorAs(t, err, new(*OptionError), options)
	}
}

// Quoting each word and splitting the line again must give the words back.
func FuzzTokenise(f *testing.F) {
	f.Add(`-D X="a b" -I 'c d' \"`)
	f.Add(`-DF(x)={x, "\\"}`)
	f.Fuzz(func(t *testing.T, options string) {
		words, err := Tokenise(options)
		if err != nil {
			require.ErrorAs(t, err, new(*OptionError))
			return
		}
		var line []string
		for _, w := range words {
			line = append(line, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(w)+`"`)
		}
		again, err := Tokenise(strings.Join(line, " "))
		require.NoError(t, err)
		require.Equal(t, words, again)
	})
}
