package codeobject

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/fnv"
)

// Type is what a program binary holds (CL_PROGRAM_BINARY_TYPE).
type Type string

const (
	CompiledObject Type = "object"     // LLVM bitcode, result of clCompileProgram
	Library        Type = "library"    // LLVM bitcode, result of clLinkProgram with -create-library
	Executable     Type = "executable" // ELF shared object, unless deferred, and the description of its kernels
	Functions      Type = "functions"  // ELF shared object of functions of the builtin library
)

// Program is a program binary: what clGetProgramInfo(CL_PROGRAM_BINARIES) returns and the disk cache keeps.
type Program struct {
	Type         Type
	Target       string // device the code is for, as Target.ID of the compiler
	Options      string // build options, as given
	Kernels      []KernelInfo
	Blocks       []KernelInfo // kernels that kernels enqueue
	Constructors *KernelInfo  // of one work-item, to be run when the program is loaded; nil if there is nothing to initialise
	Globals      uint64       // bytes of program-scope variables in __global memory
	Deferred     bool         // of an executable: Code is bitcode, and each kernel's code is made when it is first wanted
	Code         []byte       `json:"-"` // bitcode or ELF
}

// Version is that of the container and of the kernel ABI. It also changes when the compiler made code that computed wrong values:
// binaries that applications kept are refused then.
const Version = 4

// magic starts every program binary.
var magic = [8]byte{'A', 'Q', 'D', 'C', 'T', 0, 0, Version}

// ErrInvalid is returned for bytes that are no program binary, are damaged, or are of another version.
var ErrInvalid = errors.New("not a program binary of this driver")

// header precedes the JSON description and the code.
type header struct {
	Magic      [8]byte
	Sum        uint64 // FNV-1a over all that follows the header
	Info, Code uint64 // lengths in bytes
}

// Marshal returns the bytes of p.
func (p *Program) Marshal() ([]byte, error) {
	info, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	h := header{Magic: magic, Info: uint64(len(info)), Code: uint64(len(p.Code))}
	sum := fnv.New64a()
	sum.Write(info)
	sum.Write(p.Code)
	h.Sum = sum.Sum64()
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, h)
	b.Write(info)
	b.Write(p.Code)
	return b.Bytes(), nil
}

// Unmarshal reads what Marshal wrote. Code aliases data. Any damage gives ErrInvalid.
func Unmarshal(data []byte) (*Program, error) {
	var h header
	n := binary.Size(h)
	if len(data) < n {
		return nil, ErrInvalid
	}
	binary.Read(bytes.NewReader(data[:n]), binary.LittleEndian, &h)
	rest := data[n:]
	if h.Magic != magic || h.Info > uint64(len(rest)) || h.Code != uint64(len(rest))-h.Info {
		return nil, ErrInvalid
	}
	sum := fnv.New64a()
	sum.Write(rest)
	if sum.Sum64() != h.Sum {
		return nil, ErrInvalid
	}
	p := new(Program)
	if json.Unmarshal(rest[:h.Info], p) != nil {
		return nil, ErrInvalid
	}
	p.Code = rest[h.Info:]
	return p, nil
}
