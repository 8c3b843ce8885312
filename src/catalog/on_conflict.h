#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/enum_words.h"

namespace coffer::catalog {

/// The action for an item whose name is taken in its target folder.
enum class OnConflict : std::uint8_t {
  fail,
  replace,    ///< A file replaces the file there; a folder is merged into the folder there.
  skip,       ///< Both items stay as they are.
  keep_both,  ///< The item gets another name.
};
constexpr auto words_of(OnConflict) {
  using enum OnConflict;
  return enum_words<OnConflict>(
      {{fail, "fail"}, {replace, "replace"}, {skip, "skip"}, {keep_both, "keepBoth"}});
}

}  // namespace coffer::catalog
