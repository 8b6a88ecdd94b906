package pipeline

import (
	"fmt"
	"strings"

	"aqueduct/roc/compiler/codeobject"
	"aqueduct/roc/compiler/llvm"
)

// spirKernel is the calling convention clang gives kernels (llvm::CallingConv::SPIR_KERNEL).
const spirKernel = 76

// amdKernel is that of kernels for AMD's GPUs (llvm::CallingConv::AMDGPU_KERNEL).
const amdKernel = 91

// isKernel reports whether g is a kernel.
func isKernel(g llvm.Value) bool {
	if !g.IsFunction() {
		return false
	}
	cc := g.CallConv()
	return cc == spirKernel || cc == amdKernel
}

// describe reads what clang says about a kernel: its arguments and where they lie in the kernarg segment, and its attributes.
// The kernel is as clang made it, with metadata on its arguments (-cl-kernel-arg-info).
func describe(m llvm.Module, kernel llvm.Value) (codeobject.KernelInfo, error) {
	d := descriptor{m: m, c: m.Context(), kernel: kernel}
	k := codeobject.KernelInfo{Name: kernel.Name()}
	types, bases := d.texts("kernel_arg_type"), d.texts("kernel_arg_base_type")
	names, access, quals := d.texts("kernel_arg_name"), d.texts("kernel_arg_access_qual"), d.texts("kernel_arg_type_qual")
	spaces := d.numbers("kernel_arg_addr_space")
	n := kernel.NumParams()
	for _, have := range []int{len(types), len(bases), len(names), len(access), len(quals), len(spaces)} {
		if have != n {
			return k, fmt.Errorf("kernel %s: its %d arguments are not described", k.Name, n)
		}
	}
	for i := range bases {
		if bases[i] == "" { // of SPIR-V, which has no type definitions
			bases[i] = types[i]
		}
		for _, t := range [][]string{types, bases} {
			t[i] = strings.TrimPrefix(t[i], "opencl.") // what the translator calls the language's own types
		}
	}
	k.HasArgInfo = n == 0 || strings.Join(names, "") != "" // SPIR-V need not name anything
	offset := uint32(0)
	for i, t := range kernel.ValueType().Params() {
		a := codeobject.ArgInfo{
			Name: names[i], TypeName: types[i],
			AddressSpace: addressQualifier(spaces[i]), Access: accessQualifier(access[i]), TypeQualifiers: typeQualifiers(quals[i]),
		}
		align := d.place(&a, i, t, bases[i])
		offset = (offset + align - 1) &^ (align - 1)
		a.Offset = offset
		offset += a.Size
		k.Args = append(k.Args, a)
	}
	k.HiddenOffset = (offset + 7) &^ 7
	k.KernargSize = k.HiddenOffset + codeobject.HiddenSize
	mode, _ := kernel.StringAttribute(llvm.FunctionIndex, denormalMode)
	k.FlushesDenormals = mode == flushed
	d.attributes(&k)
	return k, nil
}

type descriptor struct {
	m      llvm.Module
	c      llvm.Context
	kernel llvm.Value
}

// place fills in kind and size of parameter i and returns its alignment.
func (d *descriptor) place(a *codeobject.ArgInfo, i int, t llvm.Type, base string) (align uint32) {
	layout := d.m.Layout()
	byval := d.kernel.Attribute(llvm.Index(i+1), "byval")
	if byval == 0 {
		byval = d.kernel.Attribute(llvm.Index(i+1), "byref") // AMD's GPUs
	}
	if byval != 0 {
		a.Kind, a.Size = codeobject.ArgValue, uint32(layout.Size(byval.Type()))
		align = uint32(layout.Align(byval.Type()))
		if at := d.kernel.Attribute(llvm.Index(i+1), "align"); at != 0 {
			align = max(align, uint32(at.Int()))
		}
		return align
	}
	if t.Kind() != llvm.PointerKind {
		a.Kind, a.Size = codeobject.ArgValue, uint32(layout.Size(t))
		return uint32(layout.Align(t))
	}
	a.Size, align = 8, 8
	switch {
	case a.TypeQualifiers&codeobject.QualifierPipe != 0:
		a.Kind = codeobject.ArgPipe
	case strings.HasPrefix(base, "image") && strings.HasSuffix(base, "_t"):
		a.Kind, a.ImageType = codeobject.ArgImage, base
	case base == "sampler_t":
		a.Kind = codeobject.ArgSampler
	case base == "queue_t":
		a.Kind = codeobject.ArgQueue
	case a.AddressSpace == codeobject.AddressConstant:
		a.Kind = codeobject.ArgConstant
	case t.AddressSpace() == 3:
		a.Kind, a.Size, align = codeobject.ArgLocal, 4, 4
		a.PointeeAlign = 1
		if at := d.kernel.Attribute(llvm.Index(i+1), "align"); at != 0 {
			a.PointeeAlign = uint32(at.Int())
		}
	default:
		a.Kind = codeobject.ArgGlobal
	}
	return align
}

// attributes reads the optional attributes of a kernel, in the form clGetKernelInfo(CL_KERNEL_ATTRIBUTES) gives them.
func (d *descriptor) attributes(k *codeobject.KernelInfo) {
	var texts []string
	for _, a := range []struct {
		name string
		size *[3]uint32
	}{{"reqd_work_group_size", &k.ReqdWorkGroupSize}, {"work_group_size_hint", &k.WorkGroupSizeHint}} {
		n := d.numbers(a.name)
		if len(n) != 3 {
			continue
		}
		for i := range a.size {
			a.size[i] = uint32(n[i])
		}
		texts = append(texts, fmt.Sprintf("%s(%d,%d,%d)", a.name, n[0], n[1], n[2]))
	}
	if hint := d.operands("vec_type_hint"); len(hint) == 2 {
		k.VecTypeHint = vectorName(hint[0].Type(), hint[1].Int() != 0)
		texts = append(texts, "vec_type_hint("+k.VecTypeHint+")")
	}
	if n := d.numbers("intel_reqd_sub_group_size"); len(n) == 1 {
		k.ReqdSubGroupSize = uint32(n[0])
		texts = append(texts, fmt.Sprintf("intel_reqd_sub_group_size(%d)", n[0]))
	}
	k.Attributes = strings.Join(texts, " ")
}

// operands are those of the node that the kernel has under a name.
func (d *descriptor) operands(name string) []llvm.Value {
	node := d.kernel.GlobalMetadata(d.c, d.c.MDKind(name))
	if node == 0 {
		return nil
	}
	return node.MDOperands()
}

func (d *descriptor) texts(name string) (r []string) {
	for _, o := range d.operands(name) {
		s, _ := o.MDText()
		r = append(r, s)
	}
	return r
}

func (d *descriptor) numbers(name string) (r []uint64) {
	for _, o := range d.operands(name) {
		if !o.IsConstantInt() {
			return nil
		}
		r = append(r, o.Uint())
	}
	return r
}

// vectorName is the OpenCL C name of the type that clang stands for vec_type_hint's argument.
func vectorName(t llvm.Type, signed bool) string {
	suffix := ""
	if t.Kind() == llvm.VectorKind {
		suffix, t = fmt.Sprint(t.VecLen()), t.Elem()
	}
	name := t.String() // float, double, half
	if t.Kind() == llvm.IntegerKind {
		name = map[int]string{8: "char", 16: "short", 32: "int", 64: "long"}[t.Bits()]
		if !signed {
			name = "u" + name
		}
	}
	return name + suffix
}

func addressQualifier(space uint64) uint32 {
	switch space {
	case 1:
		return codeobject.AddressGlobal
	case 2:
		return codeobject.AddressConstant
	case 3:
		return codeobject.AddressLocal
	}
	return codeobject.AddressPrivate
}

func accessQualifier(text string) uint32 {
	switch text {
	case "read_only":
		return codeobject.AccessReadOnly
	case "write_only":
		return codeobject.AccessWriteOnly
	case "read_write":
		return codeobject.AccessReadWrite
	}
	return codeobject.AccessNone
}

func typeQualifiers(text string) (bits uint64) {
	for _, w := range strings.Fields(text) {
		bits |= map[string]uint64{"const": codeobject.QualifierConst, "restrict": codeobject.QualifierRestrict, "volatile": codeobject.QualifierVolatile, "pipe": codeobject.QualifierPipe}[w]
	}
	return bits
}
