#include "catalog/on_conflict.h"

#include <array>
#include <utility>

namespace coffer::catalog {

std::string_view to_string(OnConflict choice) {
  switch (choice) {
    case OnConflict::fail:
      return "fail";
    case OnConflict::replace:
      return "replace";
    case OnConflict::skip:
      return "skip";
    case OnConflict::keep_both:
      return "keepBoth";
  }
  std::unreachable();
}

std::optional<OnConflict> on_conflict_from(std::string_view text) {
  constexpr std::array kAll{OnConflict::fail, OnConflict::replace, OnConflict::skip,
                            OnConflict::keep_both};
  for (const OnConflict choice : kAll) {
    if (to_string(choice) == text) return choice;
  }
  return std::nullopt;
}

}  // namespace coffer::catalog
