//go:build unix

package vcs

import (
	"os/exec"
	"syscall"
)

// ownGroup puts cmd into a process group of its own and makes the end of its context the end of the group, so
// that nothing which git started outlives the call.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
