#pragma once

#include <string>
#include <string_view>

namespace coffer::core {

/// What names are looked for, without regard to case (Unicode's folding, composed and decomposed
/// letters alike). A text with `*` (anything) or `?` (one character) is to fit the whole name; any
/// other is to stand somewhere in it. A value; safe to share between threads.
class NamePattern {
 public:
  explicit NamePattern(std::string_view text);

  bool matches(std::string_view name) const;

 private:
  std::string folded_;
  bool is_whole_;
};

}  // namespace coffer::core
