#include "catalog/uploads.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/size_format.h"
#include "catalog/account_rows.h"
#include "catalog/database.h"
#include "catalog/ledger.h"
#include "catalog/mount_paths.h"
#include "catalog/object_nodes.h"
#include "catalog/row_limits.h"
#include "catalog/runs.h"
#include "catalog/scoped_keys.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::sql {

template <>
struct Table<catalog::UploadRecord> {
  using R = catalog::UploadRecord;
  static constexpr std::string_view kName = "uploads";
  static constexpr auto kColumns = std::tuple{
      Column{"id", &R::id},
      Column{"account_id", &R::account},
      Column{"folder", &R::folder},
      Column{"name", &R::name},
      Column{"shown_name", &R::shown_name},
      Column{"on_conflict", &R::on_conflict},
      Column{"metadata", &R::metadata},
      Column{"modified_at", &R::modified_at},
      Column{"length_bytes", &R::length_bytes},
      Column{"received_bytes", &R::received_bytes},
      Column{"quota_bytes", &R::quota_bytes},
      Column{"state", &R::state},
      Column{"created_at", &R::created_at},
      Column{"touched_at", &R::touched_at},
      Column{"link_id", &R::link},
      Column{"leads_to", &R::leads_to},
      Column{"lent_bytes", &R::lent_bytes},
      Column{"room_bytes", &R::room_bytes},
      Column{"key_id", &R::key},
      Column{"address", &R::address},
      Column{"turn", &R::turn},
      Column{"content", &R::content},
      Column{"quota_account_id", &R::quota_account},
  };
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

/// The condition for uploads that nobody can finish at the time $1. Paths of mounts begin with
/// a prefix of mount_paths.h and an id of 32 digits.
constexpr std::string_view kIsUnreachable =
    "state IN ('receiving', 'interrupted') AND ("
    "(link_id <> '' AND NOT EXISTS (SELECT 1 FROM api_keys k WHERE k.id = uploads.link_id AND "
    "(k.expires_at IS NULL OR k.expires_at > $1) AND "
    "(k.change_id IS NOT NULL OR k.scope = uploads.folder OR "
    "substr(uploads.folder, 1, length(k.scope) + 1) = k.scope || '/'))) OR "
    "(substr(folder, 1, 7) = '__conn_' AND NOT EXISTS (SELECT 1 FROM connectors c "
    "WHERE c.id = substr(uploads.folder, 8, 32) AND c.account_id = uploads.account_id)) OR "
    "(substr(folder, 1, 6) = '__adm_' AND NOT EXISTS (SELECT 1 FROM shares s WHERE "
    "s.id = substr(uploads.folder, 7, 32)) AND NOT EXISTS (SELECT 1 FROM people_shares p WHERE "
    "p.id = substr(uploads.folder, 7, 32))))";

std::string uploads_where(std::string_view condition) {
  return "SELECT " + sql::columns<UploadRecord>() + " FROM uploads WHERE " + std::string(condition);
}

/// The condition that another server, which lives, publishes the upload. $2 is this server's run.
constexpr std::string_view kIsPublishedElsewhere =
    "(state = 'finishing' AND run <> $2 AND run IN (SELECT node FROM runs))";

/// Locks the figures of the upload's account until the end of the transaction, before the upload,
/// as the ledger does. On SQLite one transaction writes at a time.
void lock_figures(sql::Connection& sql, const UploadId& id) {
  if (sql.is_sqlite()) return;
  (void)sql.query(
      "SELECT 1 FROM quota_usage WHERE account_id = (SELECT quota_account_id FROM uploads WHERE "
      "id = $1) FOR UPDATE",
      id);
}

/// Finds an upload of any account, and locks it until the end of the transaction, so that no turn
/// is taken, and its quota is not changed, meanwhile. `not_found` if there is none; `conflict` if a
/// later turn was taken.
Result<UploadRecord> lock(sql::Connection& sql, const storage::UploadTurn& turn) {
  lock_figures(sql, turn.upload);
  auto upload = sql::select_first<UploadRecord>(
      sql, uploads_where("id = $1" + std::string(for_update(sql))), turn.upload);
  if (!upload) return no_such_upload();
  if (upload->turn != turn.number) {
    return fail(ErrorCode::conflict, "Another request works on this upload by now.");
  }
  return *std::move(upload);
}

/// Returns a size as a number that may be negated; at most 2^63 - 1, as a column holds it.
std::int64_t delta_of(std::uint64_t bytes) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, kMost));
}

bool holds_quota(const UploadRecord& upload) {
  return upload.state == UploadState::receiving || upload.state == UploadState::interrupted;
}

/// Changes the reserved bytes regardless of the limit.
void change_reserved(sql::Connection& sql, AccountId account, std::int64_t delta) {
  if (delta == 0) return;
  sql.run(
      "UPDATE quota_usage SET reserved_bytes = reserved_bytes + $1, version = version + 1 "
      "WHERE account_id = $2",
      delta, account);
}

/// Removes an upload and releases its quota.
void erase(sql::Connection& sql, const UploadRecord& upload) {
  if (holds_quota(upload))
    change_reserved(sql, upload.quota_account, -delta_of(upload.quota_bytes));
  sql.run("DELETE FROM uploads WHERE id = $1", upload.id);
}

/// Adds to this run's part of the reserved bytes.
void change_share_of_run(sql::Connection& sql, AccountId account, const std::string& node,
                         std::int64_t delta) {
  if (delta == 0) return;
  sql.run(
      "INSERT INTO reservations (account_id, node, bytes) VALUES ($1, $2, $3) "
      "ON CONFLICT (account_id, node) DO UPDATE SET bytes = reservations.bytes + excluded.bytes",
      account, node, delta);
}

/// What an upload takes of its account's quota: reserved, and lent on what it will replace.
struct Taken {
  std::uint64_t bytes = 0;
  std::uint64_t lent = 0;
};

Result<void> reserve(sql::Connection& sql, AccountId account, Taken taken) {
  constexpr std::int64_t kMostBytes = 1LL << 60;  // As in the ledger's updates.
  if (taken.bytes == 0 && taken.lent == 0) return {};
  const auto changed = sql.change(
      "UPDATE quota_usage SET reserved_bytes = reserved_bytes + $1, "
      "version = version + 1 WHERE account_id = $2 AND EXISTS (SELECT 1 "
      "FROM accounts a WHERE a.id = quota_usage.account_id AND $1 <= CASE "
      "WHEN a.quota_bytes BETWEEN 1 AND $3 THEN a.quota_bytes "
      "ELSE $3 END - used_bytes - reserved_bytes) "
      "AND (CAST($4 AS BIGINT) = 0 OR used_bytes >= CAST($4 AS BIGINT) + "
      "(SELECT coalesce(sum(u.lent_bytes), 0) FROM uploads u WHERE u.quota_account_id = "
      "quota_usage.account_id AND u.state <> 'done'))",
      taken.bytes, account, kMostBytes, taken.lent);
  if (changed > 0) return {};
  return fail_over_quota();
}

// How many bytes wait for mounts.

/// What goes into another account's files takes that account's quota instead.
bool goes_to_mount(const UploadRecord& upload) {
  if (upload.quota_account != upload.account) return false;
  return upload.folder.starts_with(kSharePrefix) || upload.folder.starts_with(kConnectorPrefix);
}

std::uint64_t room_of(sql::Connection& sql, AccountId account) {
  return sql.only<std::uint64_t>(
      "SELECT CAST(coalesce(sum(room_bytes), 0) AS BIGINT) FROM uploads WHERE account_id = $1 AND "
      "state <> 'done'",
      account);
}

/// Checks that a new upload could be finished if no other waited.
Result<void> check_length(sql::Connection& sql, const UploadRecord& upload,
                          const RoomLimit& limit) {
  const std::uint64_t most = most_room(limit, room_of(sql, upload.account) + limit.other_bytes);
  if (upload.length_bytes <= most) return {};
  return fail_no_room(most);
}

struct Room {
  std::uint64_t held = 0;  ///< As room_of.
  /// What the account's own upload that was begun first still needs, so that it can be finished
  /// whatever the others have; 0 if that is the upload that asks, or none has come so far.
  std::uint64_t needed_by_first = 0;
};

Room room_for(sql::Connection& sql, const UploadRecord& upload) {
  const auto row = sql.first(
      "SELECT CAST(coalesce(sum(room_bytes), 0) AS BIGINT), coalesce((SELECT CASE WHEN id = $2 "
      "THEN 0 ELSE length_bytes - room_bytes END FROM uploads WHERE account_id = $1 AND "
      "state <> 'done' AND room_bytes > 0 AND link_id = '' ORDER BY created_at, id LIMIT 1), 0) "
      "FROM uploads WHERE account_id = $1 AND state <> 'done'",
      upload.account, upload.id);
  const auto needed = std::max<std::int64_t>(row.value().get<std::int64_t>(1), 0);
  return {row->get<std::uint64_t>(0), static_cast<std::uint64_t>(needed)};
}

/// Checks that `bytes` bytes of the upload may wait beside those that wait already.
Result<void> check_room(sql::Connection& sql, const UploadRecord& upload, std::uint64_t bytes,
                        const RoomLimit& limit) {
  const Room room = room_for(sql, upload);
  const std::uint64_t waiting = room.held + limit.other_bytes;
  const std::uint64_t most = most_room(limit, waiting);
  const std::uint64_t wanted = waiting - upload.room_bytes + bytes;
  if (wanted + room.needed_by_first <= most) return {};
  return fail_no_room(most);
}

Result<void> hold_room(sql::Connection& sql, const UploadRecord& upload, std::uint64_t bytes,
                       const RoomLimit& limit) {
  if (bytes > upload.room_bytes) TRY_VOID(check_room(sql, upload, bytes, limit));
  sql.run("UPDATE uploads SET room_bytes = $1 WHERE id = $2", bytes, upload.id);
  return {};
}

Result<void> hold_quota(sql::Connection& sql, const UploadRecord& upload, std::uint64_t bytes) {
  const std::uint64_t held = upload.quota_bytes;
  if (bytes > held) TRY_VOID(reserve(sql, upload.quota_account, {.bytes = bytes - held}));
  if (bytes < held) change_reserved(sql, upload.quota_account, -delta_of(held - bytes));
  sql.run("UPDATE uploads SET quota_bytes = $1 WHERE id = $2", bytes, upload.id);
  return {};
}

/// How many uploads of an account are not finished.
struct Counts {
  bool has_account = false;
  std::int64_t own = 0;
  std::int64_t of_guests = 0;
  std::int64_t of_link = 0;     ///< Of those of guests.
  std::int64_t of_address = 0;  ///< Of those of the link.
};

Counts count_unfinished(sql::Connection& sql, const UploadRecord& upload) {
  const auto row = sql.first(
      "SELECT (SELECT count(*) FROM accounts WHERE id = $3), count(CASE WHEN link_id = '' THEN 1 "
      "END), count(CASE WHEN link_id <> '' THEN 1 END), count(CASE WHEN link_id = $1 THEN 1 END), "
      "count(CASE WHEN link_id = $1 AND address = $2 THEN 1 END) FROM uploads "
      "WHERE account_id = $3 AND state <> 'done'",
      upload.link, upload.address, upload.account);
  const auto count = [&](std::size_t column) { return row.value().get<std::int64_t>(column); };
  return {.has_account = count(0) > 0,
          .own = count(1),
          .of_guests = count(2),
          .of_link = count(3),
          .of_address = count(4)};
}

/// Checks that the account is there and may have one more upload.
Result<void> check_count(sql::Connection& sql, const UploadRecord& upload, Uploads::Most most) {
  const Counts counts = count_unfinished(sql, upload);
  if (!counts.has_account) return no_such_account();
  if (upload.link.empty()) {
    if (std::cmp_less(counts.own, most.of_account)) return {};
    return fail(ErrorCode::rate_limited,
                "There are too many uploads that are not finished: finish some, or remove them.");
  }
  if (std::cmp_greater_equal(counts.of_address, most.of_address)) {
    return fail(ErrorCode::rate_limited,
                "Too many uploads from here are not finished: finish some, or remove them.");
  }
  if (std::cmp_less(counts.of_link, most.of_link) &&
      std::cmp_less(counts.of_guests, most.of_guests)) {
    return {};
  }
  return fail(ErrorCode::rate_limited,
              "There are too many uploads that are not finished; try again later.");
}

bool is_there(sql::Connection& sql, const UploadId& id) {
  return sql.only<int>("SELECT count(*) FROM uploads WHERE id = $1", id) > 0;
}

std::unexpected<Error> fail_in_use() {
  return std::unexpected(
      Error{ErrorCode::unready, "Another request uses the upload.", std::chrono::seconds(1)});
}

Result<void> set_received(sql::Connection& sql, const storage::UploadTurn& turn,
                          std::uint64_t bytes) {
  const auto changed = sql.change(
      "UPDATE uploads SET received_bytes = $1, touched_at = $2 "
      "WHERE id = $3 AND turn = $4 AND state = 'receiving'",
      bytes, now(), turn.upload, turn.number);
  if (changed > 0) return {};
  TRY([[maybe_unused]] const auto state, lock_upload(sql, turn));
  return no_such_upload();
}

/// Sets the state of an upload, and the present time as that of its last bytes.
void set_state(sql::Connection& sql, const UploadRecord& upload, UploadState state) {
  sql.run(
      "UPDATE uploads SET state = $1, quota_bytes = $2, lent_bytes = $3, room_bytes = $4, "
      "received_bytes = $5, shown_name = $6, touched_at = $7 WHERE id = $8",
      state, upload.quota_bytes, upload.lent_bytes, upload.room_bytes, upload.received_bytes,
      upload.shown_name, now(), upload.id);
}

/// Deletes the oldest finished uploads of the account, or of its guests. A finished one answers
/// only a client that did not hear of the end.
void drop_finished(sql::Connection& sql, const UploadRecord& upload) {
  constexpr auto kMost = static_cast<std::int64_t>(kMostDoneUploads);
  constexpr std::int64_t kSlack = 100;  // So that not every upload deletes one.
  const std::string finished = "account_id = $1 AND state = 'done' AND link_id " +
                               std::string(upload.link.empty() ? "= ''" : "> ''");
  sql.run(fmt::format("DELETE FROM uploads WHERE id IN (SELECT id FROM uploads WHERE {0} "
                      "ORDER BY touched_at, id LIMIT (SELECT CASE WHEN count(*) > $2 "
                      "THEN count(*) - $3 ELSE 0 END FROM uploads WHERE {0}))",
                      finished),
          upload.account, kMost + kSlack, kMost);
}

/// The bytes of a file that was published without its server knowing are counted at the next
/// occasion.
void note_uncounted(sql::Connection& sql, AccountId account) {
  sql.run("UPDATE quota_usage SET is_counted = 0, version = version + 1 WHERE account_id = $1",
          account);
}

void set_done(sql::Connection& sql, UploadRecord upload) {
  upload.received_bytes = upload.length_bytes;
  upload.quota_bytes = upload.lent_bytes = upload.room_bytes = 0;
  set_state(sql, upload, UploadState::done);
  drop_finished(sql, upload);
}

}  // namespace

std::unexpected<Error> no_such_upload() {
  return fail(ErrorCode::not_found, "There is no such upload.");
}

Result<UploadState> lock_upload(sql::Connection& sql, const storage::UploadTurn& turn) {
  TRY(const auto upload, lock(sql, turn));
  return upload.state;
}

std::uint64_t most_room(const RoomLimit& limit, std::uint64_t waiting_bytes) {
  return limit.bytes > 0 ? limit.bytes : (limit.free_bytes + waiting_bytes) / 4;
}

std::unexpected<Error> fail_no_room(std::uint64_t most_bytes) {
  return fail(ErrorCode::over_quota,
              fmt::format("Unfinished uploads to shared folders and servers may take {} on this "
                          "server at once: finish or end others first.",
                          format_size(most_bytes)));
}

Task<Result<void>> Uploads::create(UploadRecord upload, Most most, RoomLimit room) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY_VOID(check_count(sql, upload, most));
    if (upload.quota_account == AccountId{}) upload.quota_account = upload.account;
    if (goes_to_mount(upload)) TRY_VOID(check_length(sql, upload, room));
    const auto reserved =
        reserve(sql, upload.quota_account, {upload.quota_bytes, upload.lent_bytes});
    // Another server may have made it a moment ago: it has its quota, for which nothing is to go.
    if (!reserved && is_there(sql, upload.id)) return fail_in_use();
    if (!reserved) return reserved;
    if (sql::insert(sql, upload, "ON CONFLICT (id) DO NOTHING") == 0) return fail_in_use();
    return {};
  };
  co_return co_await database_.run(Lane::write, upload.account, std::move(job));
}

Task<Result<std::optional<UploadRecord>>> Uploads::take(AccountId account, UploadId id) {
  if (!database_.is_shared()) {
    CO_TRY(auto upload, co_await find(account, std::move(id)));
    co_return std::optional(std::move(upload));
  }
  auto job = [&](sql::Connection& sql) -> Result<std::optional<UploadRecord>> {
    auto taken = sql::select_first<UploadRecord>(
        sql,
        fmt::format("UPDATE uploads SET turn = turn + 1 WHERE id = $1 AND account_id = $3 AND NOT "
                    "{} RETURNING {}",
                    kIsPublishedElsewhere, sql::columns<UploadRecord>()),
        id, database_.node(), account);
    if (taken) return taken;
    if (sql.only<int>("SELECT count(*) FROM uploads WHERE id = $1 AND account_id = $2", id,
                      account) == 0) {
      return no_such_upload();
    }
    return std::nullopt;
  };
  co_return may_repeat(co_await database_.run(Lane::write, account, std::move(job)));
}

Task<Result<void>> Uploads::hold(Turn turn, storage::UploadTurn held, std::uint64_t bytes,
                                 RoomLimit room) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY(const auto upload, lock(sql, held));
    if (upload.state != UploadState::receiving) return no_such_upload();
    if (goes_to_mount(upload)) return hold_room(sql, upload, bytes, room);
    if (upload.takes_quota_as_it_comes()) return hold_quota(sql, upload, bytes);
    return {};
  };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<UploadRecord>> Uploads::find(AccountId account, UploadId id) {
  auto job = [&](sql::Connection& sql) -> Result<UploadRecord> {
    auto upload = sql::select_first<UploadRecord>(sql, uploads_where("id = $1"), id);
    if (!upload || upload->account != account) return no_such_upload();
    return *std::move(upload);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<void>> Uploads::note_received(Turn turn, storage::UploadTurn held,
                                          std::uint64_t bytes) {
  auto job = [&](sql::Connection& sql) { return set_received(sql, held, bytes); };
  co_return may_repeat(co_await database_.run(Lane::write, turn, std::move(job)));
}

Task<Result<void>> Uploads::report_received(Turn turn, storage::UploadTurn held,
                                            std::uint64_t bytes) {
  auto job = [&](sql::Connection& sql) { return set_received(sql, held, bytes); };
  co_return may_repeat(co_await database_.run(Lane::ordered, turn, std::move(job)));
}

Task<Result<void>> Uploads::begin_finishing(Turn turn, storage::UploadTurn held,
                                            std::string shown_name) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY(auto upload, lock(sql, held));
    const bool receives = upload.state == UploadState::receiving;
    if (!receives && upload.state != UploadState::finishing) return no_such_upload();
    if (receives) {
      change_share_of_run(sql, upload.quota_account, ledger_.node(), delta_of(upload.quota_bytes));
      sql.run("UPDATE uploads SET run = $1 WHERE id = $2", ledger_.node(), upload.id);
    }
    upload.shown_name = shown_name;
    upload.received_bytes = std::max<std::uint64_t>(upload.length_bytes, 1) - 1;
    set_state(sql, upload, UploadState::finishing);
    return {};
  };
  co_return may_repeat(co_await database_.run(Lane::write, turn, std::move(job)));
}

Task<Result<void>> Uploads::give_up_finishing(Turn turn, storage::UploadTurn held,
                                              std::uint64_t quota_bytes) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY(auto upload, lock(sql, held));
    if (upload.state != UploadState::finishing) return no_such_upload();
    change_share_of_run(sql, upload.quota_account, ledger_.node(), -delta_of(quota_bytes));
    if (upload.content.value != 0) {
      change_reserved(sql, upload.quota_account, -delta_of(quota_bytes));
      note_uncounted(sql, upload.quota_account);
      set_done(sql, std::move(upload));
      return {};
    }
    upload.quota_bytes = quota_bytes;
    if (upload.lent_bytes > 0) {
      upload.lent_bytes = upload.length_bytes - std::min(quota_bytes, upload.length_bytes);
    }
    set_state(sql, upload, UploadState::receiving);
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Uploads::end(Turn turn, storage::UploadTurn held) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY(auto upload, lock(sql, held));
    if (upload.state != UploadState::finishing) return no_such_upload();
    set_done(sql, std::move(upload));
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Uploads::note_outcome(Turn turn, storage::UploadTurn held, bool is_shown) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY(auto upload, lock(sql, held));
    const bool is_done = is_shown || upload.content.value != 0;
    const bool holds = holds_quota(upload);
    const std::int64_t quota = delta_of(upload.quota_bytes);
    if (holds && is_done) change_reserved(sql, upload.quota_account, -quota);
    if (!holds && !is_done) change_reserved(sql, upload.quota_account, quota);
    if (!is_done) {
      set_state(sql, upload, UploadState::receiving);
      return {};
    }
    if (upload.content.value != 0) note_uncounted(sql, upload.quota_account);
    set_done(sql, std::move(upload));
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Uploads::remove(Turn turn, storage::UploadTurn held) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    auto upload = lock(sql, held);
    if (!upload) {
      if (upload.error().code == ErrorCode::not_found) return {};
      return failure_of(std::move(upload));
    }
    if (sql.only<int>(
            fmt::format("SELECT count(*) FROM uploads WHERE id = $1 AND {}", kIsPublishedElsewhere),
            held.upload, database_.node()) > 0) {
      return fail(ErrorCode::conflict, "Another server publishes this upload.");
    }
    erase(sql, *upload);
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<bool>> Uploads::remove_unreachable(Turn turn, UploadId id) {
  auto job = [&](sql::Connection& sql) -> Result<bool> {
    lock_figures(sql, id);
    const std::string text = uploads_where(fmt::format("id = $2 AND {}", kIsUnreachable));
    const auto upload = sql::select_first<UploadRecord>(sql, text, now(), id);
    if (upload) erase(sql, *upload);
    return upload.has_value();
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<std::uint64_t>> Uploads::room_of(AccountId account) {
  auto job = [account](sql::Connection& sql) -> Result<std::uint64_t> {
    return catalog::room_of(sql, account);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<UploadRecord>>> Uploads::list(AccountId account, Path within,
                                                      std::optional<Position> after,
                                                      std::size_t most) {
  auto job = [&](sql::Connection& sql) -> Result<std::vector<UploadRecord>> {
    const Timestamp at = after ? after->at : Timestamp::max();
    const std::string id = after ? after->id : std::string();
    const std::string text =
        uploads_where("account_id = $1 AND state <> 'done' AND " + within_of("folder", 2) +
                      " AND (created_at < $4 OR (created_at = $4 AND id < $5)) "
                      "ORDER BY created_at DESC, id DESC LIMIT $6");
    return sql::select<UploadRecord>(sql, text, account, within, text_below(within), at, id, most);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<UploadRecord>>> Uploads::untouched_since(Untouched since) {
  auto job = [&](sql::Connection& sql) -> Result<std::vector<UploadRecord>> {
    const std::string text = uploads_where(
        "touched_at < $1 OR (touched_at < $2 AND link_id <> '') OR (touched_at < $3 AND "
        "link_id <> '' AND received_bytes = 0 AND state = 'receiving') OR "
        "(touched_at < $4 AND state = 'done') ORDER BY id");
    return sql::select<UploadRecord>(sql, text, since.own, since.of_guests, since.only_begun,
                                     since.done);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<std::vector<UploadRecord>>> Uploads::unreachable() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<UploadRecord>> {
    const std::string text = uploads_where(fmt::format("{} ORDER BY id", kIsUnreachable));
    return sql::select<UploadRecord>(sql, text, now());
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<std::vector<UploadRecord>>> Uploads::interrupted() {
  auto job = [this](sql::Connection& sql) -> Result<std::vector<UploadRecord>> {
    const std::string& node = database_.node();
    sql.run("UPDATE uploads SET run = $1 WHERE state = 'interrupted' AND " +
                std::string(kIsOfNoOtherRun),
            node);
    return sql::select<UploadRecord>(
        sql,
        uploads_where("(state = 'interrupted' OR (state = 'finishing' AND length_bytes > 0)) AND "
                      "run = $1 ORDER BY id"),
        node);
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<std::set<std::string>>> Uploads::unfinished_ids() {
  auto job = [](sql::Connection& sql) -> Result<std::set<std::string>> {
    std::set<std::string> ids;
    for (const sql::Row& row : sql.query("SELECT id FROM uploads WHERE state <> 'done'")) {
      ids.insert(row.get<std::string>(0));
    }
    return ids;
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<std::uint64_t>> Uploads::count_on_disks(std::optional<UploadId> id) {
  if (!database_.is_shared()) co_return 0;
  auto job = [&](sql::Connection& sql) -> Result<std::uint64_t> {
    return sql.only<std::uint64_t>(
        "SELECT count(*) FROM uploads WHERE state <> 'done' AND received_bytes > 0 AND "
        "(CAST($1 AS TEXT) IS NULL OR id = $1) AND NOT EXISTS "
        "(SELECT 1 FROM upload_segments WHERE upload = uploads.id)",
        id);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
