#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace coffer::confinement {

/// The limits of a confined program.
struct Bounds {
  std::uint64_t memory_bytes = 0;  ///< Address space, including program and libraries; 0: no limit.
  std::uint64_t seconds = 0;       ///< Processor time; 0: no limit.
};

/// Restrictions for a program that works on untrusted bytes. The program can read and run files
/// only in /usr and the library folders, and cannot write files. It cannot connect to anything or
/// reach other processes. Its memory and processor time are limited. Descriptors that are already
/// open stay usable, except for writing to files. The kernel enforces the restrictions by Landlock,
/// seccomp and resource limits. They also apply to each process that the program starts.
class Confinement {
 public:
  /// Returns nullopt if the kernel or the processor architecture does not support the restrictions.
  static std::optional<Confinement> make(const Bounds& bounds);

  /// Restricts the calling process permanently. Makes only system calls, so a child process can
  /// safely call it between fork(2) and execve(2). Returns false if a system call fails.
  bool enter() const;

 private:
  class Rules;
  Confinement(std::shared_ptr<const Rules> rules, const Bounds& bounds)
      : rules_(std::move(rules)), bounds_(bounds) {}

  std::shared_ptr<const Rules> rules_;
  Bounds bounds_;
};

}  // namespace coffer::confinement
