#include "api/v2/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "base/encoding.h"
#include "base/name_order.h"
#include "base/text.h"
#include "core/files/listing.h"
#include "http/compression.h"
#include "http/conditional.h"
#include "http/query.h"
#include "http/syntax.h"

namespace coffer::api::v2 {
namespace {

constexpr std::size_t kLongestPage = 10'000;
constexpr std::size_t kUsualPage = 200;
/// More than the longest name and mount take.
constexpr std::size_t kCursorLimitBytes = 1'024;

/// Base64 for addresses (RFC 4648, section 5) differs in two characters.
std::string swapped(std::string text, char plus, char slash, char new_plus, char new_slash) {
  std::ranges::replace(text, plus, new_plus);
  std::ranges::replace(text, slash, new_slash);
  return text;
}

std::unexpected<Error> no_cursor() {
  return fail(
      ErrorCode::invalid,
      "The parameter \"cursor\" must be the `next` of a page that had equal sort, order and "
      "language.");
}

/// By the decimal text of its bits, so that times before 1970 are numbers too.
std::string text_of(std::int64_t number) {
  return std::to_string(static_cast<std::uint64_t>(number));
}

/// What all pages of one listing have in common.
std::string head_of(const PageParameters& parameters) {
  std::string head(word_of(parameters.sort.value_or(core::SortKey::name)));
  head += parameters.order == SortOrder::desc ? " desc" : " asc";
  if (parameters.language) head.append(" ").append(parameters.language->tag);
  return head;
}

Result<core::PagePosition> position_of(const std::string& cursor, std::string_view head) {
  const auto text = from_base64(swapped(cursor, '-', '_', '+', '/'), false);
  if (!text || !is_utf8(*text)) return no_cursor();
  std::string_view rest = *text;
  if (http::cut_front(rest, '\n') != head) return no_cursor();
  const auto kind = enum_from<core::ItemKind>(http::cut_front(rest, '\n'));
  const auto number = http::parse_decimal(http::cut_front(rest, '\n'));
  if (!kind || !number || rest.empty()) return no_cursor();
  return core::PagePosition{*kind, static_cast<std::int64_t>(*number), std::string(rest)};
}

Result<core::PageRequest> page_request(const PageParameters& parameters) {
  core::PageRequest request;
  request.order.key = parameters.sort.value_or(core::SortKey::name);
  request.order.descending = parameters.order == SortOrder::desc;
  if (parameters.language) request.names = &NameOrder::of(parameters.language->tag);
  request.limit = parameters.limit ? parameters.limit->value : kUsualPage;
  if (!parameters.cursor) return request;
  TRY(auto position, position_of(parameters.cursor->value, head_of(parameters)));
  request.after = std::move(position);
  return request;
}

std::string cursor_of(std::string_view head, const core::PagePosition& position) {
  const std::string text = fmt::format("{}\n{}\n{}\n{}", head, word_of(position.kind),
                                       text_of(position.number), position.name);
  return swapped(to_base64(text, false), '+', '/', '-', '_');
}

struct PageDetails {
  static constexpr std::string_view kSchema = "FolderPage";
  FIELD(
      std::vector<FileDetails>, entries, "The items of this page, in order.",
      R"([{"name":"photo.jpg","path":"holiday/photo.jpg","isDirectory":false,"size":20480,"createdAt":"2026-11-21T06:14:09","modifiedAt":"2026-11-21T06:14:09","mount":null,"readOnly":false}])");
  FIELD(std::optional<std::string>, next, "The cursor of the next page; null at the end.", "null");
  FIELD(bool, hasBin,
        "True if deleted items of this folder can go into the bin; otherwise they are deleted for "
        "good.",
        "true");
  FIELD(bool, hasVersions,
        "True if contents of this folder's files stay as versions when others replace them: see "
        "listVersions.",
        "false");
  FIELD(std::uint64_t, leftOut,
        "The number of the folder's items that no page shows: their names cannot be told, or they "
        "are no files or folders.",
        "0");
  FIELD(
      std::string, name,
      "The folder's name for people, as of a mount, whose path tells none; empty for the account's "
      "root.",
      R"("holiday")");
};

struct WantedName {
  FIELD(NonEmpty<ItemPath>, path, "The item; not the root.", R"("holiday/photo.jpg")");
  FIELD(NewName, newName, kNewNameText, R"("sunset.jpg")");
};

struct WantedFolder {
  FIELD(NonEmpty<FolderPathToMake>, path, "The new folder; missing parents are created too.",
        R"("holiday/beach")");
};

/// The state of what an answer says, by its hash. It is weak: the answer may be packed.
std::string etag_of(std::string_view body) {
  std::array<std::byte, crypto_generichash_BYTES_MIN> hash{};
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(),
                     reinterpret_cast<const unsigned char*>(body.data()), body.size(), nullptr, 0);
  return "W/\"" + to_hex(hash) + '"';
}

http::Response page_answer(const core::FolderPage& page, std::string_view head) {
  PageDetails details;
  details.entries.reserve(page.items.size());
  for (const core::ListedItem& item : page.items) details.entries.push_back(details_of(item));
  if (page.next) details.next = cursor_of(head, *page.next);
  details.hasBin = page.has_bin;
  details.hasVersions = page.has_versions;
  details.leftOut = page.left_out;
  details.name = page.name;
  http::Response response = response_of(200, Answer<PageDetails>{std::move(details)});
  response.headers.emplace_back("ETag", etag_of(std::get<std::string>(response.body)));
  return response;
}

/// Nothing but the ETag where the client has that page, else packed as it likes best.
void fit_to_client(const http::Request& request, http::Response& response) {
  const std::string etag = response.headers.back().second;
  if (http::has_tag(request, etag)) {
    response = http::Response();
    response.status = 304;
    response.headers.emplace_back("ETag", etag);
  }
  http::compress(response, http::choose_coding(request));
}

Task<Result<void>> rename(Call call, NoParameters, WantedName body) {
  co_return co_await call.services.files.rename(call.principal(), body.path.value.value,
                                                *body.newName.name);
}

Task<Result<Answer<Nothing>>> make_folder(Call call, NoParameters, WantedFolder body) {
  const Path& path = body.path.value.value;
  CO_TRY(const auto name, Name::parse(path.name()));
  CO_TRY_VOID(co_await call.services.files.make_folder(call.principal(), path.parent(), name));
  Answer<Nothing> answer;
  answer.headers.emplace_back("Location", "/api/v2/files?path=" + http::query_encode(path.str()));
  co_return answer;
}

Route listing_route() {
  return bytes_route(
      Route(http::Method::get, "/api/v2/files", "listFolder", "List a folder, page by page",
            "Folders come first, then at the root the mounts, then files. A page begins after the "
            "last item of the page before, even if items were added or removed meanwhile. With "
            "If-None-Match, an unchanged page is not sent again: 304.",
            CallerRule::files, 200, {404, 502, 504}, Form::json, true, &schema_of<PageDetails>),
      &list_page);
}

}  // namespace

boost::json::object PageLimit::schema() {
  return {{"type", "integer"}, {"minimum", 1}, {"maximum", kLongestPage}, {"default", kUsualPage}};
}

boost::json::object Cursor::schema() {
  return {{"type", "string"},
          {"minLength", 1},
          {"maxLength", kCursorLimitBytes},
          {"pattern", "^[A-Za-z0-9_-]+$"}};
}

boost::json::object Language::schema() {
  boost::json::array tags;
  for (const std::string_view tag : NameOrder::languages()) tags.emplace_back(tag);
  return {{"type", "string"}, {"enum", std::move(tags)}};
}

Result<void> parse_value(std::string_view text, PageLimit& out) {
  return parse_count(text, kLongestPage, out.value);
}

Result<void> parse_value(std::string_view text, Cursor& out) {
  if (text.size() > kCursorLimitBytes) return no_cursor();
  out.value = text;
  return {};
}

Result<void> parse_value(std::string_view text, Language& out) {
  const auto known = NameOrder::languages();
  const auto found = std::ranges::find(known, text);
  if (found == known.end())
    return fail(ErrorCode::invalid, fmt::format("must be one of {}", fmt::join(known, ", ")));
  out.tag = *found;
  return {};
}

FileDetails details_of(const core::ListedItem& item) {
  FileEntryView view = to_view(item);
  FileDetails details;
  details.name = std::move(view.name);
  details.path = std::move(view.relativePath);
  details.isDirectory = view.isDirectory;
  details.size = view.size;
  details.createdAt = view.createdAt;
  details.modifiedAt = view.modifiedAt;
  details.mount = view.mount;
  details.readOnly = view.readOnly;
  return details;
}

Task<Result<http::Response>> list_page(Call call, PageParameters parameters) {
  CO_TRY(const auto request, page_request(parameters));
  const Path folder = parameters.path.value_or(Path());
  CO_TRY(const auto page, co_await call.services.files.page(call.principal(), folder, request));
  http::Response response;
  auto make = [&] {
    response = page_answer(page, head_of(parameters));
    fit_to_client(call.request, response);
  };
  core::WorkPool& pool = call.services.pools.of(call.principal().account->id);
  co_await core::run_by_size(pool, page.items.size(), std::move(make));
  co_return response;
}

boost::json::value page_schema(Components& components) {
  return schema_of<PageDetails>(components);
}

std::vector<Route> file_routes() {
  using http::Method;
  return {
      listing_route(),
      json_route(Route(Method::patch, "/api/v2/files", "renameItem", "Rename an item where it is",
                       "Keys limited to a folder follow it. The same name changes nothing.",
                       CallerRule::files, 204, {404, 409, 423, 502, 504, 507}),
                 &rename),
      json_route(Route(Method::post, "/api/v2/folders", "makeFolder", "Create a folder",
                       "Missing parents are created too.", CallerRule::files, 201,
                       {404, 409, 423, 502, 504, 507}),
                 &make_folder)};
}

}  // namespace coffer::api::v2
