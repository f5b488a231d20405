package commands

import "testing"

func TestSystemName(t *testing.T) {
	for text, want := range map[string]string{
		"NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nID=debian\n": "Debian GNU/Linux 12",
		"NAME='Arch Linux'\nBUILD_ID=rolling\n":                     "Arch Linux rolling",
		"NAME=Void\n":                                               "Void", "": "", "garbage\n=\n": "",
	} {
		if got := osRelease(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"<dict>\n<key>ProductVersion</key>\n<string>15.1</string>\n</dict>": "15.1", "<key>ProductVersion</key>": "", "": "", "<key>ProductVersion</key><string>1": "",
	} {
		if got := plistVersion(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if systemName() == "" {
		t.Error("this system has no name")
	}
}
