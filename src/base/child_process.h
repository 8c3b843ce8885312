#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace coffer {

/// A pipe (pipe(2)). Its ends close with it, and are not inherited by programs that other code
/// starts.
class Pipe {
 public:
  /// If the pipe cannot be made, both ends are -1 and errno tells why.
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool is_open() const { return from_ >= 0; }
  /// Return the descriptor to read from, and the one to write to.
  int from() const { return from_; }
  int to() const { return to_; }
  /// Return the same descriptors. The caller must close them.
  int take_from() { return std::exchange(from_, -1); }
  int take_to() { return std::exchange(to_, -1); }
  /// Closes the end to write to, so that readers see the end when the child has closed its own.
  void close_to();

 private:
  int from_ = -1;
  int to_ = -1;
};

/// Closes a descriptor, unless it is negative.
void close_if_open(int descriptor);

/// Returns the null-terminated array of `texts` that execve(2) takes. Valid as long as they are
/// there and unchanged.
std::vector<char*> pointers(std::vector<std::string>& texts);

/// Makes a process that was just forked ready for execve(2): no blocked signals, a process group of
/// its own, so that Ctrl-C does not reach it, SIGKILL when the thread that forked it ends, `input`,
/// `output` and `errors` as descriptors 0, 1 and 2, and all others closed by execve. A negative
/// descriptor stands for /dev/null. `parent` is the process that forked. Returns false, with errno,
/// if anything fails. Only makes system calls that are safe after fork (signal-safety(7)).
bool prepare_child(pid_t parent, int input, int output, int errors);

/// Blocks until a child process has ended. Returns its exit status, or -1 if a signal has ended it
/// or there is no such child.
int reap_child(pid_t child);

}  // namespace coffer
