// Package kernelgen makes random OpenCL C kernels and says what they compute. A kernel is a tree that prints as source and
// that a serial interpreter runs, sharing no code with the compiler: work-items of a group take turns, each running to its
// next barrier. The kernels are free of data races and of behaviour the specification leaves undefined, except division
// by zero and the overflow of a division, for which the driver promises x/0 = x, x%0 = 0, MIN/-1 = MIN and MIN%-1 = 0.
package kernelgen

import "fmt"

// typ is a type of integers or floating-point numbers, or a vector of such.
type typ struct {
	bits   int // 8, 16, 32, 64
	signed bool
	lanes  int  // 1: scalar; 2, 3, 4, 8
	float  bool // of 16, 32 or 64 bits, not signed
}

var (
	uint32T = typ{bits: 32, lanes: 1}
	int32T  = typ{bits: 32, lanes: 1, signed: true}
	uint64T = typ{bits: 64, lanes: 1}
	halfT   = typ{bits: 16, lanes: 1, float: true}
)

func (t typ) String() string {
	s := map[int]string{8: "char", 16: "short", 32: "int", 64: "long"}[t.bits]
	switch {
	case t.float && t.bits == 16:
		s = "half"
	case t.float && t.bits == 32:
		s = "float"
	case t.float:
		s = "double"
	case !t.signed:
		s = "u" + s
	}
	if t.lanes > 1 {
		s += fmt.Sprint(t.lanes)
	}
	return s
}

func (t typ) scalar() typ         { t.lanes = 1; return t }
func (t typ) unsigned() typ       { t.signed, t.float = false, false; return t }
func (t typ) withLanes(n int) typ { t.lanes = n; return t }

// value holds the lanes of a value; each is what the type can hold, sign- or zero-extended to 64 bits, or the bits of a
// floating-point number.
type value [8]uint64

// wrap brings a lane into the range of a type.
func (t typ) wrap(v uint64) uint64 {
	shift := 64 - t.bits
	if t.signed {
		return uint64(int64(v<<shift) >> shift)
	}
	return v << shift >> shift
}

// each computes a value lane by lane.
func (t typ) each(f func(lane int) uint64) (r value) {
	for i := range t.lanes {
		r[i] = t.wrap(f(i))
	}
	return r
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
