package printf

import "encoding/binary"

// Append appends the text of records, as kernels leave them in a codeobject.PrintBuffer:
//
//	u64 size     bytes of the record, a multiple of 8
//	u64 format   address of the format string
//	and for each argument
//	u64 bytes    of the argument
//	...          the argument, padded to a multiple of 8
//
// Records that are damaged, by a kernel that wrote where it should not, end it.
func Append(dst, records []byte, strings Strings) []byte {
	for len(records) >= 16 {
		size := binary.LittleEndian.Uint64(records)
		if size < 16 || size > uint64(len(records)) {
			return append(dst, "(damaged output of printf)\n"...)
		}
		format, ok := strings(binary.LittleEndian.Uint64(records[8:]), maxString)
		if !ok {
			format = []byte("(invalid format)\n")
		}
		dst = appendCall(dst, format, arguments(records[16:size]), strings)
		records = records[size:]
	}
	return dst
}

// arguments are those of a record.
func arguments(b []byte) (args [][]byte) {
	for len(b) >= 8 {
		n := binary.LittleEndian.Uint64(b)
		if n > uint64(len(b)-8) {
			return args
		}
		args = append(args, b[8:8+n])
		b = b[min(8+(n+7)&^7, uint64(len(b))):]
	}
	return args
}

// appendString appends a string that an argument points to, or is where there is nothing to read strings.
func (s *spec) appendString(dst, arg []byte, strings Strings) ([]byte, bool) {
	limit := maxString
	if s.precision >= 0 {
		limit = s.precision
	}
	if strings == nil {
		text := stringOf(arg)
		return s.pad(dst, nil, 0, text[:min(limit, len(text))], false), true
	}
	var text []byte
	address := integer(arg, 8, false)
	switch {
	case len(arg) != 8:
		return dst, false
	case address == 0:
		text = []byte("(null)")
		text = text[:min(limit, len(text))]
	case limit > 0:
		var ok bool
		if text, ok = strings(address, limit); !ok {
			return dst, false
		}
	}
	return s.pad(dst, nil, 0, text, false), true
}
