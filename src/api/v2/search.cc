#include <memory>
#include <string>
#include <utility>

#include "api/v2/file_details.h"
#include "api/v2/resources.h"
#include "api/v2/search_parameters.h"

namespace coffer::api {

namespace v2 {

struct SearchEnd {
  std::uint64_t found = 0;
  std::uint64_t unreadFolders = 0;
  bool isLimited = false;
};
BOOST_DESCRIBE_STRUCT(SearchEnd, (), (found, unreadFolders, isLimited))

}  // namespace v2

template <>
struct Docs<v2::SearchEnd> {
  static constexpr std::string_view name = "SearchEnd";
  static constexpr std::array<FieldDoc, 3> fields{{
      {"found", "How many items stand in front of this line.", "12"},
      {"unreadFolders", "Folders, or whole places, that could not be read.", "0"},
      {"isLimited", "Whether there may be more, since the limit was reached.", "false"},
  }};
};

namespace v2 {
namespace {

template <class T>
void append_line(std::string& out, const T& value) {
  rapidjson::StringBuffer buffer;
  JsonWriter writer(buffer);
  api::write_json(writer, value);
  out.append(buffer.GetString(), buffer.GetSize());
  out += '\n';
}

/// A search as lines of JSON: what it found, and one for its end.
class SearchLines final : public http::Stream {
 public:
  explicit SearchLines(std::shared_ptr<core::Search> search) : search_(std::move(search)) {}
  ~SearchLines() override { search_->stop(); }

  Task<Result<std::optional<std::string_view>>> next() override {
    if (has_ended_) co_return std::nullopt;
    auto items = co_await search_->next();
    if (!items) co_return failure_of(std::move(items));
    lines_.clear();
    if (*items) {
      for (core::FoundItem& item : **items) append(std::move(item));
    } else {
      append_end();
    }
    co_return std::string_view(lines_);
  }

 private:
  void append(core::FoundItem item) {
    const core::ListedItem listed{std::move(item.entry), std::move(item.folder), item.read_only,
                                  std::nullopt};
    append_line(lines_, details_of(listed));
  }

  void append_end() {
    const core::SearchSummary summary = search_->summary();
    const SearchEnd end{summary.found, summary.unread_folders, summary.was_limited};
    append_line(lines_, end);
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
  constexpr std::size_t kUsualItems = 1'000;
  const Path folder = parameters.path.value_or(Path());
  const std::size_t limit = parameters.limit ? parameters.limit->value : kUsualItems;
  core::SearchTerms terms = terms_of(parameters);
  auto begun =
      co_await call.services.searches.begin(call.principal(), folder, std::move(terms), limit);
  if (!begun) co_return failure_of(std::move(begun));
  http::Response response;
  response.headers.emplace_back("Content-Type", "application/x-ndjson");
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = std::make_shared<SearchLines>(*std::move(begun));
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
  Route route{http::Method::get, "/api/v2/search", "search", "Find files and folders by name",
              "Lines of JSON, each sent as it is found, in no order; the last line tells how it "
              "ended. An answer without that line was broken off. Links to folders are found but "
              "not followed."};
  route.rule = CallerRule::files;
  route.form = Form::lines;
  route.errors = {404, 502, 504};
  route.answer_schema = &line_schema;
  return {bytes_route(route, &search)};
}

}  // namespace v2
}  // namespace coffer::api
