//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// group is the process group of a command. A program that makes a session of its own leaves it: that is the one way
// to outlive the call, and it holds none of our pipes for longer than grace.
type group struct{ leader int }

// newGroup makes the end of the command's context the end of its group.
func newGroup(cmd *exec.Cmd) (*group, error) {
	g := &group{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return g, nil
}

func (g *group) started(cmd *exec.Cmd) { g.leader = cmd.Process.Pid }

// end ends what the command left running in the group. Its number stays taken while a member lives; with none there is
// nobody to end, which is the error that is not looked at.
func (g *group) end() { _ = syscall.Kill(-g.leader, syscall.SIGKILL) }

func (g *group) close() {}
