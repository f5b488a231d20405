package store

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// holders names the processes that have a file open, as "name (process 123)",
// by number. Locks do not say whose they are, but on Linux /proc says who has a
// file open; elsewhere the list is empty, as it is for processes of other users.
func holders(path string) []string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil
	}
	processes, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var numbers []int
	for _, process := range processes {
		number, err := strconv.Atoi(process.Name())
		if err == nil && hasOpen(filepath.Join("/proc", process.Name(), "fd"), real) {
			numbers = append(numbers, number)
		}
	}
	slices.SortFunc(numbers, cmp.Compare[int])
	var names []string
	for _, number := range numbers {
		name := "this process"
		if number != os.Getpid() {
			command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", number))
			name = strings.TrimSpace(string(command))
		}
		names = append(names, fmt.Sprintf("%s (process %d)", name, number))
	}
	if len(numbers) == 1 && numbers[0] == os.Getpid() {
		return names
	}
	// We have the file open ourselves; the lock is another's.
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "this process") })
}

func hasOpen(folder, path string) bool {
	files, err := os.ReadDir(folder)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(files, func(file os.DirEntry) bool {
		target, err := os.Readlink(filepath.Join(folder, file.Name()))
		return err == nil && target == path
	})
}
