// Package builtins holds the sources of OpenCL C's builtin functions. The compiler's build turns them into bitcode once.
package builtins

import "embed"

// Sources are the files of the library: each *.cl is a module of its own, *.h is what they include.
//
//go:embed *.cl *.h
var Sources embed.FS
