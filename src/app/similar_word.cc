#include "app/similar_word.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace coffer::app {

std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string similar_word(std::string_view word, const std::vector<std::string>& words) {
  constexpr std::size_t kMostLetters = 2;
  if (words.empty()) return {};
  const auto begun = std::ranges::find_if(
      words, [word](const std::string& known) { return known.starts_with(word); });
  if (word.size() > kMostLetters && begun != words.end()) return *begun;
  const auto& nearest = std::ranges::min(
      words, {}, [word](const std::string& known) { return letters_apart(word, known); });
  const std::size_t apart = letters_apart(word, nearest);
  return apart <= kMostLetters && apart < word.size() ? nearest : std::string();
}

}  // namespace coffer::app
