// Package frontend turns OpenCL C into LLVM bitcode: it reads build options and runs clang on the source.
package frontend

import (
	"fmt"
	"regexp"
	"strings"
)

// Stage is the call that options are given to; it decides which of them are legal.
type Stage uint8

const (
	Build     Stage = iota // clBuildProgram: compiler options
	Compile                // clCompileProgram: compiler options
	Link                   // clLinkProgram: linker options
	Functions              // no call of the application's: the driver wants functions of the builtin library
	Kernels                // no call of the application's: the driver wants kernels of a program that has been built
)

// OptionError says which option is unknown or malformed. What status that is depends on the stage:
// CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS or CL_INVALID_LINKER_OPTIONS.
type OptionError struct {
	Option, Reason string
}

func (e *OptionError) Error() string { return fmt.Sprintf("option %q: %s", e.Option, e.Reason) }

// Options are the options of one build (OpenCL API 3.0 sections 5.8.6 and 5.8.7), read.
type Options struct {
	Std      string   // "CL1.2", "CLC++2021" …; "" when none was given
	Defines  []string // NAME or NAME=definition, in order
	Includes []string // directories, in order

	OptDisable            bool // -cl-opt-disable
	StrictAliasing        bool // -cl-strict-aliasing
	UniformWorkGroups     bool // -cl-uniform-work-group-size
	SinglePrecision       bool // -cl-single-precision-constant
	DenormsAreZero        bool // -cl-denorms-are-zero
	CorrectDivideSqrt     bool // -cl-fp32-correctly-rounded-divide-sqrt
	MadEnable             bool // -cl-mad-enable
	NoSignedZeros         bool // -cl-no-signed-zeros
	UnsafeMath            bool // -cl-unsafe-math-optimizations
	FiniteMath            bool // -cl-finite-math-only
	FastRelaxedMath       bool // -cl-fast-relaxed-math
	NoSubgroupProgress    bool // -cl-no-subgroup-ifp
	ArgInfo               bool // -cl-kernel-arg-info
	NoWarnings, Werror    bool // -w, -Werror
	Debug                 bool // -g
	CreateLibrary         bool // -create-library
	EnableLibraryLinkOpts bool // -enable-link-options
}

// flags are the options without a value. The specification lists each under compiler options (5.8.6) or linker
// options (5.8.7); some are both.
var flags = []struct {
	name          string
	compile, link bool
	field         func(*Options) *bool
}{
	{"-cl-single-precision-constant", true, false, func(o *Options) *bool { return &o.SinglePrecision }},
	{"-cl-denorms-are-zero", true, true, func(o *Options) *bool { return &o.DenormsAreZero }},
	{"-cl-fp32-correctly-rounded-divide-sqrt", true, false, func(o *Options) *bool { return &o.CorrectDivideSqrt }},
	{"-cl-opt-disable", true, false, func(o *Options) *bool { return &o.OptDisable }},
	{"-cl-strict-aliasing", true, false, func(o *Options) *bool { return &o.StrictAliasing }},
	{"-cl-uniform-work-group-size", true, false, func(o *Options) *bool { return &o.UniformWorkGroups }},
	{"-cl-no-subgroup-ifp", true, true, func(o *Options) *bool { return &o.NoSubgroupProgress }},
	{"-cl-mad-enable", true, false, func(o *Options) *bool { return &o.MadEnable }},
	{"-cl-no-signed-zeros", true, true, func(o *Options) *bool { return &o.NoSignedZeros }},
	{"-cl-unsafe-math-optimizations", true, true, func(o *Options) *bool { return &o.UnsafeMath }},
	{"-cl-finite-math-only", true, true, func(o *Options) *bool { return &o.FiniteMath }},
	{"-cl-fast-relaxed-math", true, true, func(o *Options) *bool { return &o.FastRelaxedMath }},
	{"-cl-kernel-arg-info", true, false, func(o *Options) *bool { return &o.ArgInfo }},
	{"-w", true, false, func(o *Options) *bool { return &o.NoWarnings }},
	{"-Werror", true, false, func(o *Options) *bool { return &o.Werror }},
	{"-g", true, false, func(o *Options) *bool { return &o.Debug }},
	{"-create-library", false, true, func(o *Options) *bool { return &o.CreateLibrary }},
	{"-enable-link-options", false, true, func(o *Options) *bool { return &o.EnableLibraryLinkOpts }},
}

// versions are the values of -cl-std, and the language each is. C++ for OpenCL without a version is 1.0, the one
// that devices can report; 2021 is experimental (C++ for OpenCL section 1).
var versions = map[string]string{"CL1.0": "CL1.0", "CL1.1": "CL1.1", "CL1.2": "CL1.2", "CL2.0": "CL2.0", "CL3.0": "CL3.0",
	"CLC++": "CLC++1.0", "CLC++1.0": "CLC++1.0", "CLC++2021": "CLC++2021"}

// macro is what may follow -D: a name, parameters of a function-like macro, and a definition.
var macro = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*(\([^()]*\))?(?s:=.*)?$`)

// Parse reads an option string. An option that stage does not know, or one whose value is missing or malformed, gives an
// OptionError.
func Parse(stage Stage, options string) (*Options, error) {
	words, err := Tokenise(options)
	if err != nil {
		return nil, err
	}
	o := new(Options)
	for len(words) > 0 {
		n, err := o.take(stage, words)
		if err != nil {
			return nil, err
		}
		words = words[n:]
	}
	if o.EnableLibraryLinkOpts && !o.CreateLibrary {
		return nil, &OptionError{"-enable-link-options", "needs -create-library"}
	}
	return o, nil
}

// take reads the option that words start with and returns how many words it is.
func (o *Options) take(stage Stage, words []string) (int, error) {
	w := words[0]
	for _, f := range flags {
		if f.name == w && (stage == Link && f.link || stage != Link && f.compile) {
			*f.field(o) = true
			return 1, nil
		}
	}
	if stage == Link {
		return 0, &OptionError{w, "not a linker option"}
	}
	if std, ok := strings.CutPrefix(w, "-cl-std="); ok {
		if o.Std = versions[std]; o.Std == "" {
			return 0, &OptionError{w, "unknown version of OpenCL C"}
		}
		return 1, nil
	}
	for _, prefix := range []string{"-D", "-I"} {
		value, ok := strings.CutPrefix(w, prefix)
		if !ok {
			continue
		}
		n := 1
		if value == "" {
			if n = 2; len(words) < 2 {
				return 0, &OptionError{w, "its value is missing"}
			}
			value = words[1]
		}
		if prefix == "-I" {
			return n, o.include(value)
		}
		return n, o.define(value)
	}
	return 0, &OptionError{w, "not a compiler option"}
}

func (o *Options) include(dir string) error {
	if dir == "" {
		return &OptionError{"-I", "the directory's name is empty"}
	}
	o.Includes = append(o.Includes, dir)
	return nil
}

func (o *Options) define(text string) error {
	if !macro.MatchString(text) {
		return &OptionError{"-D " + text, "not a macro definition"}
	}
	// "the definition will be truncated by embedded newline characters" (5.8.6.1)
	text, _, _ = strings.Cut(text, "\n")
	o.Defines = append(o.Defines, text)
	return nil
}
