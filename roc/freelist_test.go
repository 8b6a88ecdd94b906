package roc

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFreelistHandsEachThingToOneAtATime(t *testing.T) {
	var f freelist[*int]
	made := 0
	grow := func(keep []*int) ([]*int, error) {
		made += 2
		return append(keep, new(int), new(int)), nil
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 10_000 {
				x, err := f.take(grow)
				if *x++; err != nil || *x != 1 {
					t.Error("handed out twice")
				}
				*x--
				f.give(x)
			}
		}()
	}
	wg.Wait()
	require.Equal(t, made, f.len())
	require.LessOrEqual(t, made, 8)
}

func TestFreelistReportsWhatGrowDoes(t *testing.T) {
	var f freelist[int]
	_, err := f.take(func(keep []int) ([]int, error) { return keep, errors.New("none") })
	require.EqualError(t, err, "none")
	f.give(5)
	x, err := f.take(nil)
	require.NoError(t, err)
	require.Equal(t, 5, x)
}

// len is how many there are to take.
func (f *freelist[T]) len() int {
	f.taking.Lock()
	defer f.taking.Unlock()
	f.giving.Lock()
	defer f.giving.Unlock()
	return len(f.ready) + len(f.back)
}
