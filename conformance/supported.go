package conformance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	supportedStart = "<!-- supported: make supported -->\n"
	supportedEnd   = "<!-- end of supported -->\n"
)

// Supported is what the first device that icd registers reports of the languages and extensions it has, as a table in Markdown.
func Supported(icd string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "clinfo", "--raw", "-d", "0:0")
	cmd.Env = append(os.Environ(), "OCL_ICD_VENDORS="+icd)
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("clinfo --raw on %s: %w", icd, err)
	}
	return supportedTable(string(text)), nil
}

var rawVersion = regexp.MustCompile(`:0x([0-9a-f]+)`)

// supportedTable makes the table of what clinfo --raw says.
func supportedTable(raw string) string {
	values := map[string]string{}
	for _, line := range strings.Split(raw, "\n") {
		if m := rawLine.FindStringSubmatch(line); m != nil {
			values[m[2]] = strings.TrimSpace(m[3])
		}
	}
	var b strings.Builder
	row := func(what string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(&b, "| %s | %s |\n", what, strings.Join(names, ", "))
		}
	}
	b.WriteString("| | |\n|---|---|\n")
	row("OpenCL", []string{strings.Fields(values["CL_DEVICE_VERSION"] + " ? ?")[1]})
	row("OpenCL C", versions(values["CL_DEVICE_OPENCL_C_ALL_VERSIONS"]))
	row("C++ for OpenCL", versions(strings.Replace(values["CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT"], "0x", ":0x", 1)))
	row("SPIR-V", versions(values["CL_DEVICE_ILS_WITH_VERSION"]))
	row("Optional features of OpenCL C 3.0", names(values["CL_DEVICE_OPENCL_C_FEATURES"], "__opencl_c_"))
	for _, family := range []string{"cl_khr_", "cl_ext_", "cl_intel_"} {
		row("Extensions `"+family+"`…", names(values["CL_DEVICE_EXTENSIONS"], family))
	}
	return b.String()
}

// names are those of a list that begin with a prefix, without it and without their versions, in alphabetical order.
func names(list, prefix string) (out []string) {
	for _, name := range strings.Fields(rawVersion.ReplaceAllString(list, "")) {
		if short, ok := strings.CutPrefix(name, prefix); ok {
			out = append(out, "`"+short+"`")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// versions are the cl_version numbers of a list, as people write them: 10 bits of major, 10 of minor, 12 of patch.
func versions(list string) (out []string) {
	for _, m := range rawVersion.FindAllStringSubmatch(list, -1) {
		n, _ := strconv.ParseUint(m[1], 16, 32)
		out = append(out, fmt.Sprintf("%d.%d", n>>22, n>>12&0x3ff))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// InsertSupported returns a text with a table in the place marked for it.
func InsertSupported(text, table string) (string, error) {
	before, rest, ok := strings.Cut(text, supportedStart)
	_, after, ended := strings.Cut(rest, supportedEnd)
	if !ok || !ended {
		return "", fmt.Errorf("no place marked by %q and %q", supportedStart, supportedEnd)
	}
	return before + supportedStart + table + supportedEnd + after, nil
}
