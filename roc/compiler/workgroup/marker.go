package workgroup

// IsMarker says whether a function needs no definition, since the transforms replace its calls: work-item queries and barriers.
func IsMarker(name string) bool { return isMarker(name) }
