package printf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
)

// Kernels for AMD's GPUs leave calls in a buffer of their own kind (LLVM's AMDGPUUsage, "Printf"): a header,
//
//	u32 used     bytes of records, as far as there was room
//	u32 size     bytes of the buffer, this header included
//
// then records, each the number of a format string, u32, and the arguments. How large these are is said with the format, in the code
// object. Strings are there themselves.

// HeaderSize is the size of that header.
const HeaderSize = 8

// Formats are the format strings of a code object, by their numbers.
type Formats map[uint32]format

type format struct {
	text  []byte
	sizes []int // of arguments, bytes
}

// ParseFormats reads the list amdhsa.printf of a code object's metadata: "number:arguments:size:...:text". There are no sizes of
// arguments that the text does not use, nor are these in records; the text has no colons.
func ParseFormats(list []string) (Formats, error) {
	formats := Formats{}
	for _, entry := range list {
		fields := strings.Split(entry, ":")
		var numbers []int
		for _, field := range fields[:len(fields)-1] {
			n, err := strconv.ParseUint(field, 10, 31)
			if err != nil {
				return nil, errFormat
			}
			numbers = append(numbers, int(n))
		}
		if len(numbers) < 2 || len(numbers)-2 > numbers[1] {
			return nil, errFormat
		}
		formats[uint32(numbers[0])] = format{unguard(unescape(fields[len(fields)-1])), numbers[2:]}
	}
	return formats, nil
}

var errFormat = errors.New("printf: a code object's format string is not described")

// unescape undoes what LLVM does to a format string in the metadata: control characters and colons become escape sequences. Backslashes
// stay as they are, see Guard.
func unescape(s string) []byte {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if at := strings.IndexByte("abfnrv", s[i+1]); at >= 0 {
				out = append(out, "\a\b\f\n\r\v"[at])
				i++
				continue
			}
			if strings.HasPrefix(s[i+1:], "72") {
				out = append(out, ':')
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return out
}

// guarded is what stands in place of some things, by what follows 0xff.
var guarded = strings.NewReplacer("\\", "\xff\x01", "\xff", "\xff\x02")

// Guard is a format string with something else in place of what LLVM 19 does not hand on as it is: backslashes, which would be taken for
// escape sequences when it comes back from a code object, and the conversions F and A, whose arguments it leaves out.
func Guard(format []byte) []byte {
	var out []byte
	for len(format) > 0 {
		n := bytes.IndexByte(format, '%')
		if n < 0 {
			n = len(format)
		}
		out, format = append(out, guarded.Replace(string(format[:n]))...), format[n:]
		if len(format) == 0 {
			break
		}
		var s spec
		n, _ = s.parse(format, nil)
		if s.verb == 'F' || s.verb == 'A' {
			out = append(append(out, format[:n-1]...), 0xff, 3, s.verb|0x20)
		} else {
			out = append(out, format[:n]...)
		}
		format = format[n:]
	}
	return out
}

// GuardString is a string that is printed. LLVM 19 stores less than it says of those of whole words, and no zero behind them: these get
// something behind them that means nothing.
func GuardString(text []byte) []byte {
	out := []byte(strings.ReplaceAll(string(text), "\xff", "\xff\x02"))
	if len(out)%4 == 0 {
		out = append(out, 0xff, 4)
	}
	return out
}

var unguardedString = strings.NewReplacer("\xff\x02", "\xff", "\xff\x04", "")

// stringOf is the string that an argument is.
func stringOf(arg []byte) []byte {
	text, _, _ := bytes.Cut(arg, []byte{0})
	return []byte(unguardedString.Replace(string(text)))
}

var unguarded = strings.NewReplacer("\xff\x01", "\\", "\xff\x02", "\xff", "\xff\x03f", "F", "\xff\x03a", "A")

func unguard(format []byte) []byte { return []byte(unguarded.Replace(string(format))) }

// Append appends the text of what is in a buffer. Records that are damaged, by a kernel that wrote where it should not, end it.
func (f Formats) Append(dst, buffer []byte) []byte {
	used := binary.LittleEndian.Uint32(buffer)
	records := buffer[HeaderSize:]
	records = records[:min(int64(used), int64(len(records)))]
	for len(records) >= 4 {
		format, ok := f[binary.LittleEndian.Uint32(records)]
		records = records[4:]
		var args [][]byte
		for _, n := range format.sizes {
			if ok = ok && n <= len(records); !ok {
				break
			}
			args, records = append(args, records[:n]), records[n:]
		}
		if !ok {
			return append(dst, "(damaged output of printf)\n"...)
		}
		dst = appendCall(dst, format.text, args, nil)
	}
	return dst
}
