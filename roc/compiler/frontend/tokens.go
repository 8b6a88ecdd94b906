package frontend

import "strings"

// Tokenise splits an option string as POSIX shells split words, without any expansion: words are separated by white
// space; a backslash takes the next character literally; single quotes take everything literally; in double quotes a
// backslash escapes a double quote or a backslash and stands for itself elsewhere. The words are arguments of a process,
// never of a shell. An open quote or a trailing backslash gives an OptionError.
func Tokenise(options string) ([]string, error) {
	if i := strings.IndexByte(options, 0); i >= 0 {
		return nil, &OptionError{Option: options[:i], Reason: "embedded NUL character"}
	}
	var words []string
	var word strings.Builder
	inWord := false
	for i := 0; i < len(options); i++ {
		c := options[i]
		switch {
		case isSpace(c):
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		case c == '\\':
			if i++; i == len(options) {
				return nil, &OptionError{Option: `\`, Reason: "nothing follows the backslash"}
			}
			inWord = true
			word.WriteByte(options[i])
		case c == '"' || c == '\'':
			n := quoted(&word, options[i:])
			if n == 0 {
				return nil, &OptionError{Option: options[i:], Reason: "the quote is not closed"}
			}
			inWord = true
			i += n - 1
		default:
			inWord = true
			word.WriteByte(c)
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// quoted appends the contents of the quotation that s starts with and returns its length, quotes included, 0 if it is open.
func quoted(word *strings.Builder, s string) int {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == quote:
			return i + 1
		case quote == '"' && s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		}
		word.WriteByte(s[i])
	}
	return 0
}

func isSpace(c byte) bool {
	return c == ' ' || '\t' <= c && c <= '\r'
}
