package cl

import (
	"slices"

	"aqueduct/roc"
)

// Partition is a list of properties of clCreateSubDevices, decoded: a partition scheme and its value, or values.
type Partition struct {
	Scheme uint64
	Values []uint64
}

// domains are the affinity domains in the order in which CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE tries them.
var domains = []struct {
	bit    uint64
	domain roc.Domain
}{
	{CL_DEVICE_AFFINITY_DOMAIN_NUMA, roc.DomainNUMA},
	{CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, roc.DomainL4},
	{CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, roc.DomainL3},
	{CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, roc.DomainL2},
	{CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, roc.DomainL1},
}

// CreateSubDevices is clCreateSubDevices (OpenCL API 3.0 section 4.3). limit is how many the caller has room for, negative if it
// only asks for their number.
func (d *Device) CreateSubDevices(p Partition, limit int) (subs []*Device, n int, st Status) {
	groups, scheme, st := d.partition(p)
	if st != CL_SUCCESS {
		return nil, 0, st
	}
	if limit < 0 {
		return nil, len(groups), CL_SUCCESS
	}
	// CL_INVALID_VALUE if out_devices is not NULL and num_devices is less than the number of sub-devices created by the partition
	// scheme
	if limit < len(groups) {
		return nil, 0, CL_INVALID_VALUE
	}
	if p.Scheme == CL_DEVICE_PARTITION_BY_NAMES_INTEL && !d.name(groups[0]) {
		return nil, 0, CL_OUT_OF_RESOURCES
	}
	for _, units := range groups {
		part, err := d.roc.Partition(units)
		if err != nil || !d.Use() {
			for _, s := range subs {
				s.Release()
			}
			d.unname(p.named(units))
			return nil, 0, CL_OUT_OF_RESOURCES
		}
		s := &Device{platform: d.platform, roc: part, kind: d.kind, parent: d, scheme: scheme, units: p.named(units)}
		s.init(KindDevice, s)
		subs = append(subs, s)
	}
	return subs, len(subs), CL_SUCCESS
}

// end is a sub-device's destruction.
func (d *Device) end() {
	d.parent.unname(d.units)
	d.parent.Unuse()
}

// named is units if p gives their names, else nil.
func (p Partition) named(units []int) []int {
	if p.Scheme != CL_DEVICE_PARTITION_BY_NAMES_INTEL {
		return nil
	}
	return units
}

// name takes compute units for a sub-device made by their names, until unname: "Sub-devices created by different calls to
// clCreatesubDevices using CL_DEVICE_PARTITION_BY_NAMES_INTEL cannot overlap" (cl_intel_device_partition_by_names).
func (d *Device) name(units []int) bool {
	d.names.Lock()
	defer d.names.Unlock()
	if slices.ContainsFunc(units, func(u int) bool { return d.names.taken[u] }) {
		return false
	}
	if d.names.taken == nil {
		d.names.taken = map[int]bool{}
	}
	for _, u := range units {
		d.names.taken[u] = true
	}
	return true
}

func (d *Device) unname(units []int) {
	d.names.Lock()
	defer d.names.Unlock()
	for _, u := range units {
		delete(d.names.taken, u)
	}
}

// partition finds which compute units each sub-device gets, and what CL_DEVICE_PARTITION_TYPE is.
func (d *Device) partition(p Partition) (groups [][]int, scheme []uint64, st Status) {
	units := uint64(d.roc.Info().ComputeUnits)
	// CL_INVALID_VALUE if values specified in properties are not valid or if values specified in properties are valid but not
	// supported by the device
	if len(p.Values) == 0 || !slices.Contains(d.partitionProperties(), p.Scheme) {
		return nil, nil, CL_INVALID_VALUE
	}
	scheme = append([]uint64{p.Scheme}, p.Values...)
	value := p.Values[0]
	switch p.Scheme {
	case CL_DEVICE_PARTITION_EQUALLY:
		if value == 0 || value > 1<<32-1 {
			return nil, nil, CL_INVALID_VALUE
		}
		// CL_DEVICE_PARTITION_FAILED if the partition name is supported but in_device could not be further partitioned
		if value == units {
			return nil, nil, CL_DEVICE_PARTITION_FAILED
		}
		// CL_INVALID_DEVICE_PARTITION_COUNT if the number of compute units requested exceeds CL_DEVICE_MAX_COMPUTE_UNITS
		if value > units {
			return nil, nil, CL_INVALID_DEVICE_PARTITION_COUNT
		}
		for at := uint64(0); at+value <= units; at += value {
			groups = append(groups, consecutive(at, value))
		}
	case CL_DEVICE_PARTITION_BY_COUNTS:
		at := uint64(0)
		for _, n := range p.Values {
			// CL_INVALID_DEVICE_PARTITION_COUNT if the total number of compute units requested exceeds CL_DEVICE_MAX_COMPUTE_UNITS,
			// and so if the number of sub-devices requested exceeds CL_DEVICE_PARTITION_MAX_SUB_DEVICES, or if the number of compute
			// units requested for one or more sub-devices is less than zero
			if n > units-at {
				return nil, nil, CL_INVALID_DEVICE_PARTITION_COUNT
			}
			groups = append(groups, consecutive(at, n))
			at += n
		}
		scheme = append(scheme, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END)
	case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
		if groups, scheme[1] = d.splitBy(value); groups == nil {
			return nil, nil, CL_INVALID_VALUE
		}
	case CL_DEVICE_PARTITION_BY_NAMES_INTEL:
		named := []int{}
		for _, n := range p.Values {
			if n >= units || slices.Contains(named, int(n)) {
				return nil, nil, CL_INVALID_VALUE
			}
			named = append(named, int(n))
		}
		groups, scheme = [][]int{named}, append(scheme, CL_PARTITION_BY_NAMES_LIST_END_INTEL)
	default:
		return nil, nil, CL_INVALID_VALUE
	}
	return groups, append(scheme, 0), CL_SUCCESS
}

func consecutive(first, n uint64) []int {
	units := make([]int, n)
	for i := range units {
		units[i] = int(first) + i
	}
	return units
}

// splitBy groups the compute units by an affinity domain, or the next one that makes several groups of them, and says which that
// is; nil if the domain does not.
func (d *Device) splitBy(domain uint64) ([][]int, uint64) {
	for _, each := range domains {
		if domain == each.bit || domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE {
			if groups := d.roc.Affinity(each.domain); len(groups) > 1 {
				return groups, each.bit
			}
		}
	}
	return nil, 0
}

// affinityDomains is CL_DEVICE_PARTITION_AFFINITY_DOMAIN: those that make at least two sub-devices.
func (d *Device) affinityDomains() (bits uint64) {
	for _, each := range domains {
		if groups, _ := d.splitBy(each.bit); groups != nil {
			bits |= each.bit | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE
		}
	}
	return bits
}

// partitionProperties is CL_DEVICE_PARTITION_PROPERTIES: "If the device cannot be partitioned (i.e. there is no partitioning
// scheme supported by the device that will return at least two sub-devices), a value of 0 will be returned."
func (d *Device) partitionProperties() []uint64 {
	// "A sub-device created with CL_DEVICE_PARTITION_BY_NAMES_INTEL cannot be further sub-divided."
	if d.roc.Info().ComputeUnits < 2 || d.units != nil {
		return []uint64{0}
	}
	schemes := []uint64{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS}
	if d.affinityDomains() != 0 {
		schemes = append(schemes, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN)
	}
	// "A sub-device created with another partitioning mode cannot be further sub-divided by CL_DEVICE_PARTITION_BY_NAMES_INTEL."
	if d.parent == nil {
		schemes = append(schemes, CL_DEVICE_PARTITION_BY_NAMES_INTEL)
	}
	return schemes
}

// maxSubDevices is CL_DEVICE_PARTITION_MAX_SUB_DEVICES.
func (d *Device) maxSubDevices() uint32 {
	if d.partitionProperties()[0] == 0 {
		return 0
	}
	return d.roc.Info().ComputeUnits
}
