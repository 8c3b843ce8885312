#pragma once

#include <string>
#include <string_view>

namespace coffer::core {

/// A pattern for names, compared without regard to case (Unicode folding; composed and decomposed
/// letters are equal). A text with `*` (anything) or `?` (one character) must match the whole name;
/// any other must occur in it. A value; safe to share between threads.
class NamePattern {
 public:
  explicit NamePattern(std::string_view text);

  bool matches(std::string_view name) const;

 private:
  std::string folded_;
  bool is_whole_;
};

}  // namespace coffer::core
