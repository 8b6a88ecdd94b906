package codeobject

import "sort"

// LineTable says which lines of source code comes from.
type LineTable struct {
	Files   []string
	Entries []LineEntry // by Offset
}

// LineEntry is the line of the code from Offset to that of the next entry.
type LineEntry struct {
	Offset int64 // bytes from a symbol
	File   int   // index in Files
	Line   int   // 0: of none
}

// Find returns the file and line of the code at an offset; 0 if it is of none.
func (t *LineTable) Find(offset int64) (file string, line int) {
	if t == nil {
		return "", 0
	}
	i := sort.Search(len(t.Entries), func(i int) bool { return t.Entries[i].Offset > offset }) - 1
	if i < 0 || t.Entries[i].Line == 0 {
		return "", 0
	}
	return t.Files[t.Entries[i].File], t.Entries[i].Line
}
