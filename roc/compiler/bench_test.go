package compiler

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func request(source string) Request {
	return Request{Stage: Build, Target: Host(extensions), Source: []byte(source)}
}

// A program that is in the cache, asked for by a process that has built nothing yet.
func BenchmarkCachedBuild(b *testing.B) {
	c := &Client{Config: &Config{Compiler: aqueductc, CacheDir: b.TempDir(), CacheLimit: 1 << 30, Timeout: time.Minute}}
	defer c.Close()
	if _, log, err := c.Build(context.Background(), request(add)); err != nil {
		b.Fatal(log)
	}
	for b.Loop() {
		if _, _, err := reopened(c).Build(context.Background(), request(add)); err != nil {
			b.Fatal(err)
		}
	}
}

// A program that is not, the compiler's start included.
func BenchmarkFirstBuild(b *testing.B) {
	for b.Loop() {
		c := &Client{Config: &Config{Compiler: aqueductc, Timeout: time.Minute}}
		if _, log, err := c.Build(context.Background(), request(add)); err != nil {
			b.Fatal(log)
		}
		c.Close()
	}
}

// A program that is not, while the compiler runs.
func BenchmarkNextBuild(b *testing.B) {
	c := &Client{Config: &Config{Compiler: aqueductc, Timeout: time.Minute}}
	defer c.Close()
	for i := 0; b.Loop(); i++ {
		if _, log, err := c.Build(context.Background(), request(fmt.Sprintf("#define N %d\n%s", i, add))); err != nil {
			b.Fatal(log)
		}
		b.StopTimer()
		time.Sleep(100 * time.Millisecond) // an application does something with it
		b.StartTimer()
	}
}
