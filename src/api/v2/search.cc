#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/parameters.h"
#include "api/v2/files.h"
#include "api/v2/route.h"
#include "api/v2/values.h"
#include "http/syntax.h"

namespace coffer::api::v2 {
namespace {

enum class FoundKind : std::uint8_t { file, folder };

constexpr auto words_of(FoundKind) {
  return enum_words<FoundKind>({{FoundKind::file, "file"}, {FoundKind::folder, "folder"}});
}

/// The pattern of the names to find: 1 to 255 bytes.
struct SearchText {
  std::string value;
  static boost::json::object schema();
};
/// A size in bytes.
struct ByteCount {
  std::uint64_t value = 0;
  static boost::json::object schema();
};
/// The most items that a search finds: 1 to 10,000.
struct SearchLimit {
  std::size_t value = 0;
  static boost::json::object schema();
};

struct SearchParameters {
  FIELD(NonEmpty<SearchText>, q,
        "The text to find in names, ignoring case and accents. With * (any text) or ? (one "
        "character), names that it fits as a whole are found too.",
        R"("*.jpg")");
  FIELD(std::optional<Path>, path,
        "The folder to search, with everything below it; empty or missing means everywhere.",
        R"("holiday")");
  FIELD(std::optional<FoundKind>, kind, "file or folder; both by default.", R"("file")");
  FIELD(std::optional<Moment>, modifiedAfter, "Only items modified at or after this time, UTC.",
        R"("2026-01-01T00:00:00")");
  FIELD(std::optional<Moment>, modifiedBefore, "Only items modified before this time, UTC.",
        R"("2027-01-01T00:00:00")");
  FIELD(std::optional<ByteCount>, minSize, "The least bytes of a file; folders count as 0.",
        "1000000");
  FIELD(std::optional<ByteCount>, maxSize, "The most bytes of a file.", "2000000");
  FIELD(std::optional<SearchLimit>, limit, "The most items: 1 to 10,000; 1,000 by default.",
        "1000");
};

constexpr std::size_t kLongestPattern = 255;
constexpr std::size_t kMostFound = 10'000;
constexpr std::size_t kUsuallyFound = 1'000;

boost::json::object SearchText::schema() {
  boost::json::object schema = ParameterSchema<std::string>::make();
  schema["maxLength"] = kLongestPattern;
  schema["x-maxBytes"] = kLongestPattern;
  return schema;
}

boost::json::object ByteCount::schema() {
  return {{"type", "integer"}, {"minimum", 0}, {"maximum", UINT64_MAX}};
}

boost::json::object SearchLimit::schema() {
  return {{"type", "integer"}, {"minimum", 1}, {"maximum", kMostFound}, {"default", kUsuallyFound}};
}

Result<void> parse_value(std::string_view text, SearchText& out) {
  if (text.size() > kLongestPattern) return fail(ErrorCode::invalid, "must have at most 255 bytes");
  out.value = text;
  return {};
}

Result<void> parse_value(std::string_view text, ByteCount& out) {
  const auto number = http::parse_decimal(text);
  if (!number) return fail(ErrorCode::invalid, "must be a whole number of bytes");
  out.value = *number;
  return {};
}

Result<void> parse_value(std::string_view text, SearchLimit& out) {
  return parse_count(text, kMostFound, out.value);
}

struct SearchEnd {
  static constexpr std::string_view kSchema = "SearchEnd";
  FIELD(std::uint64_t, found, "The number of items before this line.", "12");
  FIELD(std::uint64_t, unreadFolders,
        "The number of folders, or whole locations, that could not be read.", "0");
  FIELD(bool, isLimited, "True if the limit was reached, so that there may be more.", "false");
};

/// The body of the response: a line of JSON for each item found, and one for the end.
class SearchLines final : public http::Stream {
 public:
  explicit SearchLines(std::shared_ptr<core::Search> search) : search_(std::move(search)) {}
  ~SearchLines() override { search_->stop(); }

  Task<Result<std::optional<std::string_view>>> next() override {
    if (has_ended_) co_return std::nullopt;
    CO_TRY(auto items, co_await search_->next());
    lines_.clear();
    if (items) {
      for (core::FoundItem& item : *items) append(std::move(item));
    } else {
      append_end();
    }
    co_return std::string_view(lines_);
  }

 private:
  void append(core::FoundItem item) {
    const core::ListedItem listed{std::move(item.entry), std::move(item.folder), item.read_only,
                                  std::nullopt};
    lines_ += json_of(details_of(listed)) + '\n';
  }

  void append_end() {
    const core::SearchSummary summary = search_->summary();
    const SearchEnd end{summary.found, summary.unread_folders, summary.was_limited};
    lines_ += json_of(end) + '\n';
    has_ended_ = true;
  }

  const std::shared_ptr<core::Search> search_;
  std::string lines_;
  bool has_ended_ = false;
};

core::SearchTerms terms_of(const SearchParameters& parameters) {
  core::SearchTerms terms{core::NamePattern(parameters.q.value.value)};
  if (parameters.kind) terms.is_directory = *parameters.kind == FoundKind::folder;
  if (parameters.modifiedAfter) terms.modified_after = parameters.modifiedAfter->value;
  if (parameters.modifiedBefore) terms.modified_before = parameters.modifiedBefore->value;
  if (parameters.minSize) terms.min_bytes = parameters.minSize->value;
  if (parameters.maxSize) terms.max_bytes = parameters.maxSize->value;
  return terms;
}

Task<Result<http::Response>> search(Call call, SearchParameters parameters) {
  const Path folder = parameters.path.value_or(Path());
  const std::size_t limit = parameters.limit ? parameters.limit->value : kUsuallyFound;
  core::SearchTerms terms = terms_of(parameters);
  CO_TRY(auto begun,
         co_await call.services.searches.begin(call.principal(), folder, std::move(terms), limit));
  http::Response response;
  response.headers.emplace_back("Content-Type", "application/x-ndjson");
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = std::make_shared<SearchLines>(std::move(begun));
  co_return response;
}

boost::json::value line_schema(Components& components) {
  boost::json::array any;
  any.push_back(schema_of<FileDetails>(components));
  any.push_back(schema_of<SearchEnd>(components));
  return {{"anyOf", std::move(any)}};
}

}  // namespace

std::vector<Route> search_routes() {
  return {bytes_route(
      Route(http::Method::get, "/api/v2/search", "search", "Find files and folders by name",
            "Lines of JSON, each sent as an item is found, in no order; the last line sums up. An "
            "answer without that line is incomplete. Links to folders are found but not followed. "
            "429: the account has too many searches under way.",
            CallerRule::files, 200, {404, 502, 504}, Form::lines, false, &line_schema),
      &search)};
}

}  // namespace coffer::api::v2
