package kernelgen

import "slices"

// Size is how many random statements the kernel has, nested ones included.
func (k *Kernel) Size() int {
	s := sieve{drop: func(int) bool { return false }}
	s.block(k.body[k.start:k.end])
	return s.count
}

// Without is the kernel without those random statements, numbered as the source has them, that drop names: to find which ones a
// difference needs. Barriers stay, as there would be races without them.
func (k *Kernel) Without(drop func(n int) bool) *Kernel {
	s := sieve{drop: drop}
	r := *k
	rest, _ := s.block(k.body[k.start:k.end])
	r.body = slices.Concat(k.body[:k.start], rest, k.body[k.end:])
	r.end = k.start + len(rest)
	return &r
}

// sieve leaves out statements; count are those that it has come by.
type sieve struct {
	drop  func(n int) bool
	count int
}

// block is what is left of b, and whether there is a barrier in it.
func (s *sieve) block(b block) (rest block, barriers bool) {
	for _, x := range b {
		n := s.count
		s.count++
		x, has := s.statement(x)
		if has || !s.drop(n) {
			rest = append(rest, x)
		}
		barriers = barriers || has
	}
	return rest, barriers
}

func (s *sieve) statement(x stmt) (rest stmt, barriers bool) {
	inside := func(of *block) {
		b, has := s.block(*of)
		*of, barriers = b, barriers || has
	}
	switch x := x.(type) {
	case barrier:
		return x, true
	case conditional:
		inside(&x.yes)
		inside(&x.no)
		return x, barriers
	case loop:
		inside(&x.body)
		return x, barriers
	case choose:
		for i := range x.arms {
			inside(&x.arms[i])
		}
		return x, barriers
	case flow:
		x.steps = slices.Clone(x.steps)
		for i := range x.steps {
			inside(&x.steps[i].body)
		}
		return x, barriers
	}
	return x, false
}
