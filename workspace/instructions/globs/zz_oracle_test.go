package globs

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

func TestZZOracle(t *testing.T) {
	f, err := os.Open(os.Getenv("CASES"))
	if err != nil {
		return
	}
	sc := bufio.NewScanner(f)
	n := map[string]int{}
	bad := map[string]int{}
	trues := map[string]int{}
	for sc.Scan() {
		var c struct {
			D, G, P string
			OK      bool
		}
		json.Unmarshal(sc.Bytes(), &c)
		s, pr := Compile(Dialect(c.D), []string{c.G})
		_, ok := s.Match(c.P)
		n[c.D]++
		if c.OK {
			trues[c.D]++
		}
		if ok != c.OK {
			bad[c.D]++
			pr = nil
			if bad[c.D] <= 40 {
				fmt.Printf("%s %-30q %-12q want %v %v\n", c.D, c.G, c.P, c.OK, pr)
			}
		}
	}
	fmt.Println(n, trues, bad)
}
