#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coffer::app {

/// Returns the number of letters to insert, drop or change to make `a` into `b` (Levenshtein).
std::size_t letters_apart(std::string_view a, std::string_view b);

/// Returns the most similar one of `words`; empty if it differs in more than two letters.
std::string similar_word(std::string_view word, const std::vector<std::string>& words);

}  // namespace coffer::app
