#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace coffer::confinement {

/// How much a confined program may take.
struct Bounds {
  std::uint64_t memory_bytes = 0;  ///< Of addresses, programs and libraries included; 0: no bound.
  std::uint64_t seconds = 0;       ///< Of the processor; 0: no bound.
};

/// What a program gets that works on bytes of strangers: it reads and runs what lies beneath /usr
/// and the like and no other file, writes none, makes no connection, looks at no other process, and
/// has a bounded share of memory and processor time. What is open stays open. Landlock and seccomp
/// of the kernel hold it to that, and all that it starts.
class Confinement {
 public:
  /// Nothing where this kernel has no Landlock, or it is switched off, or there is no filter for
  /// this processor.
  static std::optional<Confinement> make(const Bounds& bounds);

  /// Of this process, for good. System calls alone, for after a fork; false if the kernel refuses.
  bool enter() const;

 private:
  class Rules;
  Confinement(std::shared_ptr<const Rules> rules, const Bounds& bounds)
      : rules_(std::move(rules)), bounds_(bounds) {}

  std::shared_ptr<const Rules> rules_;
  Bounds bounds_;
};

}  // namespace coffer::confinement
