package hsa

import _ "embed" // blit.cl

// Blit names a kernel that moves memory: the agent's own, or one of BlitSource. Its grid has one dimension; each work-group, of
// one work-item or of BlitItems, moves BlitBytes bytes of the whole: group g those from g*BlitBytes on, counting row by row and
// slice by slice. The kernarg segment holds a CopyArgs or FillArgs. These have no Go pointers: in memory that the garbage collector does not know, writing one
// while it works would have it follow what was there before.
type Blit int

const (
	BlitCopy Blit = iota
	BlitFill
)

// BlitSource is OpenCL C for kernels named as BlitNames says, with BlitItems work-items in a work-group.
//
//go:embed blit.cl
var BlitSource string

// BlitNames are the kernels of BlitSource.
var BlitNames = [...]string{BlitCopy: "copy", BlitFill: "fill"}

// BlitItems is how many work-items a work-group of a kernel of BlitSource has.
const BlitItems = 256

// BlitBytes is how many bytes one work-group of a blit kernel moves.
const BlitBytes = 64 << 10

// BlitGroups is the number of work-groups that move size bytes.
func BlitGroups(size uint64) uint64 { return (size + BlitBytes - 1) / BlitBytes }

// CopyArgs are the arguments of BlitCopy: it copies Size[2] slices of Size[1] rows of Size[0] bytes. Source and destination
// do not overlap. Pitches are bytes from row to row and from slice to slice.
type CopyArgs struct {
	Dst, Src           uint64 // addresses
	Size               [3]uint64
	DstPitch, SrcPitch [2]uint64
}

// FillArgs are the arguments of BlitFill: it fills Size[2] slices of Size[1] rows of Size[0] bytes from Dst on, each row with
// Pattern[:Length] over and over; where Length is a power of two, all of Pattern has it over and over. Pitches are bytes from row to row and from
// slice to slice.
type FillArgs struct {
	Dst     uint64 // address
	Size    [3]uint64
	Pitch   [2]uint64
	Length  uint64
	Pattern [128]byte
}
