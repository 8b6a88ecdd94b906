package compiler

import (
	"fmt"
	"os/exec"

	"aqueduct/roc/compiler/frontend"
)

// Available says whether programs can be built from source, which takes a clang, and linked, for which the compiler is enough.
func (c *Client) Available() (sources, links bool) {
	c.once.Do(c.init)
	_, err := exec.LookPath(c.config.Compiler)
	return err == nil && c.parses(Request{Stage: Build}) == nil, err == nil
}

// parses is ErrUnavailable if r takes a clang and there is none.
func (c *Client) parses(r Request) error {
	if r.IL || r.Stage != Build && r.Stage != Compile {
		return nil
	}
	if _, err := frontend.Clang(); err != nil {
		return fmt.Errorf("%w: %v", ErrUnavailable, err)
	}
	return nil
}
