// Package isa keeps kernels to a level of the processor's vector instructions, for AQUEDUCT_CPU_FEATURES. Levels only take away:
// a processor that lacks what a level has does not get it, as its instructions would end the process.
package isa

import (
	"slices"
	"strings"

	"aqueduct/roc/settings"
)

// level is what is taken away.
type level struct {
	without  []string // for LLVM, which takes with a feature all that need it
	prefixes []string // of the names of all these features
}

var levels = map[string]level{
	"avx512": {},
	"avx2":   {[]string{"-avx512f"}, []string{"avx512"}},
	"sse4.2": {[]string{"-avx"}, []string{"avx", "fma", "f16c", "vaes", "vpclmulqdq"}},
}

// Without are the features that kernels have to do without, as LLVM names them, with a minus.
func Without() []string { return WithoutAbove(settings.CPUFeatures.Value()) }

// WithoutAbove is Without for a level; "" is none.
func WithoutAbove(name string) []string { return levels[name].without }

// Within are those of a processor's features that kernels may use.
func Within(features []string) []string {
	return slices.DeleteFunc(slices.Clone(features), func(f string) bool {
		return slices.ContainsFunc(levels[settings.CPUFeatures.Value()].prefixes, func(p string) bool { return strings.HasPrefix(f, "+"+p) })
	})
}
