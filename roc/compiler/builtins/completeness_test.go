package builtins_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aqueduct/roc/compiler/frontend"
	"aqueduct/roc/compiler/llvm"

	"github.com/stretchr/testify/require"
)

// elsewhere are functions that clang declares and this library leaves to others: the work-group transforms (queries, barriers),
// and to the device's queues and images.
var elsewhere = regexp.MustCompile(`^(get_(work_dim|global_(id|size|offset)|local_(id|size)|group_id|num_groups|enqueued_\w+|image_\w+|` +
	`num_sub_groups|sub_group_(id|local_id|size)|max_sub_group_size|default_queue)|(work_group_)?barrier|intel_\w+|` +
	`(read|write)_image\w*|printf|enqueue_marker|\w+_event|is_valid_event|create_user_event|set_user_event_status|` +
	`capture_event_profiling_info|ndrange_\w+|arm_\w+|amd_\w+)$`)

var declaration = regexp.MustCompile(`^(.+?) __attribute__\(\(overloadable\)\)(?: __attribute__\(\(\w+\)\))* (\w+)\((.*)\);$`)

// declared lists calls of all functions that clang's header declares for a language version.
func declared(t *testing.T, std string) []string {
	clang, err := frontend.Clang()
	require.NoError(t, err)
	resources := filepath.Join(filepath.Dir(clang), "../lib/clang/19/include")
	args := []string{"-cc1", "-triple", "x86_64-unknown-linux-gnu", "-x", "cl", "-cl-std=" + std, "-cl-ext=-all,+" + strings.Join(extensions, ",+"),
		"-finclude-default-header", "-internal-isystem", resources, "-E", "-P", "-"}
	if std == "CL3.0" {
		args[6] += ",+" + strings.Join(modern, ",+")
		for _, m := range modern {
			args = append(args, "-D"+m+"=1")
		}
	}
	header, err := exec.Command(clang, args...).Output()
	require.NoError(t, err)
	text := regexp.MustCompile(`\n\s+`).ReplaceAllString(string(header), " ")
	var calls []string
	for line := range strings.Lines(text) {
		m := declaration.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || elsewhere.MatchString(m[2]) {
			continue
		}
		var args []string
		if p := strings.TrimSpace(m[3]); p != "void" && p != "" {
			for _, a := range strings.Split(p, ",") {
				args = append(args, "*("+unnamed(a)+" *)p")
			}
		}
		calls = append(calls, fmt.Sprintf("%s(%s);", m[2], strings.Join(args, ", ")))
	}
	return calls
}

// unnamed takes the name off a parameter.
func unnamed(parameter string) string {
	words := strings.Fields(strings.ReplaceAll(parameter, "*", " * "))
	last := words[len(words)-1]
	isType := func(w string) bool {
		return w != "const" && w != "volatile" && !strings.HasPrefix(w, "__") && w != "unsigned"
	}
	if last != "*" && (slices.Contains(words, "*") || slices.ContainsFunc(words[:len(words)-1], isType)) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

func TestEveryDeclaredBuiltinIsDefined(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(library(t), "index"))
	require.NoError(t, err)
	defined := map[string]bool{}
	for line := range strings.Lines(string(index)) {
		symbol, _, _ := strings.Cut(line, "\t")
		defined[symbol] = true
	}
	require.NoError(t, llvm.Load())
	for _, std := range []string{"CL1.2", "CL2.0", "CL3.0"} {
		t.Run(std, func(t *testing.T) {
			calls := declared(t, std)
			require.Greater(t, len(calls), 9000)
			source := "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nvoid f(private void *p)\n{\n" + strings.Join(calls, "\n") + "\n}\n"
			c := llvm.NewContext()
			defer c.Dispose()
			m, err := c.ParseBitcode(compile(t, source, std))
			require.NoError(t, err)
			defer m.Dispose()
			var missing []string
			for _, f := range m.Functions() {
				if f.IsDeclaration() && !strings.HasPrefix(f.Name(), "llvm.") && !defined[f.Name()] {
					missing = append(missing, f.Name())
				}
			}
			require.Empty(t, missing, "%d functions", len(missing))
		})
	}
}
