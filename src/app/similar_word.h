#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coffer::app {

/// How many letters to insert, drop or change to make `a` into `b` (Levenshtein).
std::size_t letters_apart(std::string_view a, std::string_view b);

/// The one of `words` that is written most like `word`, if at most two letters differ; else empty.
std::string similar_word(std::string_view word, const std::vector<std::string>& words);

}  // namespace coffer::app
