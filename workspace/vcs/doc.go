// Package vcs tells what git knows about a folder: where its repository begins, which branch and commit are
// checked out, what has changed, which files belong to it and which are ignored.
//
// Every fact is optional. An error from this package means "no git facts": the caller leaves them out and
// goes on; it is never shown to the user as a failure of what they asked for.
//
// # Which program answers
//
// The git binary answers what needs the index or the work tree (status, listing, ignore checks), because every
// library is wrong somewhere; go-git answers HEAD, and stands in for status where there is no git binary.
//
// # Why git may run in a folder that nobody trusted
//
// Reading a repository must not run what the repository names. A hostile .git/config (they come in archives and
// on shared disks, git never clones them) can name programs in many places. Each call therefore
//
//   - turns off hooks (core.hooksPath), the file system monitor (core.fsmonitor), optional writes
//     (--no-optional-locks), the pager, prompts and every transport that a partial clone would fetch through
//     (GIT_ALLOW_PROTOCOL, GIT_NO_LAZY_FETCH);
//   - passes on a short list of environment variables, so that no GIT_* of an editor's terminal leads git elsewhere;
//   - says itself where the work tree is, so that core.worktree cannot point at somebody's home;
//   - leaves git's own check of who owns the repository (safe.directory) in force;
//   - runs in a process group of its own that is killed as a whole when its time is up.
//
// What is left are clean filters (filter.<name>.clean and .process together with .gitattributes), which git
// status runs on files whose time stamp changed, and submodules, which bring configurations of their own.
// For a folder that is not trusted, which is the default, the filters are listed first (git config runs nothing)
// and each is switched off by name, and submodules are not entered. A trusted folder keeps both. Whoever can change
// .git/config between the two processes already runs programs here.
//
// What a repository can still do is make git read: core.excludesFile, core.attributesFile and include.path may name
// any file. Git takes what is there for patterns and settings, and nothing of it comes back to the caller.
package vcs
