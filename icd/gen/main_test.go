package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCommittedFilesAreWhatGenWrites: nobody edits them by hand, and nobody forgets to run go generate.
func TestCommittedFilesAreWhatGenWrites(t *testing.T) {
	_, err := os.Stat(include + "cl_icd.h")
	require.NoError(t, err, "make setup installs the OpenCL headers")
	root := t.TempDir()
	for _, dir := range []string{"cl", "icd/testdata"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	generate(root)
	for _, file := range []string{"cl/constants.go", "icd/slots.h", "icd/exports.go", "icd/testdata/cases.h"} {
		want, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("../..", file))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "%s: run go generate ./icd", file)
	}
}

func TestEverySlotHasAPrototype(t *testing.T) {
	all := slots()
	require.Len(t, all, 149, "OpenCL 3.0 with the extensions of cl_icd.h")
	require.Equal(t, "clGetPlatformIDs", all[0].name)
	require.Equal(t, "clSetContextDestructorCallback", all[len(all)-1].name)
	for _, s := range all {
		for _, p := range s.params {
			require.NotEmpty(t, p.name, s.name)
			require.NotEmpty(t, p.ctype, s.name)
		}
	}
}

func TestParameterLists(t *testing.T) {
	require.Equal(t, []param{
		{"cl_context", "context"}, {"void *", "pfn_notify"}, {"void *", "origin"}, {"size_t", "size"}, {"void *", "errcode_ret"},
	}, params("cl_context context, void(CL_CALLBACK *pfn_notify)(cl_context context, void *user), const size_t origin[3],\n size_t size, cl_int *errcode_ret"))
	require.Empty(t, params("void"))
}
