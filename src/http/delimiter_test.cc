#include <gtest/gtest.h>

#include <random>
#include <string>

#include "http/multipart.h"

namespace coffer::http {
namespace {

const std::string kDelimiter = "\r\n--b";

/// The same by the plainest means.
DelimiterSearch search_plainly(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char* behind : {"--", " ", "\t", "\r"}) {
      const std::string wanted = kDelimiter + behind;
      const std::string seen = text.substr(at, wanted.size());
      if (seen == wanted) return {at, true};
      if (at + seen.size() == text.size() && wanted.starts_with(seen)) return {at, false};
    }
  }
  return {text.size(), false};
}

void expect_as_searched_plainly(const std::string& text) {
  const auto expected = search_plainly(text);
  const auto found = find_delimiter(text, kDelimiter);
  ASSERT_EQ(found.at, expected.at) << text;
  ASSERT_EQ(found.found, expected.found) << text;
}

TEST(Delimiter, IsFoundAtEveryPlaceAndWhereverTheTextEnds) {
  for (std::size_t at = 0; at < 200; ++at) {
    const std::string text = std::string(at, 'x') + kDelimiter + "--" + std::string(100, 'x');
    const auto found = find_delimiter(text, kDelimiter);
    ASSERT_TRUE(found.found) << at;
    ASSERT_EQ(found.at, at);
    for (std::size_t size = at; size < at + 10; ++size) {
      expect_as_searched_plainly(text.substr(0, size));
    }
  }
}

TEST(Delimiter, IsFoundAmongWhatResemblesIt) {
  std::mt19937 random(3);
  const std::string_view pieces[] = {"\r",    "\n",    "\r\n",    "-",      "--",
                                     "b",     " ",     "\r\n--b", "\r\n-b", "\r\n--bb",
                                     "\r\n-", "xxxxx", "\t",      "\r--b",  "\n\n--b"};
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (auto count = random() % 60; count > 0; --count)
      text += pieces[random() % std::size(pieces)];
    expect_as_searched_plainly(text);
  }
}

}  // namespace
}  // namespace coffer::http
