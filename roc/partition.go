package roc

import (
	"fmt"

	"aqueduct/roc/hsa"
)

// Domain is a part of the memory system that compute units may share.
type Domain = hsa.Domain

const (
	DomainNUMA = hsa.DomainNUMA
	DomainL4   = hsa.DomainL4
	DomainL3   = hsa.DomainL3
	DomainL2   = hsa.DomainL2
	DomainL1   = hsa.DomainL1
)

// Partition is the device made of some compute units of d, by their numbers, which shares its memory. The same units are always
// the same device: it stays, as d does, and costs next to nothing while it is not used.
func (d *Device) Partition(units []int) (*Device, error) {
	key := fmt.Sprint(units)
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.parts[key]; p != nil {
		return p, nil
	}
	agent, err := d.agent.Partition(units)
	if err != nil {
		return nil, err
	}
	p := newDevice(agent, d.limits)
	p.compile = d.compile
	if d.parts == nil {
		d.parts = map[string]*Device{}
	}
	d.parts[key] = p
	return p, nil
}

// Affinity groups the compute units of d by what they share; nil if that is not known.
func (d *Device) Affinity(domain Domain) [][]int { return d.agent.Affinity(domain) }
