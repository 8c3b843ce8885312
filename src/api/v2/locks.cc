#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/v2/paging.h"
#include "api/v2/route.h"
#include "core/files/item_locks.h"

namespace coffer::api::v2 {
namespace {

constexpr std::string_view kTokenStart = "urn:uuid:";

struct LockedItemParameters {
  FIELD(NonEmpty<ItemPath>, path, "The file or folder.", R"("holiday/notes.txt")");
};

struct LockDetails {
  static constexpr std::string_view kSchema = "Lock";
  FIELD(std::string, id, "Identifier, used to end it.",
        R"("00000000-0000-4000-8000-000000000000")");
  FIELD(std::optional<std::string>, path,
        "The locked item: the one that was asked for, a folder above it, or something in it; null "
        "for a folder that the caller cannot reach.",
        R"("holiday/notes.txt")");
  FIELD(std::string, account, "The name of the account that has it.", R"("ann")");
  FIELD(Timestamp, lockedAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(Timestamp, expiresAt, "UTC; the program that has it may make it last longer.",
        R"("2026-11-21T06:24:09")");
  FIELD(bool, isDeep, "True if all that is in the folder is locked too.", "false");
  FIELD(bool, isShared, "True if others may have shared locks of the item too.", "false");
  FIELD(bool, mayEnd, "True if the caller may end it.", "true");
};

LockDetails details_of(const core::SeenLock& seen) {
  const catalog::FileLock& lock = seen.lock;
  LockDetails details;
  details.id = lock.token.substr(kTokenStart.size());
  if (seen.item) details.path = seen.item->str();
  details.account = lock.account_name;
  details.lockedAt = lock.created_at;
  details.expiresAt = lock.expires_at;
  details.isDeep = lock.is_deep;
  details.isShared = lock.is_shared;
  details.mayEnd = seen.may_end;
  return details;
}

Task<Result<Answer<Page<LockDetails>>>> list_locks(Call call, LockedItemParameters parameters,
                                                   NoBody) {
  CO_TRY(const auto seen,
         co_await call.services.item_locks.list(call.principal(), parameters.path.value.value));
  Page<LockDetails> page;
  for (const core::SeenLock& one : seen) page.entries.push_back(details_of(one));
  co_return Answer<Page<LockDetails>>{std::move(page)};
}

Task<Result<void>> end_lock(Call call, EntryParameters parameters, NoBody) {
  std::string token = std::string(kTokenStart) + parameters.id.value;
  co_return co_await call.services.item_locks.end(call.principal(), std::move(token));
}

}  // namespace

std::vector<Route> lock_routes() {
  using http::Method;
  return {
      json_route(Route(Method::get, "/api/v2/locks", "listLocks", "List the locks of an item",
                       "Programs lock by WebDAV what they have open; nobody else can change it "
                       "meanwhile (423, locked). Tells the locks of the item, those of folders "
                       "above it that hold for all that is in them, and those of what is in it: at "
                       "most 1,000, on one page.",
                       CallerRule::files, 200, {404, 502, 504}),
                 &list_locks),
      json_route(
          Route(Method::del, "/api/v2/locks/{id}", "endLock", "End a lock",
                "The account that has it may do so, the owner of the files, and administrators. "
                "The program that has it is not told, and cannot save any more by it. The audit "
                "log notes a lock of another account.",
                CallerRule::files, 204, {404, 502, 504, 507}),
          &end_lock)};
}

}  // namespace coffer::api::v2
