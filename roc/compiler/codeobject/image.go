package codeobject

import "unsafe"

// ImageDescriptor is what an argument of kind ArgImage points to, in memory that the agent reads. A kernel knows the kind of
// image from the type of its parameter, and its format from here only. Native kernels access pixels through two functions
// that are chosen for the format, so that nothing is decided pixel by pixel:
//
//	void fetch(const ImageDescriptor *image, const int32_t at[3][16], uint32_t rows[7][16], uint32_t lanes);
//	void store(const ImageDescriptor *image, const int32_t at[3][16], const uint32_t in[4][16], uint32_t lanes);
//
// Each moves up to 16 pixels: lane l, if bit l of lanes is set, that at coordinates at[0..2][l], which are within Size. Fetch
// gives the channels that are there, in the order of memory, and constants in the rows ImageRowZero and following; Read says
// in which row red, green, blue and alpha are. Store takes red, green, blue and alpha. Arrays are aligned to 64 bytes.
type ImageDescriptor struct {
	Data   uint64    // 0: address of the first pixel
	Pitch  [2]uint64 // 8: bytes from one second, and one third coordinate to the next
	Size   [3]uint32 // 24: extent of the coordinates, 1 for one the image has not; the layer of an array is the last it has
	Border uint32    // 36: alpha of the border colour, as bits; its other channels are 0
	Fetch  uint64    // 40
	Store  uint64    // 48
	Read   [4]uint32 // 56
	Write  [4]uint32 // 72: component (0 red ... 3 alpha) that the first, second ... channel in memory holds
	Order  uint32    // 88: cl_channel_order
	Type   uint32    // 92: cl_channel_type
	Pixel  uint64    // 96: bytes of a pixel
}

// ImageDescriptorSize is the size of ImageDescriptor in bytes.
const ImageDescriptorSize = 104

var _ [ImageDescriptorSize]byte = [unsafe.Sizeof(ImageDescriptor{})]byte{}

// ImageLanes is how many pixels an access function moves at most.
const ImageLanes = 16

// Rows of constants that a fetch gives.
const (
	ImageRowZero       = 4
	ImageRowOneFloat   = 5
	ImageRowOneInteger = 6
	ImageRows          = 7
)

// A sampler argument (ArgSampler) is a bit field of these, as in clang's opencl-c-base.h, extended to eight bytes.
const (
	SamplerNormalized     = 1
	SamplerClampToEdge    = 2
	SamplerClamp          = 4
	SamplerRepeat         = 6
	SamplerMirroredRepeat = 8
	SamplerNearest        = 0x10
	SamplerLinear         = 0x20
)
