package roc

import "aqueduct/roc/compiler/codeobject"

// ImageFormat is what the pixels of an image are (cl_image_format): a cl_channel_order and a cl_channel_type.
type ImageFormat struct{ Order, Type uint32 }

// Channel orders and types, as in CL/cl.h.
const (
	orderR, orderA, orderRG, orderRA                 = 0x10B0, 0x10B1, 0x10B2, 0x10B3
	orderRGB, orderRGBA, orderBGRA, orderARGB        = 0x10B4, 0x10B5, 0x10B6, 0x10B7
	orderIntensity, orderLuminance                   = 0x10B8, 0x10B9
	orderRx, orderRGx, orderRGBx, orderDepth         = 0x10BA, 0x10BB, 0x10BC, 0x10BD
	orderDepthStencil, orderSRGB                     = 0x10BE, 0x10BF
	orderSRGBx, orderSRGBA, orderSBGRA, orderABGR    = 0x10C0, 0x10C1, 0x10C2, 0x10C3
	typeSnorm8, typeSnorm16, typeUnorm8, typeUnorm16 = 0x10D0, 0x10D1, 0x10D2, 0x10D3
	typeUnorm565, typeUnorm555, typeUnorm101010      = 0x10D4, 0x10D5, 0x10D6
	typeSint8, typeSint16, typeSint32                = 0x10D7, 0x10D8, 0x10D9
	typeUint8, typeUint16, typeUint32                = 0x10DA, 0x10DB, 0x10DC
	typeHalf, typeFloat                              = 0x10DD, 0x10DE
	typeUnorm24, typeUnorm101010x2                   = 0x10DF, 0x10E0
)

// PixelClass says which functions read and write the pixels of an image: read_imagef, read_imagei or read_imageui.
type PixelClass uint8

const (
	FloatPixels PixelClass = iota
	SignedPixels
	UnsignedPixels
)

// PixelLayout is how the pixels of a format lie in memory, and what becomes of them in a kernel.
type PixelLayout struct {
	Size    uint64 // bytes
	Class   PixelClass
	codec   string
	order   order
	channel channel
}

// order says what the channels of memory are to a kernel: read has the channel that is red, green, blue and alpha (zero or one
// if there is none), write the component that each channel is.
type order struct {
	read    [4]uint8
	write   []uint8
	clear   bool // the border colour has alpha 0, not 1
	allowed func(t uint32) bool
}

const (
	zero = codeobject.ImageRowZero
	one  = codeobject.ImageRowOneFloat
)

// orders lists those that images may have (OpenCL API 3.0 section 5.3.1.1, table of channel orders), with the types each
// allows. Missing are those with padding, those of which no pixel is a power of two of bytes, and those for other APIs.
var orders = map[uint32]order{
	orderR:         {[4]uint8{0, zero, zero, one}, []uint8{0}, false, plain},
	orderA:         {[4]uint8{zero, zero, zero, 0}, []uint8{3}, true, plain},
	orderRG:        {[4]uint8{0, 1, zero, one}, []uint8{0, 1}, false, plain},
	orderRA:        {[4]uint8{0, zero, zero, 1}, []uint8{0, 3}, true, plain},
	orderRGBA:      {[4]uint8{0, 1, 2, 3}, []uint8{0, 1, 2, 3}, true, plainOr101010x2},
	orderBGRA:      {[4]uint8{2, 1, 0, 3}, []uint8{2, 1, 0, 3}, true, bytes},
	orderARGB:      {[4]uint8{1, 2, 3, 0}, []uint8{3, 0, 1, 2}, true, bytes},
	orderABGR:      {[4]uint8{3, 2, 1, 0}, []uint8{3, 2, 1, 0}, true, bytes},
	orderIntensity: {[4]uint8{0, 0, 0, 0}, []uint8{0}, true, floats},
	orderLuminance: {[4]uint8{0, 0, 0, one}, []uint8{0}, false, floats},
	orderRGB:       {[4]uint8{0, 1, 2, one}, []uint8{0, 1, 2}, false, packed},
	orderDepth:     {[4]uint8{0, zero, zero, one}, []uint8{0}, true, depths},
	orderSRGBA:     {[4]uint8{0, 1, 2, 3}, []uint8{0, 1, 2, 3}, true, unorm8},
	orderSBGRA:     {[4]uint8{2, 1, 0, 3}, []uint8{2, 1, 0, 3}, true, unorm8},
}

func packed(t uint32) bool { return t == typeUnorm565 || t == typeUnorm555 || t == typeUnorm101010 }
func plain(t uint32) bool  { return !packed(t) && t != typeUnorm101010x2 }
func bytes(t uint32) bool {
	return t == typeUnorm8 || t == typeSnorm8 || t == typeSint8 || t == typeUint8
}
func floats(t uint32) bool          { return plain(t) && channels[t].class == FloatPixels }
func unorm8(t uint32) bool          { return t == typeUnorm8 }
func depths(t uint32) bool          { return t == typeUnorm16 || t == typeFloat }
func plainOr101010x2(t uint32) bool { return plain(t) || t == typeUnorm101010x2 }

// channel is a channel data type: the codec of builtins/image_access.cl, and the bits of one channel. A packed type has the
// bits of each channel, from the highest down to bit 0.
type channel struct {
	codec  string
	bits   uint
	class  PixelClass
	packed []uint
	encode func(bits uint32, width uint) uint32 // a component as a kernel writes it, to a channel
}

var channels = map[uint32]channel{
	typeSnorm8:        {codec: "snorm8", bits: 8, encode: snorm},
	typeSnorm16:       {codec: "snorm16", bits: 16, encode: snorm},
	typeUnorm8:        {codec: "unorm8", bits: 8, encode: unorm},
	typeUnorm16:       {codec: "unorm16", bits: 16, encode: unorm},
	typeUnorm565:      {codec: "unorm565", bits: 16, packed: []uint{5, 6, 5}, encode: unorm},
	typeUnorm555:      {codec: "unorm555", bits: 16, packed: []uint{5, 5, 5}, encode: unorm},
	typeUnorm101010:   {codec: "unorm101010", bits: 32, packed: []uint{10, 10, 10}, encode: unorm},
	typeUnorm101010x2: {codec: "unorm101010_2", bits: 32, packed: []uint{10, 10, 10, 2}, encode: unorm},
	typeSint8:         {codec: "sint8", bits: 8, class: SignedPixels, encode: sint},
	typeSint16:        {codec: "sint16", bits: 16, class: SignedPixels, encode: sint},
	typeSint32:        {codec: "word_", bits: 32, class: SignedPixels, encode: word},
	typeUint8:         {codec: "uint8", bits: 8, class: UnsignedPixels, encode: uintn},
	typeUint16:        {codec: "uint16", bits: 16, class: UnsignedPixels, encode: uintn},
	typeUint32:        {codec: "word_", bits: 32, class: UnsignedPixels, encode: word},
	typeHalf:          {codec: "half", bits: 16, encode: half},
	typeFloat:         {codec: "word_", bits: 32, encode: word},
}

// Layout is how f's pixels lie in memory. known: the order and the type are some of OpenCL's, and go together. ok: images of
// that format are supported.
func (f ImageFormat) Layout() (l PixelLayout, known, ok bool) {
	o, t := orders[f.Order], channels[f.Type]
	if o.allowed == nil || t.codec == "" || !o.allowed(f.Type) {
		return l, f.legal(), false
	}
	l = PixelLayout{Class: t.class, codec: t.codec, order: o, channel: t}
	switch {
	case t.packed != nil:
		l.Size = uint64(t.bits / 8)
	default:
		l.Size = uint64(t.bits/8) * uint64(len(o.write))
		l.codec += [...]string{1: "x1", 2: "x2", 4: "x4"}[len(o.write)]
	}
	if f.Order == orderSRGBA || f.Order == orderSBGRA {
		l.codec = "srgb8x4"
		l.channel.encode = srgb
	}
	return l, true, true
}

// legal reports whether the specification allows f, of what is not supported.
func (f ImageFormat) legal() bool {
	switch f.Order {
	case orderRx, orderRGx:
		return channels[f.Type].codec != "" && plain(f.Type)
	case orderRGBx:
		return packed(f.Type)
	case orderSRGB, orderSRGBx:
		return f.Type == typeUnorm8
	case orderDepthStencil:
		return f.Type == typeUnorm24 || f.Type == typeFloat
	}
	return false
}

// AccessFunctions are the names of the builtin functions that fetch and store pixels.
func (l *PixelLayout) AccessFunctions() (fetch, store string) {
	return "aqueduct_fetch_" + l.codec, "aqueduct_store_" + l.codec
}

// Describe fills in what a descriptor says of the format.
func (l *PixelLayout) Describe(d *codeobject.ImageDescriptor) {
	d.Pixel = l.Size
	for i, row := range l.order.read {
		d.Read[i] = uint32(row)
		if row == codeobject.ImageRowOneFloat && l.Class != FloatPixels {
			d.Read[i] = codeobject.ImageRowOneInteger
		}
	}
	for i, component := range l.order.write {
		d.Write[i] = uint32(component)
	}
	if !l.order.clear {
		d.Border = 1
		if l.Class == FloatPixels {
			d.Border = oneFloat
		}
	}
}
