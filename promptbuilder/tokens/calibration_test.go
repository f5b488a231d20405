package tokens

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestCalibrationLearns(t *testing.T) {
	for _, test := range []struct {
		name                string
		before              Calibration
		estimated, actual   int
		learned             bool
		ratio               float64
		samples             int
		roomOf10k, expected int
	}{
		{"nothing", Calibration{}, 0, 0, false, 0, 0, 8849, 1000},
		{"the first request", Calibration{}, 1000, 1200, true, 1.2, 1, 7716, 1200},
		{"a small request", Calibration{}, 150, 300, false, 0, 0, 8849, 1000},
		{"no usage", Calibration{1.2, 3}, 1000, 0, false, 1.2, 3, 8090, 1200},
		{"of another request", Calibration{1.2, 3}, 1000, 9000, false, 1.2, 3, 8090, 1200},
		{"a near one", Calibration{1.2, 3}, 2000, 2440, true, 1.21, 4, 8023, 1210},
		{"a near one that is small", Calibration{1.2, 3}, 1000, 1220, true, 1.205, 4, 8057, 1205},
		{"one that is far off", Calibration{1.2, 3}, 2000, 4400, true, 1.3, 4, 7468, 1300},
		{"one that is far off from the first", Calibration{1.5, 1}, 8000, 8800, true, 1.3, 2, 7396, 1300},
		{"a damaged row", Calibration{math.Inf(1), 3}, 1000, 1100, true, 1.1, 1, 8417, 1100},
	} {
		got, learned := test.before.Learn(test.estimated, test.actual)
		if learned != test.learned || math.Abs(got.Ratio-test.ratio) > 1e-9 || got.Samples != test.samples {
			t.Errorf("%s: got %+v, %v", test.name, got, learned)
		}
		p := ForModel("claude-sonnet-4-5").Calibrated(got)
		if room, expected := p.Room(10_000), p.Expected(1000); room != test.roomOf10k || expected != test.expected {
			t.Errorf("%s: room %d, want %d; expected %d, want %d", test.name, room, test.roomOf10k, expected, test.expected)
		}
	}
	if p := ForModel("gpt-5").Calibrated(Calibration{1.3, 9}); p.Room(1000) != 1000 || p.Expected(7) != 7 || p.ErrorBound != 0 {
		t.Errorf("an exact counter was corrected: %+v", p)
	}
}

// A provider that counts a constant share more is followed within a few requests, whatever single reports are wrong; and
// once it is, what is planned fits.
func TestCalibrationConverges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth := rapid.Float64Range(0.7, 2).Draw(t, "truth")
		var c Calibration
		for i := range 40 {
			estimated := rapid.IntRange(leastLearned, 100_000).Draw(t, "estimated")
			actual := int(math.Round(float64(estimated) * truth * rapid.Float64Range(0.99, 1.01).Draw(t, "noise")))
			if i < 10 && rapid.IntRange(0, 9).Draw(t, "wrong") == 0 {
				actual = rapid.IntRange(0, 300_000).Draw(t, "report")
			}
			c, _ = c.Learn(estimated, actual)
		}
		if off := math.Abs(c.Ratio/truth - 1); off > 0.03 {
			t.Fatalf("learned %.3f of %.3f", c.Ratio, truth)
		}
		p := ForModel("claude-opus-4-8").Calibrated(c)
		budget := rapid.IntRange(1000, 1_000_000).Draw(t, "budget")
		if counted := float64(p.Room(budget)) * truth; counted > float64(budget)*1.001 {
			t.Fatalf("%d tokens of the estimate are %.0f of the provider's, more than %d", p.Room(budget), counted, budget)
		}
	})
}
