#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace coffer::catalog {

/// What becomes of an item whose name is taken where it is to go.
enum class OnConflict : std::uint8_t {
  fail,
  replace,    ///< A file takes a file's place; what a folder holds goes into the folder there.
  skip,       ///< What is there stays, and the item where it was.
  keep_both,  ///< It gets another name.
};
std::string_view to_string(OnConflict choice);
std::optional<OnConflict> on_conflict_from(std::string_view text);

}  // namespace coffer::catalog
