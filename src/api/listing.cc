#include "core/files/listing.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/answer_room.h"
#include "api/file_parameters.h"
#include "api/json_pieces.h"
#include "api/model.h"
#include "api/model_docs.h"
#include "api/resources.h"

namespace coffer::api {
namespace {

/// So many entries make about 200 KiB of JSON, in a few milliseconds.
constexpr std::size_t kSliceEntries = 1'000;

/// The items from `begin` on, up to `end`, with a comma in front of each but the first of all.
std::string json_of(core::Listing& listing, std::size_t begin, std::size_t end) {
  rapidjson::StringBuffer buffer;
  JsonWriter out(buffer);
  out.StartArray();
  for (std::size_t i = begin; i < end; ++i) write_json(out, to_view(listing.take(i)));
  out.EndArray();
  const std::string_view array(buffer.GetString(), buffer.GetSize());
  const std::string_view items = array.substr(1, array.size() - 2);
  std::string json;
  json.reserve(items.size() + 1);
  if (begin > 0) json += ',';
  json += items;
  return json;
}

http::Response response_of(std::shared_ptr<JsonPieces> pieces) {
  http::Response response;
  response.headers.emplace_back("Content-Type", "application/json");
  const std::uint64_t length = pieces->size_bytes();
  response.body = http::ContentBody{std::move(pieces), {{{}, 0, length}}, {}};
  return response;
}

Task<http::Response> answer(core::WorkPool& pool, core::Listing listing,
                            std::shared_ptr<AnswerRoom::Share> room) {
  const auto pieces = std::make_shared<JsonPieces>();
  pieces->add(R"({"success":true,"data":[)");
  const std::size_t size = listing.size();
  // What is asked for in vain must not be in memory as a whole before that is found out.
  bool fits = room->grow(size * sizeof(storage::Entry));
  for (std::size_t begin = 0; fits && begin < size; begin += kSliceEntries) {
    const std::size_t end = std::min(begin + kSliceEntries, size);
    std::string piece;
    auto make = [&] {
      piece = json_of(listing, begin, end);
      if (end == size) listing = {};  // Letting go of so much takes time too.
    };
    co_await core::run_by_size(pool, size, std::move(make));
    fits = room->grow(piece.size());
    pieces->add(std::move(piece));
  }
  if (!fits) co_return http::error_response(no_answer_room().error());
  pieces->add("]}");
  http::Response response = response_of(pieces);
  response.held = std::move(room);
  co_return response;
}

Task<http::Response> list_folder(Services& services, http::Request& request) {
  auto principal = co_await authenticate(services, request);
  if (!principal) co_return http::error_response(principal.error());
  const auto parameters = read_parameters<ListParameters>(request, {});
  if (!parameters) co_return http::error_response(parameters.error());
  const Path folder = parameters->path.value_or(Path());
  auto listing = co_await services.files.list(*principal, folder);
  if (!listing) co_return http::error_response(listing.error());
  core::WorkPool& pool = services.pools.of(principal->account->id);
  auto room = services.answer_room.begin(principal->account->name);
  co_return co_await answer(pool, *std::move(listing), std::move(room));
}

}  // namespace

Endpoint listing_endpoint() {
  Endpoint endpoint;
  endpoint.method = http::Method::get;
  endpoint.pattern = "/api/v1/files";
  endpoint.id = "listFolder";
  endpoint.summary = "List a folder";
  endpoint.description =
      "The items directly in it: folders first, then files, each in natural order. At the root the "
      "mounts stand between them. Names that are not UTF-8 or hold control characters are left "
      "out, as no path could name them.";
  endpoint.errors = {403, 404, 502, 504};
  endpoint.parameters = describe_parameters<ListParameters>(endpoint.pattern);
  endpoint.data_schema = [](Components& components) {
    return schema_of<std::vector<FileEntryView>>(components);
  };
  endpoint.serve = &list_folder;
  return endpoint;
}

}  // namespace coffer::api
