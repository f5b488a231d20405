package commands

import (
	"bufio"
	"os"
	"runtime"
	"strings"
)

// systemName gives the name and version of the operating system: what
// os-release or SystemVersion.plist says, else its family; no program is run.
func systemName() string {
	switch runtime.GOOS {
	case "linux":
		for _, path := range []string{"/etc/os-release", "/usr/lib/os-release"} {
			if text, err := os.ReadFile(path); err == nil {
				if name := osRelease(string(text)); name != "" {
					return name
				}
			}
		}
		return "Linux"
	case "darwin":
		text, err := os.ReadFile("/System/Library/CoreServices/SystemVersion.plist")
		if err != nil {
			return "macOS"
		}
		return strings.TrimSpace("macOS " + plistVersion(string(text)))
	case "windows":
		return "Windows"
	}
	return runtime.GOOS
}

// osRelease reads NAME and VERSION_ID, or BUILD_ID where a system has no
// versions.
func osRelease(text string) string {
	values := map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		if name, value, ok := strings.Cut(strings.TrimSpace(lines.Text()), "="); ok {
			values[name] = strings.Trim(value, `"'`)
		}
	}
	version := values["VERSION_ID"]
	if version == "" {
		version = values["BUILD_ID"]
	}
	return strings.TrimSpace(values["NAME"] + " " + version)
}

// plistVersion reads the version that macOS writes for people.
func plistVersion(text string) string {
	_, after, found := strings.Cut(text, "<key>ProductVersion</key>")
	if !found {
		return ""
	}
	_, after, found = strings.Cut(after, "<string>")
	version, _, closed := strings.Cut(after, "</string>")
	if !found || !closed {
		return ""
	}
	return strings.TrimSpace(version)
}
