#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coffer::app {

/// Returns the Levenshtein distance: the fewest byte changes that turn `a` into `b`.
std::size_t letters_apart(std::string_view a, std::string_view b);

/// Returns the first entry of `words` that begins with `word`, if that has three letters or more;
/// else the entry that is nearest by `letters_apart`. Returns an empty text if `words` is empty, or
/// if the distance is more than two or not less than the length of `word`.
std::string similar_word(std::string_view word, const std::vector<std::string>& words);

}  // namespace coffer::app
