//go:build !race

package soft

func raceRelease[T any](*T) {}
func raceAcquire[T any](*T) {}
