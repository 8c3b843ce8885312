#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/enum_words.h"

namespace coffer::catalog {

/// What becomes of an item whose name is taken where it is to go.
enum class OnConflict : std::uint8_t {
  fail,
  replace,    ///< A file takes a file's place; what a folder holds goes into the folder there.
  skip,       ///< What is there stays, and the item where it was.
  keep_both,  ///< It gets another name.
};
constexpr auto words_of(OnConflict) {
  using enum OnConflict;
  return enum_words<OnConflict>(
      {{fail, "fail"}, {replace, "replace"}, {skip, "skip"}, {keep_both, "keepBoth"}});
}

}  // namespace coffer::catalog
