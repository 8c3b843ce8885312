#include "api/v2/files.h"

#include <sodium.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "api/v2/file_details.h"
#include "api/v2/file_parameters.h"
#include "base/text.h"
#include "core/files/listing.h"
#include "http/compression.h"
#include "http/conditional.h"
#include "http/query.h"

namespace coffer::api {

namespace v2 {

struct PageDetails {
  std::vector<FileDetails> entries;
  std::optional<std::string> next;
  bool hasBin = false;
};
BOOST_DESCRIBE_STRUCT(PageDetails, (), (entries, next, hasBin))

struct WantedName {
  NonEmpty<ItemPath> path;
  NewName newName;
};
BOOST_DESCRIBE_STRUCT(WantedName, (), (path, newName))

struct WantedFolder {
  NonEmpty<FolderPathToMake> path;
};
BOOST_DESCRIBE_STRUCT(WantedFolder, (), (path))

}  // namespace v2

template <>
struct Docs<v2::PageDetails> {
  static constexpr std::string_view name = "FolderPage";
  static constexpr std::array<FieldDoc, 3> fields{{
      {"entries", "The items of this page, in order.",
       R"([{"name":"photo.jpg","path":"holiday/photo.jpg","isDirectory":false,"size":20480,"createdAt":"2026-11-21T06:14:09","modifiedAt":"2026-11-21T06:14:09","mount":null,"readOnly":false}])"},
      {"next", "The cursor of the next page; null at the end.", "null"},
      {"hasBin", "Whether what is deleted here can go into the bin; else deleting is for good.",
       "true"},
  }};
};

template <>
struct Docs<v2::WantedName> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"path", "The item; not the root.", R"("holiday/photo.jpg")"},
      {"newName", kNewNameText, R"("sunset.jpg")"},
  }};
};

template <>
struct Docs<v2::WantedFolder> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"path", "The new folder; what is missing on the way is made too.", R"("holiday/beach")"},
  }};
};

namespace v2 {
namespace {

/// The state of what an answer says, by its hash. It is weak: the answer may be packed.
std::string etag_of(std::string_view body) {
  std::array<std::byte, crypto_generichash_BYTES_MIN> hash{};
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(),
                     reinterpret_cast<const unsigned char*>(body.data()), body.size(), nullptr, 0);
  return "W/\"" + to_hex(hash) + '"';
}

http::Response page_answer(const core::FolderPage& page, const core::PageOrder& order) {
  PageDetails details;
  details.entries.reserve(page.items.size());
  for (const core::ListedItem& item : page.items) details.entries.push_back(details_of(item));
  if (page.next) details.next = cursor_of(order, *page.next);
  details.hasBin = page.has_bin;
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

Task<Result<Answer<Nothing>>> rename(Call call, NoParameters, WantedName body) {
  auto renamed = co_await call.services.files.rename(call.principal(), body.path.value.value,
                                                     *body.newName.name);
  if (!renamed) co_return failure_of(std::move(renamed));
  co_return Answer<Nothing>{};
}

Task<Result<Answer<Nothing>>> make_folder(Call call, NoParameters, WantedFolder body) {
  const Path& path = body.path.value.value;
  const auto name = Name::parse(path.name());
  if (!name) co_return failure_of(name);
  auto made = co_await call.services.files.make_folder(call.principal(), path.parent(), *name);
  if (!made) co_return failure_of(std::move(made));
  Answer<Nothing> answer;
  answer.headers.emplace_back("Location", "/api/v2/files?path=" + http::query_encode(path.str()));
  co_return answer;
}

Route listing_route() {
  Route list{http::Method::get, "/api/v2/files", "listFolder", "List a folder, page by page",
             "Folders come first, then at the root the mounts, then files. A page begins behind "
             "the last item of the one before, also when items came or went meanwhile. With "
             "If-None-Match a page that is still the same is not sent again: 304."};
  list.rule = CallerRule::files;
  list.errors = {404, 502, 504};
  list.is_conditional = true;
  list.answer_schema = &schema_of<PageDetails>;
  return bytes_route(list, &list_page);
}

}  // namespace

Task<Result<http::Response>> list_page(Call call, PageParameters parameters) {
  const auto request = page_request(parameters);
  if (!request) co_return failure_of(request);
  const Path folder = parameters.path.value_or(Path());
  const auto page = co_await call.services.files.page(call.principal(), folder, *request);
  if (!page) co_return failure_of(page);
  http::Response response;
  auto make = [&] {
    response = page_answer(*page, request->order);
    fit_to_client(call.request, response);
  };
  core::WorkPool& pool = call.services.pools.of(call.principal().account->id);
  co_await core::run_by_size(pool, page->items.size(), std::move(make));
  co_return response;
}

boost::json::value page_schema(Components& components) {
  return schema_of<PageDetails>(components);
}

std::vector<Route> file_routes() {
  using http::Method;
  Route name{Method::patch, "/api/v2/files", "renameItem", "Rename an item where it is",
             "Keys limited to a folder follow it. The same name changes nothing."};
  name.rule = CallerRule::files;
  name.success = 204;
  name.errors = {404, 409, 502, 504, 507};
  Route folder{Method::post, "/api/v2/folders", "makeFolder", "Create a folder",
               "Missing parents are created too."};
  folder.rule = CallerRule::files;
  folder.success = 201;
  folder.errors = {404, 409, 502, 504, 507};
  return {listing_route(), json_route(name, &rename), json_route(folder, &make_folder)};
}

}  // namespace v2
}  // namespace coffer::api
