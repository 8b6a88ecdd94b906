package roc

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"

	"aqueduct/roc/hsa"
	"aqueduct/roc/rocr"
	"aqueduct/roc/settings"
	"aqueduct/roc/soft"
)

// Kinds of devices, as AQUEDUCT_DEVICES names them.
const (
	deviceCPU = "cpu"
	deviceGPU = "gpu"
)

// providers find the agents of a kind.
var providers = map[string]func() ([]hsa.Agent, error){
	deviceCPU: func() ([]hsa.Agent, error) {
		agent, err := soft.New(soft.Config{
			Workers:    settings.Workers.Value(),
			SpinMicros: settings.Spin.Value(),
			StackSize:  uint64(settings.Stack.Value()) << 20,
		})
		return []hsa.Agent{agent}, err
	},
	deviceGPU: func() (agents []hsa.Agent, err error) {
		found, err := rocr.Agents()
		for _, a := range found {
			agents = append(agents, a)
		}
		return agents, err
	},
}

// kernelDriver is the device node that AMD's runtime works through.
const kernelDriver = "/dev/kfd"

// offered are the kinds of devices that there should be. A machine without a GPU does not pay for AMD's runtime, unless it is asked
// for by name.
func offered() (kinds []string) {
	list := settings.Devices.Value()
	if list == "" {
		if usable(kernelDriver) != nil {
			return []string{deviceCPU}
		}
		return []string{deviceCPU, deviceGPU}
	}
	for _, kind := range strings.Split(list, ",") {
		if kind = strings.TrimSpace(kind); providers[kind] != nil && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// usable says why this process cannot work through a device node; nil if it can. It opens nothing.
func usable(node string) error {
	const readWrite = 4 | 2 // R_OK, W_OK
	err := syscall.Access(node, readWrite)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return errors.New(node + " is not there")
	case err != nil:
		return fmt.Errorf("%s may not be opened: %w", node, err)
	}
	return nil
}

// WhyNoGPU says why there is no GPU among Devices; nil if there is one.
func WhyNoGPU() error {
	if !slices.Contains(offered(), deviceGPU) {
		if list := settings.Devices.Value(); list != "" {
			return errors.New(settings.Devices.Name + "=" + list + " leaves GPUs out")
		}
		return usable(kernelDriver)
	}
	_, err := rocr.Agents()
	return err
}
