// Package main is libaqueduct.so, the C ABI of the driver: the functions an ICD loader looks for, the dispatch table behind
// every OpenCL call, and the handles. It decodes C arguments into Go values and calls package cl, which knows the rules.
//
// Build it with
//
//	go build -buildmode=c-shared -ldflags "-extldflags '-Wl,--version-script=$PWD/icd/exports.map -Wl,-Bsymbolic -Wl,-z,nodelete'" \
//		-o build/libaqueduct.so ./icd
//
// A call takes this way: the loader jumps through the handle's dispatch table to aq_clX (exports.go, generated), which
// turns handles into objects and calls clX (written by hand, in the file of its object), which calls a method of package cl.
package main

//go:generate go run ./gen ..

func main() {}
