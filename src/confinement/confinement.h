#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace coffer::confinement {

/// The limits of a confined program.
struct Bounds {
  std::uint64_t memory_bytes = 0;  ///< Address space, programs and libraries included; 0: no limit.
  std::uint64_t seconds = 0;       ///< Processor time; 0: no limit.
};

/// Restrictions for a program that handles bytes of strangers: it reads and runs files beneath /usr
/// and the like alone, writes none, makes no connection, sees no other process, and has bounded
/// memory and processor time. Open descriptors stay open. Landlock and seccomp of the kernel
/// enforce them, for all that it starts too.
class Confinement {
 public:
  /// Returns nullopt if this kernel has no Landlock, or it is switched off, or there is no filter
  /// for this processor.
  static std::optional<Confinement> make(const Bounds& bounds);

  /// Restricts this process, for good. Makes system calls alone, for use after a fork; false if the
  /// kernel refuses.
  bool enter() const;

 private:
  class Rules;
  Confinement(std::shared_ptr<const Rules> rules, const Bounds& bounds)
      : rules_(std::move(rules)), bounds_(bounds) {}

  std::shared_ptr<const Rules> rules_;
  Bounds bounds_;
};

}  // namespace coffer::confinement
