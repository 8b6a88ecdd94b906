package devicequeue

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestLayouts: builtins/device_queue.h asserts the same numbers.
func TestLayouts(t *testing.T) {
	var (
		s Slot
		e Event
		h head
		n Enqueues
		p pool
		w wait
		f Family
		b Bell
	)
	for name, c := range map[string]struct{ got, want uintptr }{
		"slot":             {unsafe.Sizeof(s), 512},
		"slot.next":        {unsafe.Offsetof(s.next), 64},
		"slot.node":        {unsafe.Offsetof(s.node), 88},
		"slot.waits":       {unsafe.Offsetof(s.waits), 104},
		"slot.open":        {unsafe.Offsetof(s.open), 112},
		"slot.events":      {unsafe.Offsetof(s.events), 120},
		"slot.flags":       {unsafe.Offsetof(s.flags), 124},
		"slot.class":       {unsafe.Offsetof(s.class), 126},
		"slot.data":        {unsafe.Offsetof(s.data), 128},
		"event":            {unsafe.Sizeof(e), 64},
		"event.count":      {unsafe.Offsetof(e.count), 12},
		"event.up":         {unsafe.Offsetof(e.up), 16},
		"event.capture":    {unsafe.Offsetof(e.capture), 48},
		"event.result":     {unsafe.Offsetof(e.result), 56},
		"pool":             {unsafe.Sizeof(p), 32},
		"pool.fresh":       {unsafe.Offsetof(p.fresh), 16},
		"pool.size":        {unsafe.Offsetof(p.size), 24},
		"queue.events":     {unsafe.Offsetof(h.events), 160},
		"queue.ready":      {unsafe.Offsetof(h.ready), 176},
		"queue.put":        {unsafe.Offsetof(h.put), 256},
		"queue.got":        {unsafe.Offsetof(h.got), 320},
		"family.open":      {unsafe.Offsetof(f.open), 0},
		"bell":             {unsafe.Sizeof(b), 40},
		"bell.wake":        {unsafe.Offsetof(b.Wake), 24},
		"enqueues":         {unsafe.Sizeof(n), 88},
		"enqueues.claimed": {unsafe.Offsetof(n.claimed), 16},
		"enqueues.default": {unsafe.Offsetof(n.Default), 32},
		"enqueues.node":    {unsafe.Offsetof(n.node), 56},
		"enqueues.credit":  {unsafe.Offsetof(n.credit), 72},
		"wait":             {unsafe.Sizeof(w), 24},
	} {
		require.Equal(t, c.want, c.got, name)
	}
}
