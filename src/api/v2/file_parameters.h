#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "api/file_parameters.h"
#include "api/parameter_schema.h"
#include "core/files/folder_pages.h"

/// What the calls about files take.
namespace coffer::api::v2 {

enum class SortOrder : std::uint8_t { asc, desc };
enum class Disposition : std::uint8_t { attachment, inline_ };

std::string_view to_string(SortOrder order);
std::string_view to_string(Disposition disposition);

/// How many items a page may have: 1 to 10,000.
struct PageLimit {
  std::size_t value = 0;
};

/// Where a page begins: the `next` of the one before it.
struct Cursor {
  std::string value;
};

Result<void> parse_value(std::string_view text, PageLimit& out);
Result<void> parse_value(std::string_view text, Cursor& out);

struct PageParameters {
  std::optional<Path> path;
  std::optional<core::SortKey> sort;
  std::optional<SortOrder> order;
  std::optional<PageLimit> limit;
  std::optional<Cursor> cursor;
};
BOOST_DESCRIBE_STRUCT(PageParameters, (), (path, sort, order, limit, cursor))

struct ContentParameters {
  ItemPath path;
  std::optional<Disposition> disposition;
};
BOOST_DESCRIBE_STRUCT(ContentParameters, (), (path, disposition))

struct NewContentParameters {
  NonEmpty<SourcePath> path;
};
BOOST_DESCRIBE_STRUCT(NewContentParameters, (), (path))

/// What is asked for, and where in it.
Result<core::PageRequest> page_request(const PageParameters& parameters);

/// A text that brings the next page where it is sent with the same order; `cursor_of` and
/// `page_request` know its form alone.
std::string cursor_of(const core::PageOrder& order, const core::PagePosition& position);

}  // namespace coffer::api::v2

namespace coffer::api {

template <>
struct Words<core::SortKey> {
  static constexpr std::array all{core::SortKey::name, core::SortKey::size,
                                  core::SortKey::modified};
};
template <>
struct Words<v2::SortOrder> {
  static constexpr std::array all{v2::SortOrder::asc, v2::SortOrder::desc};
};
template <>
struct Words<v2::Disposition> {
  static constexpr std::array all{v2::Disposition::attachment, v2::Disposition::inline_};
};

template <>
struct ParameterSchema<v2::PageLimit> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<v2::Cursor> {
  static boost::json::object make();
};

template <>
struct Docs<v2::PageParameters> {
  static constexpr std::array<FieldDoc, 5> fields{{
      {"path", "The folder; empty or missing means the root.", R"("holiday")"},
      {"sort",
       "What the items are in order of: name (natural order, without regard to case; the default), "
       "size or modified. Folders come first, then mounts, then files, each in this order.",
       R"("name")"},
      {"order", "asc, from the smallest or oldest on, which is the default; or desc.", R"("asc")"},
      {"limit", "How many items at most: 1 to 10,000. 200 where it is missing.", "200"},
      {"cursor", "The `next` of the page before, with the same sort and order.",
       R"("bmFtZQphc2MKZm9sZGVyCjAKYmVhY2g")"},
  }};
};

template <>
struct Docs<v2::ContentParameters> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"path", "The file.", R"("holiday/photo.jpg")"},
      {"disposition",
       "attachment, the default, has a browser save the file; inline has it show what it can, "
       "without running what is in it.",
       R"("inline")"},
  }};
};

template <>
struct Docs<v2::NewContentParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"path",
       "The file, whose folder must exist. The last component must be a name that can be made.",
       R"("holiday/notes.txt")"},
  }};
};

}  // namespace coffer::api
