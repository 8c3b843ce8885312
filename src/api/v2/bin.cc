#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string>
#include <utility>

#include "api/v2/paging.h"
#include "api/v2/resources.h"

namespace coffer::api {

namespace v2 {

struct BinItemDetails {
  std::string id;
  std::string path;
  bool isDirectory = false;
  std::optional<std::uint64_t> size;
  Timestamp deletedAt;
  std::uint64_t daysLeft = 0;
};
BOOST_DESCRIBE_STRUCT(BinItemDetails, (), (id, path, isDirectory, size, deletedAt, daysLeft))

struct BinItemParameters {
  NonEmpty<std::string> id;
};
BOOST_DESCRIBE_STRUCT(BinItemParameters, (), (id))

}  // namespace v2

template <>
struct Docs<v2::BinItemDetails> {
  static constexpr std::string_view name = "BinItem";
  static constexpr std::array<FieldDoc, 6> fields{{
      {"id", "Identifier, used to restore it or to delete it for good.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"path", "Where it was.", R"("holiday/photo.jpg")"},
      {"isDirectory", "Whether it is a folder.", "false"},
      {"size", "In bytes, of a folder all that it holds; null where that is not known.", "20480"},
      {"deletedAt", "UTC.", R"("2026-11-21T06:14:09")"},
      {"daysLeft", "In so many days it is deleted for good; earlier where its room is needed.",
       "30"},
  }};
};

template <>
struct Docs<v2::BinItemParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"id", "The item's identifier, as the list shows it.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
  }};
};

namespace v2 {
namespace {

std::string cursor_of(const catalog::Bin::Position& place) {
  return fmt::format("{}-{}", place.at.time_since_epoch().count(), place.id);
}

Result<catalog::Bin::Position> place_from(const ListCursor& cursor) {
  const std::string& text = cursor.value;
  const char* const end = text.data() + text.size();
  std::int64_t count = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{} || rest == end || *rest != '-') {
    return fail(ErrorCode::invalid, "The cursor is none of an answer.");
  }
  return catalog::Bin::Position{Timestamp(Timestamp::duration(count)), std::string(rest + 1, end)};
}

BinItemDetails details_of(const catalog::BinItem& item, std::chrono::days kept) {
  const auto left = std::chrono::ceil<std::chrono::days>(item.deleted_at + kept - now());
  BinItemDetails details;
  details.id = item.id.value;
  details.path = core::origin_of(item).str();
  details.isDirectory = item.is_folder;
  details.size = item.size_bytes;
  details.deletedAt = item.deleted_at;
  details.daysLeft = static_cast<std::uint64_t>(std::max<std::int64_t>(0, left.count()));
  return details;
}

Task<Result<Answer<Page<BinItemDetails>>>> list_bin(Call call, ListPartParameters parameters,
                                                    NoBody) {
  std::optional<catalog::Bin::Position> after;
  if (parameters.cursor) {
    auto place = place_from(*parameters.cursor);
    if (!place) co_return failure_of(std::move(place));
    after = *std::move(place);
  }
  const std::size_t most = parameters.limit.value_or(ListLimit()).value;
  core::BinService& bin = call.services.bin;
  const auto listing = co_await bin.list(call.principal(), std::move(after), most);
  if (!listing) co_return failure_of(listing);
  Page<BinItemDetails> page;
  for (const catalog::BinItem& item : listing->items) {
    page.entries.push_back(details_of(item, bin.kept()));
  }
  if (listing->next) page.next = cursor_of(*listing->next);
  co_return Answer<Page<BinItemDetails>>{std::move(page)};
}

Task<Result<Answer<Nothing>>> discard_item(Call call, BinItemParameters parameters, NoBody) {
  BinItemId id{std::move(parameters.id.value)};
  auto discarded = co_await call.services.bin.discard(call.principal(), std::move(id));
  if (!discarded) co_return failure_of(std::move(discarded));
  co_return Answer<Nothing>{};
}

Task<Result<Answer<Nothing>>> empty_bin(Call call, NoParameters, NoBody) {
  auto emptied = co_await call.services.bin.discard_all(call.principal());
  if (!emptied) co_return failure_of(std::move(emptied));
  co_return Answer<Nothing>{};
}

}  // namespace

std::vector<Route> bin_routes() {
  using http::Method;
  Route list{Method::get, "/api/v2/bin", "listBin", "List what the account deleted",
             "What tasks deleted without permanent, the newest first, of all places that the "
             "account sees. A task of the kind restore takes it back. It is kept for as many days "
             "as the setting bin_days says; in own files it counts as used, and the oldest goes "
             "first where room is needed."};
  Route one{Method::del, "/api/v2/bin/{id}", "discardBinItem", "Delete an item for good",
            "If its server does not answer, it is not listed any more, and deleted later."};
  one.success = 204;
  one.errors = {404, 502, 504, 507};
  Route all{Method::del, "/api/v2/bin", "emptyBin", "Delete all items for good",
            "Those in places that the account may not write to stay. If one cannot be deleted now, "
            "the others are, and that is told."};
  all.success = 204;
  all.errors = {502, 504, 507};
  for (Route* route : {&list, &one, &all}) route->rule = CallerRule::account;
  return {json_route(list, &list_bin), json_route(one, &discard_item), json_route(all, &empty_bin)};
}

}  // namespace v2
}  // namespace coffer::api
