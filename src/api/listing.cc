#include "core/files/listing.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/endpoint.h"
#include "api/model.h"

namespace coffer::api {
namespace {

struct ListParameters {
  FIELD(std::optional<Path>, path, "The folder; empty or missing means the root.", R"("holiday")");
};

constexpr std::string_view kStart = R"({"success":true,"data":[)";
constexpr std::string_view kEnd = "]}";
/// So much JSON is made at a time, in a few milliseconds.
constexpr std::size_t kSliceBytes = 200 * 1024;

/// How many entries make a slice: each repeats the folder's path, which may be long.
std::size_t slice_of(const Path& folder) {
  return std::max<std::size_t>(1, kSliceBytes / (200 + 2 * folder.str().size()));
}

/// JSON of at most this size is kept until it is sent. Of a larger one the entries are kept, which
/// take a third of it, and each slice is made again when it is sent.
constexpr std::uint64_t kMostKeptBytes = 8 * 1024 * 1024;

/// Returns the JSON of the items from `begin` on, up to `end`, with a comma in front of each but
/// the first of all.
std::string json_of(const core::Listing& listing, std::size_t begin, std::size_t end) {
  rapidjson::StringBuffer buffer;
  JsonWriter out(buffer);
  out.StartArray();
  for (std::size_t i = begin; i < end; ++i) write_json(out, to_view(listing.at(i)));
  out.EndArray();
  const std::string_view array(buffer.GetString(), buffer.GetSize());
  const std::string_view items = array.substr(1, array.size() - 2);
  std::string json;
  json.reserve(items.size() + 1);
  if (begin > 0) json += ',';
  json += items;
  return json;
}

/// The answer's body: kStart, a part for each slice of items, and kEnd.
class ListingJson final : public http::Content {
 public:
  ListingJson(core::Listing listing, core::WorkPool& pool)
      : listing_(std::move(listing)), pool_(pool) {}

  /// Makes all parts once, to know their sizes. Then releases the turn of the listing, and all
  /// memory but that of what is kept. Fails if there is no memory for that.
  Task<Result<void>> prepare();
  std::uint64_t size_bytes() const { return ends_.empty() ? 0 : ends_.back(); }

  /// Both return bytes of one part at a time, so that sending it is soon done.
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<int> descriptor() const override { return std::nullopt; }
  Task<void> prefetch(std::uint64_t offset, std::uint64_t length) override;

 private:
  bool keeps_parts() const { return size_bytes() <= kMostKeptBytes; }
  std::size_t parts() const { return (listing_.size() + slice_ - 1) / slice_ + 2; }
  std::size_t part_at(std::uint64_t offset) const;
  Task<std::string> make(std::size_t part) const;
  void add(std::string part);

  core::Listing listing_;
  const std::size_t slice_ = slice_of(listing_.folder);
  core::WorkPool& pool_;
  std::vector<std::uint64_t> ends_;  ///< The offset behind each part.
  std::vector<std::string> kept_;    ///< All parts, or none.
  std::size_t current_part_ = SIZE_MAX;
  std::string current_;  ///< The part that is being sent, if none is kept.
};

/// On a thread where it delays no other request.
Task<std::string> ListingJson::make(std::size_t part) const {
  if (part == 0) co_return std::string(kStart);
  if (part == parts() - 1) co_return std::string(kEnd);
  const std::size_t begin = (part - 1) * slice_;
  const std::size_t end = std::min(begin + slice_, listing_.size());
  std::string json;
  auto work = [&] { json = json_of(listing_, begin, end); };
  co_await core::run_by_size(pool_, listing_.size(), std::move(work));
  co_return json;
}

void ListingJson::add(std::string part) {
  ends_.push_back(size_bytes() + part.size());
  if (keeps_parts()) {
    kept_.push_back(std::move(part));
  } else {
    kept_.clear();
  }
}

Task<Result<void>> ListingJson::prepare() {
  const std::size_t count = parts();
  for (std::size_t part = 0; part < count; ++part) add(co_await make(part));
  if (!keeps_parts()) co_return listing_.settle();
  // Freeing so much takes time too.
  auto work = [this] { listing_.entries = {}; };
  co_await core::run_by_size(pool_, listing_.size(), std::move(work));
  listing_.turn.reset();
  listing_.hold.shrink_to(size_bytes());
  co_return listing_.hold.grow(size_bytes() - listing_.hold.bytes());
}

std::size_t ListingJson::part_at(std::uint64_t offset) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(ends_, offset) - ends_.begin());
}

std::optional<std::size_t> ListingJson::read_now(std::uint64_t offset, std::span<std::byte> out) {
  const std::size_t part = part_at(offset);
  if (part == ends_.size()) return 0;
  if (kept_.empty() && part != current_part_) return std::nullopt;
  const std::string_view text = kept_.empty() ? current_ : kept_[part];
  const std::uint64_t begin = part == 0 ? 0 : ends_[part - 1];
  const auto piece = text.substr(offset - begin, out.size());
  std::memcpy(out.data(), piece.data(), piece.size());
  return piece.size();
}

Task<Result<std::size_t>> ListingJson::read(std::uint64_t offset, std::span<std::byte> out) {
  const std::size_t part = part_at(offset);
  if (kept_.empty() && part < ends_.size() && part != current_part_) {
    current_ = co_await make(part);
    current_part_ = part;
  }
  co_return *read_now(offset, out);
}

Task<void> ListingJson::prefetch(std::uint64_t /*offset*/, std::uint64_t /*length*/) {
  co_return;
}

Task<http::Response> list_folder(Services& services, http::Request& request) {
  auto principal = co_await authenticate(services, request);
  if (!principal) co_return http::error_response(principal.error());
  const auto parameters = read_parameters<ListParameters>(request, {});
  if (!parameters) co_return http::error_response(parameters.error());
  auto listing = co_await services.files.list(*principal, parameters->path.value_or(Path()));
  if (!listing) co_return http::error_response(listing.error());
  core::WorkPool& pool = services.pools.of(principal->account->id);
  auto json = std::make_shared<ListingJson>(*std::move(listing), pool);
  if (auto ready = co_await json->prepare(); !ready) {
    co_return http::error_response(ready.error());
  }
  http::Response response;
  response.headers.emplace_back("Content-Type", "application/json");
  const std::uint64_t length = json->size_bytes();
  response.body = http::ContentBody{std::move(json), {{{}, 0, length}}, {}};
  auto held = hold_buffers(services.memory, core::holder_of(*principal), response);
  if (!held) co_return http::error_response(held.error());
  co_return response;
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
