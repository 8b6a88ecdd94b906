package mangle

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the translator calls a function, and what clang calls it.
func TestBuiltinsHaveClangsNames(t *testing.T) {
	for translator, clang := range map[string]string{
		"_Z3sinDv4_f":          "_Z3sinDv4_f",
		"_Z3powDv4_fS_":        "_Z3powDv4_fS_",
		"_Z13get_global_idj":   "_Z13get_global_idj",
		"_Z12get_work_dimv":    "_Z12get_work_dimv",
		"printf":               "printf",
		"_Z5frexpfPU3AS4i":     "_Z5frexpfPU9CLgenerici",
		"_Z6vload4mPU3AS1Kf":   "_Z6vload4mPU8CLglobalKf",
		"_Z6vload4mPKf":        "_Z6vload4mPU9CLprivateKf",
		"_Z6sincosDv4_fPS_":    "_Z6sincosDv4_fPU9CLprivateS_",
		"_Z9get_fencePU3AS4Kv": "_Z9get_fencePU9CLgenericKv",
		// The private pointee is a type of its own to clang only: what follows has another number.
		"_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event":                                            "_Z21async_work_group_copyPU7CLlocalDv4_fPU8CLglobalKS_m9ocl_event",
		"_Z39atomic_compare_exchange_strong_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_12memory_scope": "_Z39atomic_compare_exchange_strong_explicitPU9CLgenericVU7_AtomiciPU9CLgenericii12memory_orderS4_12memory_scope",
		"_Z12write_imagef14ocl_image2d_woDv2_iDv4_f":                                                          "_Z12write_imagef14ocl_image2d_woDv2_iDv4_f",
	} {
		require.Equal(t, clang, Builtin(translator))
	}
}

func TestOtherNamesStayAsTheyAre(t *testing.T) {
	for _, name := range []string{
		"", "_Z", "_Z3", "_Z3sin", "_Z99sinf", "_Z3sinS_", "_Z3sinDv", "_Z3sinDv4f", "_Z3sinPU3AS9f", "_Z3sinPU3", "_Z3sinQ", "_Z0f", "_Z3sinS99999999_",
		"_Z3sin" + strings.Repeat("P", 1000) + "f", "_Z99999999999999999999sinf",
	} {
		require.Equal(t, name, Builtin(name))
	}
}

func FuzzBuiltin(f *testing.F) {
	f.Add("_Z6sincosDv4_fPU3AS4S_")
	f.Add("_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event")
	f.Fuzz(func(t *testing.T, name string) {
		if out := Builtin(name); len(out) > 16*len(name) {
			t.Fatalf("%d bytes became %d", len(name), len(out))
		}
	})
}
