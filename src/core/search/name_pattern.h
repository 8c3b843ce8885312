#pragma once

#include <string>
#include <string_view>

namespace coffer::core {

/// A pattern for names. A pattern with `*` (any characters) or `?` (one character) must match the
/// whole name; a pattern without them matches every name that contains it. Names are compared
/// without regard to case (Unicode case folding); composed and decomposed letters are equal. A
/// value; safe to share between threads.
class NamePattern {
 public:
  explicit NamePattern(std::string_view text);

  bool matches(std::string_view name) const;

 private:
  std::string folded_;
  bool is_whole_;  ///< The pattern must match the whole name.
};

}  // namespace coffer::core
