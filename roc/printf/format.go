// Package printf formats what kernels print (OpenCL C 3.0 section 6.15.14). A kernel leaves a record of each call
// (codeobject.PrintBuffer); Append makes text of records. Whatever a format says of its arguments, the result is some text:
// what cannot be converted is printed as it stands in the format.
package printf

// Strings reads the string at an address of the kernel's, up to its final zero or limit bytes. False: there is none.
type Strings func(address uint64, limit int) ([]byte, bool)

const (
	// maxField bounds width and precision. C promises 4095 characters a conversion (C99 section 7.19.6.1).
	maxField = 1 << 16
	// maxString bounds a string, the format too.
	maxString = 1 << 20
)

// length is the size a length modifier gives to elements or arguments.
type length uint8

const (
	lengthNone  length = iota
	lengthChar         // hh
	lengthShort        // h
	lengthInt          // hl: only for vectors
	lengthLong         // l; also j, t, z, which OpenCL C 3.1 knows, and C's ll
)

// bytes of an element; 0 if the modifier does not say.
func (l length) bytes() int { return [...]int{0, 1, 2, 4, 8}[l] }

// spec is a conversion specification.
type spec struct {
	minus, plus, space, alt, zero bool
	width, precision              int // precision is -1 if not given
	vector                        int // elements, 0 for a scalar
	length                        length
	verb                          byte
}

// appendCall formats one call: its format string, and its arguments.
func appendCall(dst, format []byte, args [][]byte, strings Strings) []byte {
	for len(format) > 0 {
		if format[0] != '%' {
			n := 1
			for n < len(format) && format[n] != '%' {
				n++
			}
			dst, format = append(dst, format[:n]...), format[n:]
			continue
		}
		var s spec
		n, left := s.parse(format, args)
		text, ok := dst, false
		if s.verb == '%' {
			text, ok = append(dst, '%'), true
		} else if s.verb != 0 && len(left) > 0 {
			text, ok = s.convert(dst, left[0], strings)
			left = left[1:]
		}
		if !ok {
			text = append(dst, format[:n]...)
		}
		dst, format, args = text, format[n:], left
	}
	return dst
}

// parse reads the specification that format starts with. It returns its length, and the arguments behind those that give
// width and precision. A verb of zero means that it is none.
func (s *spec) parse(format []byte, args [][]byte) (n int, left [][]byte) {
	n = 1
	at := func() byte {
		if n < len(format) {
			return format[n]
		}
		return 0
	}
	for s.flag(at()) {
		n++
	}
	number := func() (v int, given bool) {
		if at() == '*' && len(args) > 0 { // C's; OpenCL C does not ask for it
			n++
			v = int(int32(integer(args[0], 4, true)))
			args = args[1:]
			return v, true
		}
		for ; at() >= '0' && at() <= '9'; n++ {
			v = min(10*v+int(at()-'0'), maxField)
			given = true
		}
		return v, given
	}
	s.width, _ = number()
	if s.width < 0 {
		s.minus, s.width = true, -s.width
	}
	s.width = min(s.width, maxField)
	s.precision = -1
	if at() == '.' {
		n++
		s.precision, _ = number()
		s.precision = min(max(s.precision, -1), maxField)
	}
	if at() == 'v' {
		n++
		switch v, _ := number(); v {
		case 2, 3, 4, 8, 16:
			s.vector = v
		default:
			return n, args
		}
	}
	next := func(c byte) bool {
		if at() != c {
			return false
		}
		n++
		return true
	}
	switch {
	case next('h'):
		s.length = lengthShort
		if next('h') {
			s.length = lengthChar
		} else if next('l') {
			s.length = lengthInt
		}
	case next('l'):
		s.length = lengthLong
		next('l')
	case next('j'), next('t'), next('z'):
		s.length = lengthLong
	}
	switch c := at(); c {
	case 'd', 'i', 'o', 'u', 'x', 'X', 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A', 'c', 's', 'p', 'n', '%':
		n++
		s.verb = c
	}
	return n, args
}

// flag notes a flag; it says whether c is one.
func (s *spec) flag(c byte) bool {
	switch c {
	case '-':
		s.minus = true
	case '+':
		s.plus = true
	case ' ':
		s.space = true
	case '#':
		s.alt = true
	case '0':
		s.zero = true
	default:
		return false
	}
	return true
}

// convert appends an argument. It says whether it could.
func (s *spec) convert(dst, arg []byte, strings Strings) ([]byte, bool) {
	if s.vector > 0 {
		return s.convertVector(dst, arg)
	}
	switch s.verb {
	case 'd', 'i':
		return s.appendSigned(dst, int64(integer(arg, s.scalarBytes(), true))), true
	case 'o', 'u', 'x', 'X':
		return s.appendUnsigned(dst, integer(arg, s.scalarBytes(), false)), true
	case 'c':
		return s.pad(dst, nil, 0, []byte{byte(integer(arg, 1, false))}, false), true
	case 's':
		return s.appendString(dst, arg, strings)
	case 'p':
		return s.appendPointer(dst, arg), true
	case 'n': // not in OpenCL C
		return dst, false
	}
	size := len(arg)
	if size != 2 && size != 4 { // float and half, on devices that do not promote them to double
		size = 8
	}
	return s.appendFloat(dst, float(arg, size)), true
}

// scalarBytes is how much of an integer argument counts.
func (s *spec) scalarBytes() int {
	if n := s.length.bytes(); n != 0 {
		return n
	}
	return 4
}

// convertVector appends the elements of a vector, separated by commas.
func (s *spec) convertVector(dst, arg []byte) ([]byte, bool) {
	size := s.length.bytes()
	if size == 0 || size*s.vector > len(arg) { // not given, which is undefined, or wrong: what the argument's size says
		places := s.vector
		if places == 3 && len(arg)%3 != 0 {
			places = 4
		}
		size = len(arg) / places
	}
	switch size {
	case 1, 2, 4, 8:
	default:
		return dst, false
	}
	stride := size
	if size == 1 && s.vector == 2 && len(arg) == 8 { // as kernels of GPUs leave them
		stride = 4
	}
	for i := range s.vector {
		if i > 0 {
			dst = append(dst, ',')
		}
		e := arg[i*stride:][:size]
		switch s.verb {
		case 'd', 'i':
			dst = s.appendSigned(dst, int64(integer(e, size, true)))
		case 'o', 'u', 'x', 'X':
			dst = s.appendUnsigned(dst, integer(e, size, false))
		case 'c':
			dst = s.pad(dst, nil, 0, e[:1], false)
		case 's', 'p', 'n':
			return dst, false
		default:
			if size == 1 {
				return dst, false
			}
			dst = s.appendFloat(dst, float(e, size))
		}
	}
	return dst, true
}

// pad appends prefix, zeros and digits in a field of the width. fill says that the flag 0 counts.
func (s *spec) pad(dst, prefix []byte, zeros int, digits []byte, fill bool) []byte {
	room := s.width - len(prefix) - zeros - len(digits)
	if fill && s.zero && !s.minus {
		zeros, room = zeros+max(room, 0), 0
	}
	if !s.minus {
		dst = repeat(dst, ' ', room)
	}
	dst = append(dst, prefix...)
	dst = repeat(dst, '0', zeros)
	dst = append(dst, digits...)
	if s.minus {
		dst = repeat(dst, ' ', room)
	}
	return dst
}

func repeat(dst []byte, c byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, c)
	}
	return dst
}
