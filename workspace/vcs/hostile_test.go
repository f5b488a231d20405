//go:build unix

package vcs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// trap returns a command that leaves the file at the returned path when it is run.
func (f *fixture) trap(name string) (command, mark string) {
	f.t.Helper()
	mark = filepath.Join(f.home, "RAN-"+name)
	command = filepath.Join(f.home, name+".sh")
	// A transport that answers with what it is asked would keep plain git waiting for ever.
	script := "#!/bin/sh\ntouch '" + mark + "'\ntest " + name + " = fetch || cat\n"
	if err := os.WriteFile(command, []byte(script), 0o755); err != nil {
		f.t.Fatal(err)
	}
	return command, mark
}

func ran(mark string) bool { _, err := os.Stat(mark); return err == nil }

// everything calls all that runs the git binary on the repository.
func (f *fixture) everything(g Git) {
	ctx := context.Background()
	_, _ = g.Status(ctx, f.root, 0)
	_, _ = g.ListFiles(ctx, f.root, "")
	_, _ = g.CheckIgnore(ctx, f.root, []string{"a.txt", "dir/"})
	_, _ = g.Tracked(ctx, f.root, []string{"a.txt"})
	_, _ = g.Head(f.root)
	_, _ = g.processHead(f.root)
	for _, staged := range []bool{false, true} {
		_, _ = g.Changed(ctx, f.root, "", staged)
		_, _, _ = g.Diff(ctx, f.root, []string{"a.txt"}, staged, 1<<20)
	}
}

// A repository that names programs in every place that git status is known to look at runs none of them; git on its
// own does run the ones that are marked so, which shows that the trap works.
func TestHostileRepositoryRunsNothing(t *testing.T) {
	for _, c := range []struct {
		name    string
		set     func(f *fixture, command string)
		bareRun bool // plain git status runs it
	}{
		{"clean-filter", func(f *fixture, command string) {
			f.git("config", "filter.evil.clean", command)
			f.write(".gitattributes", "*.txt filter=evil\n")
		}, true},
		{"process-filter", func(f *fixture, command string) {
			f.git("config", "filter.evil.process", command)
			f.write(".gitattributes", "*.txt filter=evil\n")
		}, true},
		{"required-filter", func(f *fixture, command string) {
			f.git("config", "filter.Evil.Name.clean", command)
			f.git("config", "filter.Evil.Name.required", "true")
			f.write(".git/info/attributes", "*.txt filter=Evil.Name\n")
		}, true},
		{"odd-filter-name", func(f *fixture, command string) {
			f.git("config", "filter.a=b.clean", command)
			f.write(".git/info/attributes", "*.txt filter=a=b\n")
		}, true},
		{"included-filter", func(f *fixture, command string) {
			f.write(".git/more", "[filter \"evil\"]\n\tclean = "+command+"\n", ".gitattributes", "*.txt filter=evil\n")
			f.git("config", "include.path", "more")
		}, true},
		{"fsmonitor", func(f *fixture, command string) { f.git("config", "core.fsmonitor", command) }, true},
		{"hook", func(f *fixture, command string) {
			text, _ := os.ReadFile(command)
			f.write(".git/hooks/post-index-change", string(text))
			_ = os.Chmod(filepath.Join(f.root, ".git/hooks/post-index-change"), 0o755)
		}, true},
		{"hooks-path", func(f *fixture, command string) {
			dir := filepath.Join(f.root, "hooks")
			text, _ := os.ReadFile(command)
			f.write("hooks/post-index-change", string(text))
			_ = os.Chmod(filepath.Join(dir, "post-index-change"), 0o755)
			f.git("config", "core.hooksPath", dir)
		}, true},
		{"external-diff", func(f *fixture, command string) {
			f.git("config", "diff.external", command)
			f.git("config", "diff.evil.textconv", command)
			f.git("config", "diff.evil.command", command)
			f.write(".gitattributes", "*.txt diff=evil\n")
		}, false},
		{"alias", func(f *fixture, command string) { f.git("config", "alias.status", "!"+command) }, false},
		{"pager-and-editor", func(f *fixture, command string) {
			f.git("config", "core.pager", command)
			f.git("config", "pager.status", "true")
			f.git("config", "core.editor", command)
			f.git("config", "core.sshCommand", command)
			f.git("config", "core.askPass", command)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			f.write("a.txt", "text\n", "dir/b.txt", "text\n")
			f.commit()
			command, mark := f.trap(c.name)
			c.set(f, command)
			touch := func() {
				later := time.Now().Add(time.Hour)
				if err := os.Chtimes(filepath.Join(f.root, "a.txt"), later, later); err != nil {
					t.Fatal(err)
				}
			}
			touch()
			f.everything(f.reader())
			library := f.reader()
			library.Program = NoProgram
			f.everything(library)
			if ran(mark) {
				t.Fatal("the repository's program was run")
			}
			_, _ = f.mayFail("status")
			if ran(mark) != c.bareRun {
				t.Errorf("plain git ran it: %v, want %v; the test no longer tests anything", ran(mark), c.bareRun)
			}
		})
	}
}

// A trusted folder keeps its filters: that is what git-lfs needs.
func TestTrustedStatusRunsFilters(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "text\n", ".gitattributes", "*.txt filter=own\n")
	f.commit()
	command, mark := f.trap("own")
	f.git("config", "filter.own.clean", command)
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(f.root, "a.txt"), later, later); err != nil {
		t.Fatal(err)
	}
	g := f.reader()
	g.Trusted = true
	if _, err := g.Status(context.Background(), f.root, 0); err != nil {
		t.Fatal(err)
	}
	if !ran(mark) {
		t.Error("the filter did not run")
	}
}

// A partial clone whose objects are missing is not fetched, by whatever program its configuration names.
func TestHostilePromisorRemoteIsNotFetched(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "text\n", "dir/b.txt", "text\n")
	f.commit()
	command, mark := f.trap("fetch")
	f.git("config", "core.repositoryFormatVersion", "1")
	f.git("config", "extensions.partialClone", "origin")
	f.git("config", "remote.origin.promisor", "true")
	f.git("config", "remote.origin.url", "ext::"+command)
	f.git("config", "protocol.ext.allow", "always")
	tree := f.git("rev-parse", "HEAD^{tree}")
	if err := os.Remove(filepath.Join(f.root, ".git/objects", tree[:2], tree[2:])); err != nil {
		t.Fatal(err)
	}
	f.everything(f.reader())
	trusted := f.reader()
	trusted.Trusted = true
	f.everything(trusted)
	if ran(mark) {
		t.Fatal("the transport was run")
	}
	_, _ = f.mayFail("status")
	if !ran(mark) {
		t.Error("plain git did not run it; the test no longer tests anything")
	}
}

// A submodule with a program in its own configuration is not entered.
func TestHostileSubmoduleIsNotEntered(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "text\n")
	f.commit()
	f.git("submodule", "--quiet", "add", f.root, "sub")
	f.commit()
	command, mark := f.trap("sub")
	f.gitIn(filepath.Join(f.root, "sub"), "config", "filter.evil.clean", command)
	f.write("sub/.gitattributes", "*.txt filter=evil\n")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(f.root, "sub/a.txt"), later, later); err != nil {
		t.Fatal(err)
	}
	f.everything(f.reader())
	if ran(mark) {
		t.Fatal("the submodule's program was run")
	}
	_, _ = f.mayFail("status")
	if !ran(mark) {
		t.Error("plain git did not run it; the test no longer tests anything")
	}
}

// core.worktree does not lead the status to another folder.
func TestHostileWorkTreeIsNotFollowed(t *testing.T) {
	f := newFixture(t)
	f.commit()
	if err := os.WriteFile(filepath.Join(f.home, "private.txt"), []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.git("config", "core.worktree", f.home)
	f.write("own.txt", "1")
	got := f.status(0)
	if len(got.Changed) != 1 || got.Changed[0].Path != "own.txt" {
		t.Errorf("changed: %+v", got.Changed)
	}
	files, err := f.reader().ListFiles(context.Background(), f.root, "")
	if err != nil || strings.Join(files, " ") != "own.txt" {
		t.Errorf("files: %v, %v", files, err)
	}
}

// Variables of the editor's terminal do not lead git to another repository.
func TestEnvironmentIsNotPassedOn(t *testing.T) {
	f := newFixture(t)
	f.commit()
	other := newFixture(t)
	other.write("other.txt", "1")
	g := f.reader()
	g.Env = func(name string) string {
		switch {
		case name == "PATH":
			return os.Getenv("PATH")
		case name == "GIT_DIR":
			return filepath.Join(other.root, ".git")
		case strings.HasPrefix(name, "GIT_"):
			return other.root
		}
		return ""
	}
	t.Setenv("GIT_DIR", filepath.Join(other.root, ".git"))
	t.Setenv("GIT_EXTERNAL_DIFF", "false")
	status, err := g.Status(context.Background(), f.root, 0)
	if err != nil || status.Total != 0 || status.Head.Commit == "" {
		t.Errorf("status: %+v, %v", status, err)
	}
	for _, entry := range g.environment(f.root) {
		if strings.Contains(entry, other.root) {
			t.Errorf("passed on: %s", entry)
		}
	}
}

// A HEAD, an index or a ref that is a FIFO blocks nobody: the library refuses it, git is killed.
func TestFifoInsideGitFolder(t *testing.T) {
	for _, name := range []string{"HEAD", "refs/heads/main", "config", "packed-refs", "commondir"} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.commit()
			path := filepath.Join(f.root, ".git", name)
			_ = os.Remove(path)
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			if name == "packed-refs" {
				f.write(".git/HEAD", "ref: refs/heads/elsewhere\n")
			}
			// go-git takes a ref that it cannot open for one that is not there yet.
			if head, err := (Git{Program: NoProgram}).Head(f.root); err == nil && head != (Head{Branch: "main"}) {
				t.Errorf("got %+v, want an error", head)
			}
			_, _ = Git{Program: NoProgram}.Status(context.Background(), f.root, 0)
		})
	}
}

// When the time is up, what git started ends with it, and the call returns although a child holds its output.
func TestTimeoutKillsTheGroup(t *testing.T) {
	f := newFixture(t)
	pids := filepath.Join(f.home, "pid")
	slow := filepath.Join(f.home, "slow-git")
	script := "#!/bin/sh\nsleep 1000 &\necho $! > '" + pids + ".part'\nmv '" + pids + ".part' '" + pids + "'\nwait\n"
	if err := os.WriteFile(slow, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	g := f.reader()
	g.Program = slow
	ctx, cancel := context.WithCancel(context.Background())
	started := make(chan struct{})
	go func() {
		defer close(started)
		for !ran(pids) {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, err := g.ListFiles(ctx, f.root, "")
	<-started
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	text, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	// The child is gone, or a zombie that waits for init.
	pid := strings.TrimSpace(string(text))
	for {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			break
		}
		time.Sleep(time.Millisecond)
	}
}
