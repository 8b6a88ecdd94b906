package cl

// property is one of a list of properties.
type property struct {
	name   uint64
	value  uint64   // the first of values, 0 of none
	values []uint64 // of a property whose value is a list
}

// splitProperties splits a list of properties that ends in 0. The values of those named in lists end in 0 themselves. It
// reports whether no name comes twice.
func splitProperties(list []uint64, lists ...uint64) (ps []property, once bool) {
	seen := make(map[uint64]bool)
	isList := make(map[uint64]bool)
	for _, name := range lists {
		isList[name] = true
	}
	once = true
	for len(list) > 1 {
		p := property{name: list[0]}
		list = list[1:]
		if isList[p.name] {
			for len(list) > 0 && list[0] != 0 {
				p.values = append(p.values, list[0])
				list = list[1:]
			}
		} else {
			p.values = list[:1]
		}
		if len(p.values) > 0 {
			p.value = p.values[0]
		}
		if len(list) > 0 {
			list = list[1:]
		}
		once = once && !seen[p.name]
		seen[p.name] = true
		ps = append(ps, p)
	}
	return ps, once
}

// device is the device of the context that a list of one device handle names, nil if it does not.
func (ctx *Context) device(handles []uint64) *Device {
	if len(handles) != 1 {
		return nil
	}
	for _, d := range ctx.devices {
		if uint64(d.Handle()) == handles[0] {
			return d
		}
	}
	return nil
}
