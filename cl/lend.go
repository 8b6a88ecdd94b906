package cl

// lend gives what was built for device i to its sub-devices for which nothing was: "If a program binary has not been built for a
// sub-device, the program binary associated with the parent device will be used" (OpenCL API 3.0 section 5.8.10).
func (p *Program) lend(i int, b build) {
	for j, d := range p.devices {
		if j == i || !d.partOf(p.devices[i]) {
			continue
		}
		p.mu.Lock()
		wanted := p.builds[j].takesLoan()
		p.mu.Unlock()
		if !wanted {
			continue
		}
		loan := b
		loan.exe, loan.lent = nil, true
		if b.exe != nil {
			loan.load(d)
		}
		p.mu.Lock()
		if old := &p.builds[j]; old.takesLoan() {
			old.unload()
			*old = loan
		} else {
			loan.unload()
		}
		p.mu.Unlock()
	}
}

// takesLoan reports whether nothing was built but for the parent.
func (b *build) takesLoan() bool { return b.lent || b.status == CL_BUILD_NONE && b.object == nil }

// partOf reports whether d is a sub-device of p, or of one of p's.
func (d *Device) partOf(p *Device) bool {
	for d = d.parent; d != nil; d = d.parent {
		if d == p {
			return true
		}
	}
	return false
}
