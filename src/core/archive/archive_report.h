#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace coffer::core {

/// What an archive does not hold, or not in full, as its last entry tells it. Bounded: what is more
/// is counted.
class ArchiveReport {
 public:
  /// `name` as it stands, or would stand, in the archive; `reason` is a sentence.
  void add(std::string_view name, std::string_view reason);
  bool is_empty() const { return lines_.empty(); }
  std::string text() const;

 private:
  std::string lines_;
  std::size_t untold_ = 0;
};

}  // namespace coffer::core
