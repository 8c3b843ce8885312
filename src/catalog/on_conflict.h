#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/enum_words.h"

namespace coffer::catalog {

/// The action for a new item if the target folder already has an item with the same name.
enum class OnConflict : std::uint8_t {
  fail,
  replace,    ///< A file replaces the existing file; a folder is merged into the existing folder.
  skip,       ///< Both items stay as they are.
  keep_both,  ///< The new item gets another name.
};
constexpr auto words_of(OnConflict) {
  using enum OnConflict;
  return enum_words<OnConflict>(
      {{fail, "fail"}, {replace, "replace"}, {skip, "skip"}, {keep_both, "keepBoth"}});
}

}  // namespace coffer::catalog
