#include "core/files/listing.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/answer_memory.h"
#include "api/endpoint.h"
#include "api/model.h"

namespace coffer::api {
namespace {

struct ListParameters {
  FIELD(std::optional<Path>, path, "The folder; empty or missing means the root.", R"("holiday")");
};

/// A body that was made in pieces, which are let go of as they are sent: to be read from its start
/// to its end, once.
class JsonPieces final : public http::Content {
 public:
  void add(std::string piece);
  std::uint64_t size_bytes() const { return size_bytes_; }

  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<int> descriptor() const override { return std::nullopt; }
  Task<void> prefetch(std::uint64_t offset, std::uint64_t length) override;

 private:
  std::deque<std::string> pieces_;
  std::uint64_t first_offset_ = 0;  ///< Of the first piece that is still there.
  std::uint64_t size_bytes_ = 0;
};

void JsonPieces::add(std::string piece) {
  size_bytes_ += piece.size();
  pieces_.push_back(std::move(piece));
}

Task<Result<std::size_t>> JsonPieces::read(std::uint64_t offset, std::span<std::byte> out) {
  co_return *read_now(offset, out);
}

// Of one piece at a time, so that sending it is soon done.
std::optional<std::size_t> JsonPieces::read_now(std::uint64_t offset, std::span<std::byte> out) {
  if (pieces_.empty() || offset < first_offset_) return 0;
  const std::string& piece = pieces_.front();
  const auto rest = std::string_view(piece).substr(offset - first_offset_);
  const auto part = rest.substr(0, out.size());
  std::memcpy(out.data(), part.data(), part.size());
  if (part.size() == rest.size()) {
    first_offset_ += piece.size();
    pieces_.pop_front();
  }
  return part.size();
}

Task<void> JsonPieces::prefetch(std::uint64_t /*offset*/, std::uint64_t /*length*/) {
  co_return;
}

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

Task<http::Response> answer(core::WorkPool& pool, core::Listing listing, MemoryRoom::Hold hold) {
  const auto pieces = std::make_shared<JsonPieces>();
  pieces->add(R"({"success":true,"data":[)");
  const std::size_t size = listing.size();
  // What is asked for in vain must not be in memory as a whole before that is found out.
  auto fits = hold.grow(size * sizeof(storage::Entry));
  for (std::size_t begin = 0; fits && begin < size; begin += kSliceEntries) {
    const std::size_t end = std::min(begin + kSliceEntries, size);
    std::string piece;
    auto make = [&] {
      piece = json_of(listing, begin, end);
      if (end == size) listing = {};  // Letting go of so much takes time too.
    };
    co_await core::run_by_size(pool, size, std::move(make));
    fits = hold.grow(piece.size());
    pieces->add(std::move(piece));
  }
  if (!fits) co_return http::error_response(fits.error());
  pieces->add("]}");
  http::Response response = response_of(pieces);
  keep_until_sent(std::move(hold), response);
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
  auto hold = services.memory.begin(core::holder_of(*principal));
  co_return co_await answer(pool, *std::move(listing), std::move(hold));
}

}  // namespace

std::vector<Endpoint> listing_endpoints() {
  Endpoint endpoint(http::Method::get, "/api/v1/files", "listFolder", "List a folder",
                    "The items directly in it: folders first, then files, each in natural order. "
                    "At the root the mounts stand between them. Names that are not UTF-8 or hold "
                    "control characters are left out, as no path could name them.",
                    {403, 404, 502, 504});
  endpoint.parameters = describe_parameters<ListParameters>(endpoint.pattern);
  endpoint.data_schema = &schema_of<std::vector<FileEntryView>>;
  endpoint.serve = &list_folder;
  return {endpoint};
}

}  // namespace coffer::api
