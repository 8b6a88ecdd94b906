// Package builtins is the library of OpenCL C's built-in functions, in OpenCL C. It only carries the sources: the compiler
// turns each *.cl file into bitcode once, links the files that define what a program calls, and inlines everything.
//
// A family is a file, so that a program pays for what it uses. Elementary functions of float are our own: plain arithmetic
// and selections, which become vector code on any width and in the work-group vectoriser, within the limits of OpenCL C 3.0
// section 7.4. Those of double go to libm. The work-item functions, barriers, meetings of sub-groups and printf stay undefined
// here: the compiler's transforms provide them.
package builtins

import "embed"

// Sources holds the *.cl files and, beside them, the *.h files they include.
//
//go:embed *.cl *.h
var Sources embed.FS
