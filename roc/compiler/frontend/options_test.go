package frontend

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOptionsOfTheSpecificationAreKnown(t *testing.T) {
	all := "-cl-single-precision-constant -cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt -cl-opt-disable " +
		"-cl-strict-aliasing -cl-uniform-work-group-size -cl-no-subgroup-ifp -cl-mad-enable -cl-no-signed-zeros " +
		"-cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math -w -Werror -cl-std=CL3.0 " +
		"-cl-kernel-arg-info -g -DA -D B=2 -Iinc -I \"in c\""
	for _, stage := range []Stage{Build, Compile} {
		o, err := Parse(stage, all)
		require.NoError(t, err)
		require.Equal(t, []string{"A", "B=2"}, o.Defines)
		require.Equal(t, []string{"inc", "in c"}, o.Includes)
		require.Equal(t, "CL3.0", o.Std)
		require.True(t, o.FastRelaxedMath && o.Werror && o.ArgInfo && o.Debug && o.OptDisable)
	}
	o, err := Parse(Link, "-create-library -enable-link-options -cl-denorms-are-zero -cl-no-signed-zeros "+
		"-cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math -cl-no-subgroup-ifp")
	require.NoError(t, err)
	require.True(t, o.CreateLibrary && o.EnableLibraryLinkOpts)
}

func TestUnknownAndMalformedOptionsAreRefused(t *testing.T) {
	for _, c := range []struct {
		stage   Stage
		options string
	}{
		{Build, "-cl-nonsense"}, {Build, "nonsense"}, {Build, "-"}, {Build, `""`}, {Build, "-O3"},
		{Build, "-D"}, {Build, "-I"}, {Build, "-w -D"}, {Build, `-D ""`}, {Build, `-I ""`},
		{Build, "-D1X"}, {Build, "-D X(=1"}, {Build, "-D =3"}, {Build, "-D X-Y"},
		{Build, "-cl-std="}, {Build, "-cl-std=CL9.9"}, {Build, "-cl-std=c99"},
		{Build, "-create-library"}, {Compile, "-create-library"}, {Compile, "-enable-link-options"},
		{Build, "-o out"}, {Build, "-load evil.so"}, {Build, "-cl-ext=+all"}, {Build, "--help"},
		{Link, "-D X"}, {Link, "-I x"}, {Link, "-w"}, {Link, "-cl-std=CL1.2"}, {Link, "-enable-link-options"},
		{Build, `-D X="`},
	} {
		_, err := Parse(c.stage, c.options)
		require.ErrorAs(t, err, new(*OptionError), "%q", c.options)
	}
}

func TestDefinitionsEndAtNewlines(t *testing.T) {
	o, err := Parse(Build, "-D 'X=1\n#error no' -D 'F(a, b)=a b'")
	require.NoError(t, err)
	require.Equal(t, []string{"X=1", "F(a, b)=a b"}, o.Defines)
}

// Whatever the string, only -D and -I bring text of the user's into clang's arguments.
func FuzzParse(f *testing.F) {
	f.Add("-D X=1 -I y -cl-std=CL3.0 -Werror")
	f.Fuzz(func(t *testing.T, options string) {
		o, err := Parse(Build, options)
		if err != nil {
			require.ErrorAs(t, err, new(*OptionError))
			return
		}
		for _, d := range o.Defines {
			require.Regexp(t, macro, d)
			require.NotContains(t, d, "\n")
		}
		for _, i := range o.Includes {
			require.NotEmpty(t, i)
		}
	})
}
