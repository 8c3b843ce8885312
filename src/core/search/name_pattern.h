#pragma once

#include <string>
#include <string_view>

namespace coffer::core {

/// A search pattern for names. With `*` (any characters, or none) or `?` (one character), the
/// pattern must match the whole name. Without them, it matches every name that contains it. Ignores
/// case (Unicode case folding), and whether a letter is composed or decomposed. Safe to share
/// between threads.
class NamePattern {
 public:
  explicit NamePattern(std::string_view text);

  bool matches(std::string_view name) const;

 private:
  std::string folded_;
  bool is_whole_;  ///< True if the pattern must match the whole name.
};

}  // namespace coffer::core
