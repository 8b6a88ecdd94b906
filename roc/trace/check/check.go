// Package check knows the rules of timelines, for tests.
package check

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Timeline reads a timeline and returns its events, or what breaks the rules of the format: it must be JSON, every slice must end
// after it starts and, in its lane, before the next one starts, asynchronous events must pair up in order, and each arrow that has
// an end must have begun, not later.
func Timeline(text []byte) ([]map[string]any, error) {
	var doc struct {
		Events []map[string]any `json:"traceEvents"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	c := checker{lanes: map[[2]float64][][2]float64{}, lives: map[string][]float64{}, arrows: map[float64][2]float64{}}
	for i, e := range doc.Events {
		if err := c.event(e); err != nil {
			return nil, fmt.Errorf("event %d, %v: %w", i, e, err)
		}
	}
	return doc.Events, c.all()
}

type checker struct {
	lanes  map[[2]float64][][2]float64 // slices by process and thread
	lives  map[string][]float64        // times of asynchronous events by category and identity, in the order of b, n and e
	arrows map[float64][2]float64      // start and end, less one where there is none
}

// number is a number of an event, less one if it is none.
func number(e map[string]any, key string) float64 {
	if v, ok := e[key].(float64); ok {
		return v
	}
	return -1
}

func (c *checker) event(e map[string]any) error {
	phase, _ := e["ph"].(string)
	if name, ok := e["name"].(string); !ok || name == "" {
		return fmt.Errorf("no name")
	}
	if number(e, "pid") < 0 || number(e, "tid") < 0 || phase != "M" && number(e, "ts") < 0 {
		return fmt.Errorf("a number is missing")
	}
	ts := number(e, "ts")
	switch phase {
	case "M":
	case "C":
		if args, _ := e["args"].(map[string]any); number(args, "value") < 0 {
			return fmt.Errorf("a counter without a value")
		}
	case "X":
		if number(e, "dur") < 0 {
			return fmt.Errorf("a slice without an end")
		}
		lane := [2]float64{number(e, "pid"), number(e, "tid")}
		c.lanes[lane] = append(c.lanes[lane], [2]float64{ts, ts + number(e, "dur")})
	case "b", "n", "e":
		key := fmt.Sprint(e["cat"], e["id"])
		if len(c.lives[key]) != slices.Index([]string{"b", "n", "e"}, phase) {
			return fmt.Errorf("out of place")
		}
		c.lives[key] = append(c.lives[key], ts)
	case "s", "f":
		a, ok := c.arrows[number(e, "id")]
		if !ok {
			a = [2]float64{-1, -1}
		}
		if phase == "s" {
			a[0] = ts
		} else {
			a[1] = ts
		}
		c.arrows[number(e, "id")] = a
	default:
		return fmt.Errorf("a phase that we do not write")
	}
	return nil
}

const rounding = 0.0015 // microseconds

func (c *checker) all() error {
	for lane, list := range c.lanes {
		slices.SortFunc(list, func(a, b [2]float64) int { return slices.Compare(a[:], b[:]) })
		for i := 1; i < len(list); i++ {
			if list[i][0] < list[i-1][1]-rounding {
				return fmt.Errorf("lane %v: slices %v and %v overlap", lane, list[i-1], list[i])
			}
		}
	}
	for id, times := range c.lives {
		if len(times) != 3 || !slices.IsSorted(times) {
			return fmt.Errorf("command %s: %v", id, times)
		}
	}
	for id, a := range c.arrows {
		if a[0] >= 0 && a[1] >= 0 && a[1] < a[0]-rounding {
			return fmt.Errorf("arrow %v leads back: %v", id, a)
		}
	}
	return nil
}
