#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/enum_words.h"

namespace coffer::catalog {

/// What to do with an item if the target folder already has an item with this name.
enum class OnConflict : std::uint8_t {
  fail,
  replace,    ///< A file replaces the existing file; a folder is merged into the existing folder.
  skip,       ///< Both items stay as they are.
  keep_both,  ///< The item gets another name.
};
constexpr auto words_of(OnConflict) {
  using enum OnConflict;
  return enum_words<OnConflict>(
      {{fail, "fail"}, {replace, "replace"}, {skip, "skip"}, {keep_both, "keepBoth"}});
}

}  // namespace coffer::catalog
