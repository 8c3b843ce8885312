#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "api/parameter_schema.h"
#include "api/parameters.h"
#include "api/v2/moment.h"

/// What a search takes.
namespace coffer::api::v2 {

enum class FoundKind : std::uint8_t { file, folder };
std::string_view to_string(FoundKind kind);

/// What names are looked for: 1 to 255 bytes.
struct SearchText {
  std::string value;
};
/// A size in bytes.
struct ByteCount {
  std::uint64_t value = 0;
};
/// How many items a search finds: 1 to 10,000.
struct SearchLimit {
  std::size_t value = 0;
};

Result<void> parse_value(std::string_view text, SearchText& out);
Result<void> parse_value(std::string_view text, ByteCount& out);
Result<void> parse_value(std::string_view text, SearchLimit& out);

struct SearchParameters {
  NonEmpty<SearchText> q;
  std::optional<Path> path;
  std::optional<FoundKind> kind;
  std::optional<Moment> modifiedAfter;
  std::optional<Moment> modifiedBefore;
  std::optional<ByteCount> minSize;
  std::optional<ByteCount> maxSize;
  std::optional<SearchLimit> limit;
};
BOOST_DESCRIBE_STRUCT(SearchParameters, (),
                      (q, path, kind, modifiedAfter, modifiedBefore, minSize, maxSize, limit))

}  // namespace coffer::api::v2

namespace coffer::api {

template <>
struct Words<v2::FoundKind> {
  static constexpr std::array all{v2::FoundKind::file, v2::FoundKind::folder};
};

template <>
struct ParameterSchema<v2::SearchText> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<v2::ByteCount> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<v2::SearchLimit> {
  static boost::json::object make();
};

template <>
struct Docs<v2::SearchParameters> {
  static constexpr std::array<FieldDoc, 8> fields{{
      {"q",
       "What is looked for in names, without regard to case. With * for anything or ? for one "
       "character it is to fit the whole name.",
       R"("*.jpg")"},
      {"path", "The folder to look in, with all below it; empty or missing means everywhere.",
       R"("holiday")"},
      {"kind", "file or folder; both where it is missing.", R"("file")"},
      {"modifiedAfter", "Only what was modified then or later, UTC.", R"("2026-01-01T00:00:00")"},
      {"modifiedBefore", "Only what was modified earlier, UTC.", R"("2027-01-01T00:00:00")"},
      {"minSize", "Bytes that a file has at least; a folder has 0.", "1000000"},
      {"maxSize", "Bytes that a file has at most.", "2000000"},
      {"limit", "How many items at most: 1 to 10,000. 1,000 where it is missing.", "1000"},
  }};
};

}  // namespace coffer::api
