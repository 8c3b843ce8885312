#pragma once

#include <memory>
#include <optional>

namespace coffer::thumbnails {

/// What a program gets that works on bytes of strangers: it reads and runs what lies beneath /usr
/// and the like and no other file, writes none, makes no connection, looks at no other process, and
/// has a bounded share of memory and processor time. What is open stays open. Landlock and seccomp
/// of the kernel hold it to that, and all that it starts.
class Confinement {
 public:
  /// Nothing where this kernel has no Landlock, or it is switched off, or there is no filter for
  /// this processor.
  static std::optional<Confinement> make();

  /// Of this process, for good. System calls alone, for after a fork; false if the kernel refuses.
  bool enter() const;

 private:
  class Rules;
  explicit Confinement(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)) {}

  std::shared_ptr<const Rules> rules_;
};

}  // namespace coffer::thumbnails
