package gcn

import (
	"math"
	"strings"
	"sync/atomic"
	"unsafe"
)

// update is what an atomic operation makes of a value: x is its operand, c what cmpswap compares with.
type update func(old, x, c uint64, width int) uint64

func signedOf(x uint64, width int) int64 { return int64(x<<(64-width)) >> (64 - width) }

// updates are the atomic operations by the names of the global ones, floats with their type.
var updates = map[string]update{
	"swap": func(_, x, _ uint64, _ int) uint64 { return x },
	"cmpswap": func(old, x, c uint64, _ int) uint64 {
		if old == c {
			return x
		}
		return old
	},
	"add":  func(old, x, _ uint64, _ int) uint64 { return old + x },
	"sub":  func(old, x, _ uint64, _ int) uint64 { return old - x },
	"rsub": func(old, x, _ uint64, _ int) uint64 { return x - old },
	"and":  func(old, x, _ uint64, _ int) uint64 { return old & x },
	"or":   func(old, x, _ uint64, _ int) uint64 { return old | x },
	"xor":  func(old, x, _ uint64, _ int) uint64 { return old ^ x },
	"umin": func(old, x, _ uint64, _ int) uint64 { return min(old, x) },
	"umax": func(old, x, _ uint64, _ int) uint64 { return max(old, x) },
	"smin": func(old, x, _ uint64, width int) uint64 {
		return uint64(min(signedOf(old, width), signedOf(x, width)))
	},
	"smax": func(old, x, _ uint64, width int) uint64 {
		return uint64(max(signedOf(old, width), signedOf(x, width)))
	},
	"inc": func(old, x, _ uint64, _ int) uint64 {
		if old >= x {
			return 0
		}
		return old + 1
	},
	"dec": func(old, x, _ uint64, _ int) uint64 {
		if old == 0 || old > x {
			return x
		}
		return old - 1
	},
	"mskor":   func(old, x, c uint64, _ int) uint64 { return old&^c | x },
	"add_f32": floats32(func(a, b float64) float64 { return addOdd(a, b) }),
	"min_f32": floats32(minimum),
	"max_f32": floats32(maximum),
	"add_f64": floats64(func(a, b float64) float64 { return a + b }),
	"min_f64": floats64(minimum),
	"max_f64": floats64(maximum),
}

// Atomics round to nearest and keep denormals, whatever the mode.

func floats32(fn func(a, b float64) float64) update {
	return func(old, x, _ uint64, _ int) uint64 {
		a, b := math.Float32frombits(uint32(old)), math.Float32frombits(uint32(x))
		return uint64(math.Float32bits(float32(fn(float64(a), float64(b)))))
	}
}

func floats64(fn func(a, b float64) float64) update {
	return func(old, x, _ uint64, _ int) uint64 {
		return math.Float64bits(fn(math.Float64frombits(old), math.Float64frombits(x)))
	}
}

// updateOf splits the name of a memory atomic, after "atomic_": the operation, and whether it is of 64 bits.
func updateOf(name string) (fn update, width int) {
	name, long := strings.CutSuffix(name, "_x2")
	if width = 32; long || strings.HasSuffix(name, "_f64") {
		width = 64
	}
	return updates[name], width
}

// exchange updates memory, which others may do at the same time, and gives the old value.
func exchange(b []byte, width int, fn func(old uint64) uint64) uint64 {
	if width == 64 {
		p := (*uint64)(unsafe.Pointer(&b[0]))
		for {
			if old := atomic.LoadUint64(p); atomic.CompareAndSwapUint64(p, old, fn(old)) {
				return old
			}
		}
	}
	p := (*uint32)(unsafe.Pointer(&b[0]))
	for {
		if old := atomic.LoadUint32(p); atomic.CompareAndSwapUint32(p, old, uint32(fn(uint64(old)))) {
			return uint64(old)
		}
	}
}
