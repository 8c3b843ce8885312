#pragma once

#include <sys/types.h>

#include "base/error.h"

namespace coffer::core {

/// A process of this program that unpacks one archive, confined: see unpack_program.h. It ends with
/// this program.
class UnpackProcess {
 public:
  /// Forks, which takes a moment: for a thread of a pool that stays, since the process ends with
  /// it. `overloaded` where no process can be started, `unavailable` where none can be confined.
  static Result<UnpackProcess> start();
  UnpackProcess(UnpackProcess&& other) noexcept;
  UnpackProcess& operator=(UnpackProcess&&) = delete;
  /// Closes the pipes that were not taken; to reap the process is the caller's.
  ~UnpackProcess();

  /// The ends of the pipes, which become the caller's.
  int take_input();   ///< Of the process: to write to.
  int take_output();  ///< Of the process: to read from.
  /// Ends it, whatever it does. Does not block.
  void kill() const;
  /// Waits for its end and forgets it: the last call. The exit status, or -1 after a signal.
  static int reap(pid_t process);
  pid_t id() const { return id_; }

 private:
  UnpackProcess(pid_t id, int input, int output) : id_(id), input_(input), output_(output) {}

  pid_t id_;
  int input_;
  int output_;
};

}  // namespace coffer::core
