#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace coffer::confinement {

/// The limits of a confined program.
struct Bounds {
  std::uint64_t memory_bytes = 0;  ///< Address space, with program and libraries; 0: no limit.
  std::uint64_t seconds = 0;       ///< Processor time; 0: no limit.
};

/// Restrictions for a program that works on untrusted bytes. It can read and run files only in /usr
/// and the library folders, and cannot write files. It cannot connect to anything or reach other
/// processes. Its memory and processor time are limited. Descriptors that are already open stay
/// usable. The kernel enforces this (Landlock and seccomp), also for processes that the program
/// starts.
class Confinement {
 public:
  /// Returns nullopt if the kernel or this processor does not support all the restrictions.
  static std::optional<Confinement> make(const Bounds& bounds);

  /// Restricts this process permanently. Makes only system calls, so it can be called after
  /// fork(2). Returns false if the kernel refuses.
  bool enter() const;

 private:
  class Rules;
  Confinement(std::shared_ptr<const Rules> rules, const Bounds& bounds)
      : rules_(std::move(rules)), bounds_(bounds) {}

  std::shared_ptr<const Rules> rules_;
  Bounds bounds_;
};

}  // namespace coffer::confinement
