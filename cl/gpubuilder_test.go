package cl

import (
	"fmt"
	"strings"

	"aqueduct/roc/compiler/codeobject"
)

// gpuPrelude is what a GPU's kernels need beside the functions of the tests' sources.
const gpuPrelude = `
typedef __attribute__((address_space(3))) char *local_pointer;
static int first_of_group(void)
{
	return __builtin_amdgcn_workitem_id_x() + __builtin_amdgcn_workitem_id_y() + __builtin_amdgcn_workitem_id_z() == 0;
}
static uint64_t group(const struct hidden *h)
{
	uint64_t n[2];
	for (int i = 0; i < 2; i++) n[i] = h->blocks[i] + (h->remainder[i] != 0);
	return __builtin_amdgcn_workgroup_id_x() + n[0] * (__builtin_amdgcn_workgroup_id_y() + n[1] * __builtin_amdgcn_workgroup_id_z());
}
`

// compileGPU makes a code object of the same C, in which the first work-item of a work-group does the work of all.
func (b *cBuilder) compileGPU(text, processor string, kernels []codeobject.KernelInfo) ([]byte, error) {
	var c strings.Builder
	c.WriteString(gpuPrelude)
	c.WriteString(text)
	for i := range kernels {
		k := &kernels[i]
		k.Symbol = k.Name + "_gpu"
		explicit := "void"
		if k.HiddenOffset > 0 {
			explicit = fmt.Sprintf("struct { uint64_t words[%d]; } unused", k.HiddenOffset/8)
		}
		fmt.Fprintf(&c, `
__attribute__((amdgpu_kernel, visibility("protected"))) void %s(%s)
{
	const char *args = (const char *)__builtin_amdgcn_kernarg_segment_ptr();
	struct context context = { (char *)(local_pointer)0 };
	uint64_t g = group(HIDDEN(args, %d));
	if (first_of_group()) %s((const void *)args, &context, g, g + 1);
}
`, k.Symbol, explicit, k.HiddenOffset, k.Name)
		k.Symbol += ".kd"
	}
	return b.compile(c.String(), "-target", "amdgcn-amd-amdhsa", "-mcpu="+processor, "-mcode-object-version=5", "-nogpulib", "-ffreestanding", "-w")
}
