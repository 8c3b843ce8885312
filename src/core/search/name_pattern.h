#pragma once

#include <string>
#include <string_view>

namespace coffer::core {

/// A search pattern for names. It matches every name that contains it. With `*` (any characters, or
/// none) or `?` (one character), it also matches the names that fit it as a whole. Compares names
/// as `fold` does (base/folding.h): without case and accents. Safe to share between threads.
class NamePattern {
 public:
  explicit NamePattern(std::string_view text);

  bool matches(std::string_view name) const;
  /// Returns a text that all names that match contain, as `fold` returns them: the longest of the
  /// pattern without wildcards. May be empty.
  std::string_view part() const;

 private:
  std::string folded_;
  bool has_wildcards_;
};

}  // namespace coffer::core
