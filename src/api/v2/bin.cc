#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "api/v2/paging.h"
#include "api/v2/route.h"

namespace coffer::api::v2 {
namespace {

struct BinItemDetails {
  static constexpr std::string_view kSchema = "BinItem";
  FIELD(std::string, id, "Identifier, used to restore it or to delete it for good.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::string, path, "The path that it was deleted from.", R"("holiday/photo.jpg")");
  FIELD(bool, isDirectory, "True if it is a folder.", "false");
  FIELD(std::optional<std::uint64_t>, size,
        "Bytes, for a folder of all its contents; null if they are not known.", "20480");
  FIELD(Timestamp, deletedAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(std::uint64_t, daysLeft,
        "The days until it is deleted for good. It goes earlier if its space is needed.", "30");
};

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
    CO_TRY(auto position, position_of(*parameters.cursor));
    after = {position.first, std::move(position.second)};
  }
  const std::size_t most = parameters.limit.value_or(ListLimit()).value;
  core::BinService& bin = call.services.bin;
  CO_TRY(const auto listing, co_await bin.list(call.principal(), std::move(after), most));
  Page<BinItemDetails> page;
  for (const catalog::BinItem& item : listing.items) {
    page.entries.push_back(details_of(item, bin.kept()));
  }
  if (listing.next) page.next = cursor_of(listing.next->at, listing.next->id);
  co_return Answer<Page<BinItemDetails>>{std::move(page)};
}

Task<Result<void>> discard_item(Call call, EntryParameters parameters, NoBody) {
  BinItemId id{std::move(parameters.id.value)};
  co_return co_await call.services.bin.discard(call.principal(), std::move(id));
}

Task<Result<void>> empty_bin(Call call, NoParameters, NoBody) {
  co_return co_await call.services.bin.discard_all(call.principal());
}

}  // namespace

std::vector<Route> bin_routes() {
  using http::Method;
  return {
      json_route(Route(Method::get, "/api/v2/bin", "listBin", "List what the account deleted",
                       "The items that tasks deleted without permanent, newest first, of all "
                       "locations that the account sees. A task of the kind restore brings them "
                       "back. They are kept for the days of the setting bin_days. In own files "
                       "they count as used, and the oldest are deleted first if space is needed.",
                       CallerRule::account_files),
                 &list_bin),
      json_route(
          Route(Method::del, "/api/v2/bin/{id}", "discardBinItem", "Delete an item for good",
                "If its server does not answer, the item leaves the list now and is deleted later.",
                CallerRule::account_files, 204, {404, 502, 504, 507}),
          &discard_item),
      json_route(Route(Method::del, "/api/v2/bin", "emptyBin", "Delete all items for good",
                       "Items in read-only locations stay. If one cannot be deleted now, the "
                       "others still are, and the answer tells the failure.",
                       CallerRule::account_files, 204, {502, 504, 507}),
                 &empty_bin)};
}

}  // namespace coffer::api::v2
