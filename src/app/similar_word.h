#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coffer::app {

/// Returns how many letters to insert, remove or replace to turn `a` into `b` (Levenshtein).
std::size_t letters_apart(std::string_view a, std::string_view b);

/// Returns the entry of `words` that is nearest to `word` by `letters_apart`. Empty if the distance
/// is more than two, or is at least the length of `word`.
std::string similar_word(std::string_view word, const std::vector<std::string>& words);

}  // namespace coffer::app
