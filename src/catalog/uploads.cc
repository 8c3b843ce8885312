#include "catalog/uploads.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "base/size_format.h"
#include "catalog/account_rows.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/ledger.h"
#include "catalog/mount_paths.h"
#include "catalog/row_limits.h"
#include "catalog/scoped_keys.h"

namespace coffer::catalog {
namespace {

constexpr std::string_view kUploadColumns =
    "id, account_id, folder, name, shown_name, on_conflict, metadata, modified_at, length_bytes, "
    "received_bytes, quota_bytes, state, created_at, touched_at, link_id, leads_to, lent_bytes, "
    "room_bytes, key_id, address";

/// The condition for uploads that nobody can finish at the time :present. Paths of mounts begin
/// with a prefix of mount_paths.h and an id of 32 digits.
constexpr std::string_view kIsUnreachable =
    "state IN ('receiving', 'interrupted') AND ("
    "(link_id <> '' AND NOT EXISTS (SELECT 1 FROM api_keys k WHERE k.id = uploads.link_id AND "
    "(k.expires_at IS NULL OR k.expires_at > :present) AND "
    "(k.change_id IS NOT NULL OR k.scope = uploads.folder OR "
    "substr(uploads.folder, 1, length(k.scope) + 1) = k.scope || '/'))) OR "
    "(substr(folder, 1, 7) = '__conn_' AND NOT EXISTS (SELECT 1 FROM connectors c "
    "WHERE c.id = substr(uploads.folder, 8, 32) AND c.account_id = uploads.account_id)) OR "
    "(substr(folder, 1, 6) = '__adm_' AND NOT EXISTS (SELECT 1 FROM shares s WHERE "
    "s.id = substr(uploads.folder, 7, 32))))";

std::unexpected<Error> no_such_upload() {
  return fail(ErrorCode::not_found, "There is no such upload.");
}

UploadState state_from(std::string_view text) {
  const auto state = enum_from<UploadState>(text);
  if (!state) throw std::runtime_error("The catalog holds an unknown state of an upload.");
  return *state;
}

std::uint64_t bytes_from(const soci::row& row, std::size_t column) {
  return static_cast<std::uint64_t>(row.get<long long>(column));
}

UploadRecord upload_from(const soci::row& row) {
  UploadRecord upload;
  upload.id.value = row.get<std::string>(0);
  upload.account.value = row.get<long long>(1);
  upload.folder = row.get<std::string>(2);
  upload.name = row.get<std::string>(3);
  upload.shown_name = row.get<std::string>(4);
  const auto conflict = enum_from<OnConflict>(row.get<std::string>(5));
  if (!conflict) throw std::runtime_error("The catalog holds an unknown action for a conflict.");
  upload.on_conflict = *conflict;
  upload.metadata = row.get<std::string>(6);
  if (row.get_indicator(7) != soci::i_null) {
    upload.modified_at = timestamp_from(row.get<long long>(7));
  }
  upload.length_bytes = bytes_from(row, 8);
  upload.received_bytes = bytes_from(row, 9);
  upload.quota_bytes = bytes_from(row, 10);
  upload.state = state_from(row.get<std::string>(11));
  upload.created_at = timestamp_from(row.get<long long>(12));
  upload.touched_at = timestamp_from(row.get<long long>(13));
  upload.link = row.get<std::string>(14);
  upload.leads_to = row.get<std::string>(15);
  upload.lent_bytes = bytes_from(row, 16);
  upload.room_bytes = bytes_from(row, 17);
  upload.key = row.get<std::string>(18);
  upload.address = row.get<std::string>(19);
  return upload;
}

/// Finds an upload of any account; nullopt if there is none.
std::optional<UploadRecord> select(soci::session& sql, const UploadId& id) {
  soci::row row;
  sql << "SELECT " << kUploadColumns << " FROM uploads WHERE id = :id", soci::use(id.value, "id"),
      soci::into(row);
  if (!sql.got_data()) return std::nullopt;
  return upload_from(row);
}

bool holds_quota(const UploadRecord& upload) {
  return upload.state == UploadState::receiving || upload.state == UploadState::interrupted;
}

/// Changes the reserved bytes regardless of the limit.
void change_reserved(soci::session& sql, AccountId account, long long delta) {
  if (delta == 0) return;
  sql << "UPDATE quota_usage SET reserved_bytes = reserved_bytes + :delta, version = version + 1 "
         "WHERE account_id = :account",
      soci::use(delta, "delta"), soci::use(account.value, "account");
}

/// Removes an upload, if it is there, and releases its quota.
void erase(soci::session& sql, const UploadId& id) {
  const auto upload = select(sql, id);
  if (!upload) return;
  if (holds_quota(*upload)) {
    change_reserved(sql, upload->account, -to_column(upload->quota_bytes));
  }
  sql << "DELETE FROM uploads WHERE id = :id", soci::use(id.value, "id");
}

/// Adds to this run's part of the reserved bytes.
void change_share_of_run(soci::session& sql, AccountId account, const std::string& node,
                         long long delta) {
  if (delta == 0) return;
  sql << "INSERT INTO reservations (account_id, node, bytes) VALUES (:account, :node, :delta) "
         "ON CONFLICT (account_id, node) DO UPDATE SET bytes = reservations.bytes + excluded.bytes",
      soci::use(account.value, "account"), soci::use(node, "node"), soci::use(delta, "delta");
}

/// What an upload takes of its account's quota: reserved, and lent on what it will replace.
struct Taken {
  long long bytes = 0;
  long long lent = 0;
};

Result<void> reserve(soci::session& sql, AccountId account, Taken taken) {
  constexpr long long kMostBytes = 1LL << 60;  // As in the ledger's updates.
  if (taken.bytes == 0 && taken.lent == 0) return {};
  const auto changed = changed_rows(
      (sql.prepare << "UPDATE quota_usage SET reserved_bytes = reserved_bytes + :bytes, "
                      "version = version + 1 WHERE account_id = :account AND EXISTS (SELECT 1 "
                      "FROM accounts a WHERE a.id = quota_usage.account_id AND :bytes <= CASE "
                      "WHEN a.quota_bytes BETWEEN 1 AND :most THEN a.quota_bytes "
                      "ELSE :most END - used_bytes - reserved_bytes) "
                      "AND (CAST(:lent AS BIGINT) = 0 OR used_bytes >= CAST(:lent AS BIGINT) + "
                      "(SELECT coalesce(sum(u.lent_bytes), 0) FROM uploads u WHERE u.account_id = "
                      "quota_usage.account_id AND u.state <> 'done'))",
       soci::use(taken.bytes, "bytes"), soci::use(account.value, "account"),
       soci::use(kMostBytes, "most"), soci::use(taken.lent, "lent")));
  if (changed > 0) return {};
  return fail_over_quota();
}

// How many bytes wait for mounts.

bool goes_to_mount(const UploadRecord& upload) {
  return upload.folder.starts_with(kSharePrefix) || upload.folder.starts_with(kConnectorPrefix);
}

std::uint64_t room_of(soci::session& sql, AccountId account) {
  long long bytes = 0;
  sql << "SELECT CAST(coalesce(sum(room_bytes), 0) AS BIGINT) FROM uploads WHERE account_id = "
         ":account AND state <> 'done'",
      soci::use(account.value, "account"), soci::into(bytes);
  return static_cast<std::uint64_t>(bytes);
}

/// Checks that a new upload could be finished if no other waited.
Result<void> check_length(soci::session& sql, const UploadRecord& upload, const RoomLimit& limit) {
  const std::uint64_t most = most_room(limit, room_of(sql, upload.account) + limit.other_bytes);
  if (upload.length_bytes <= most) return {};
  return fail_no_room(most);
}

/// Returns what the account's own upload that was begun first still needs, so that it can be
/// finished whatever the others have; 0 if that is `upload`, or none has come so far.
std::uint64_t needed_by_first(soci::session& sql, const UploadRecord& upload) {
  std::string id;
  long long bytes = 0;
  sql << "SELECT id, length_bytes - room_bytes FROM uploads WHERE account_id = :account AND "
         "state <> 'done' AND room_bytes > 0 AND link_id = '' ORDER BY created_at, id LIMIT 1",
      soci::use(upload.account.value, "account"), soci::into(id), soci::into(bytes);
  if (!sql.got_data() || id == upload.id.value) return 0;
  return static_cast<std::uint64_t>(std::max(bytes, 0LL));
}

/// Checks that `bytes` bytes of the upload may wait beside those that wait already.
Result<void> check_room(soci::session& sql, const UploadRecord& upload, std::uint64_t bytes,
                        const RoomLimit& limit) {
  const std::uint64_t waiting = room_of(sql, upload.account) + limit.other_bytes;
  const std::uint64_t most = most_room(limit, waiting);
  const std::uint64_t wanted = waiting - upload.room_bytes + bytes;
  if (wanted + needed_by_first(sql, upload) <= most) return {};
  return fail_no_room(most);
}

Result<void> hold_room(soci::session& sql, const UploadRecord& upload, std::uint64_t bytes,
                       const RoomLimit& limit) {
  if (bytes > upload.room_bytes) TRY_VOID(check_room(sql, upload, bytes, limit));
  const long long room = to_column(bytes);
  sql << "UPDATE uploads SET room_bytes = :room WHERE id = :id", soci::use(room, "room"),
      soci::use(upload.id.value, "id");
  return {};
}

Result<void> hold_quota(soci::session& sql, const UploadRecord& upload, std::uint64_t bytes) {
  const long long quota = to_column(bytes);
  const long long more = quota - to_column(upload.quota_bytes);
  if (more > 0) TRY_VOID(reserve(sql, upload.account, {.bytes = more}));
  if (more < 0) change_reserved(sql, upload.account, more);
  sql << "UPDATE uploads SET quota_bytes = :quota WHERE id = :id", soci::use(quota, "quota"),
      soci::use(upload.id.value, "id");
  return {};
}

/// How many uploads of an account are not finished.
struct Counts {
  long long own = 0;
  long long of_guests = 0;
  long long of_link = 0;     ///< Of those of guests.
  long long of_address = 0;  ///< Of those of the link.
};

Counts count_unfinished(soci::session& sql, const UploadRecord& upload) {
  Counts counts;
  sql << "SELECT count(CASE WHEN link_id = '' THEN 1 END), count(CASE WHEN link_id <> '' THEN 1 "
         "END), count(CASE WHEN link_id = :link THEN 1 END), count(CASE WHEN link_id = :link AND "
         "address = :address THEN 1 END) FROM uploads WHERE account_id = :account AND state <> "
         "'done'",
      soci::use(upload.link, "link"), soci::use(upload.address, "address"),
      soci::use(upload.account.value, "account"), soci::into(counts.own),
      soci::into(counts.of_guests), soci::into(counts.of_link), soci::into(counts.of_address);
  return counts;
}

Result<void> check_count(soci::session& sql, const UploadRecord& upload, Uploads::Most most) {
  const Counts counts = count_unfinished(sql, upload);
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

void insert(soci::session& sql, const UploadRecord& upload) {
  const std::string conflict(word_of(upload.on_conflict));
  const std::string state(word_of(upload.state));
  const long long modified = upload.modified_at ? to_column(*upload.modified_at) : 0;
  soci::indicator has_modified = upload.modified_at ? soci::i_ok : soci::i_null;
  const long long length = to_column(upload.length_bytes);
  const long long received = to_column(upload.received_bytes);
  const long long quota = to_column(upload.quota_bytes);
  const long long lent = to_column(upload.lent_bytes);
  const long long room = to_column(upload.room_bytes);
  const long long created = to_column(upload.created_at);
  const long long touched = to_column(upload.touched_at);
  sql << "INSERT INTO uploads (" << kUploadColumns
      << ") VALUES (:id, :account, :folder, :name, :shown, :conflict, :metadata, "
         "CAST(:modified AS BIGINT), :length, :received, :quota, :state, :created, :touched, "
         ":link, :leads, :lent, :room, :key, :address)",
      soci::use(upload.id.value, "id"), soci::use(upload.account.value, "account"),
      soci::use(upload.folder, "folder"), soci::use(upload.name, "name"),
      soci::use(upload.shown_name, "shown"), soci::use(conflict, "conflict"),
      soci::use(upload.metadata, "metadata"), soci::use(modified, has_modified, "modified"),
      soci::use(length, "length"), soci::use(received, "received"), soci::use(quota, "quota"),
      soci::use(state, "state"), soci::use(created, "created"), soci::use(touched, "touched"),
      soci::use(upload.link, "link"), soci::use(upload.leads_to, "leads"), soci::use(lent, "lent"),
      soci::use(room, "room"), soci::use(upload.key, "key"), soci::use(upload.address, "address");
}

Result<void> set_received(soci::session& sql, const UploadId& id, std::uint64_t bytes) {
  const long long received = to_column(bytes);
  const long long touched = to_column(now());
  const auto changed = changed_rows(
      (sql.prepare << "UPDATE uploads SET received_bytes = :received, touched_at = :touched "
                      "WHERE id = :id AND state = 'receiving'",
       soci::use(received, "received"), soci::use(touched, "touched"), soci::use(id.value, "id")));
  if (changed > 0) return {};
  return no_such_upload();
}

/// Sets the state of an upload, and the present time as that of its last bytes.
void set_state(soci::session& sql, const UploadRecord& upload, UploadState state) {
  const std::string text(word_of(state));
  const long long quota = to_column(upload.quota_bytes);
  const long long lent = to_column(upload.lent_bytes);
  const long long room = to_column(upload.room_bytes);
  const long long received = to_column(upload.received_bytes);
  const long long touched = to_column(now());
  sql << "UPDATE uploads SET state = :state, quota_bytes = :quota, lent_bytes = :lent, "
         "room_bytes = :room, received_bytes = :received, shown_name = :shown, "
         "touched_at = :touched WHERE id = :id",
      soci::use(text, "state"), soci::use(quota, "quota"), soci::use(lent, "lent"),
      soci::use(room, "room"), soci::use(received, "received"),
      soci::use(upload.shown_name, "shown"), soci::use(touched, "touched"),
      soci::use(upload.id.value, "id");
}

/// Deletes the oldest finished uploads of the account, or of its guests. A finished one answers
/// only a client that did not hear of the end.
void drop_finished(soci::session& sql, const UploadRecord& upload) {
  constexpr auto kMost = static_cast<long long>(kMostDoneUploads);
  constexpr long long kSlack = 100;  // So that not every upload deletes one.
  const std::string finished = "account_id = :account AND state = 'done' AND link_id " +
                               std::string(upload.link.empty() ? "= ''" : "> ''");
  long long count = 0;
  sql << "SELECT count(*) FROM uploads WHERE " << finished,
      soci::use(upload.account.value, "account"), soci::into(count);
  const long long excess = count - kMost;
  if (excess <= kSlack) return;
  sql << "DELETE FROM uploads WHERE id IN (SELECT id FROM uploads WHERE " << finished
      << " ORDER BY touched_at, id LIMIT :excess)",
      soci::use(upload.account.value, "account"), soci::use(excess, "excess");
}

void set_done(soci::session& sql, UploadRecord upload) {
  upload.received_bytes = upload.length_bytes;
  upload.quota_bytes = upload.lent_bytes = upload.room_bytes = 0;
  set_state(sql, upload, UploadState::done);
  drop_finished(sql, upload);
}

}  // namespace

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
  auto job = [&](soci::session& sql) -> Result<void> {
    if (name_of(sql, upload.account).empty()) return no_such_account();
    TRY_VOID(check_count(sql, upload, most));
    if (goes_to_mount(upload)) TRY_VOID(check_length(sql, upload, room));
    TRY_VOID(reserve(sql, upload.account,
                     {to_column(upload.quota_bytes), to_column(upload.lent_bytes)}));
    insert(sql, upload);
    return {};
  };
  co_return co_await database_.run(Lane::write, upload.account, std::move(job));
}

Task<Result<void>> Uploads::hold(Turn turn, UploadId id, std::uint64_t bytes, RoomLimit room) {
  auto job = [&](soci::session& sql) -> Result<void> {
    const auto upload = select(sql, id);
    if (!upload || upload->state != UploadState::receiving) return no_such_upload();
    if (goes_to_mount(*upload)) return hold_room(sql, *upload, bytes, room);
    if (!upload->link.empty()) return hold_quota(sql, *upload, bytes);
    return {};
  };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<UploadRecord>> Uploads::find(AccountId account, UploadId id) {
  auto job = [&](soci::session& sql) -> Result<UploadRecord> {
    auto upload = select(sql, id);
    if (!upload || upload->account != account) return no_such_upload();
    return *std::move(upload);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<void>> Uploads::note_received(Turn turn, UploadId id, std::uint64_t bytes) {
  auto job = [&](soci::session& sql) { return set_received(sql, id, bytes); };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Uploads::report_received(Turn turn, UploadId id, std::uint64_t bytes) {
  auto job = [&](soci::session& sql) { return set_received(sql, id, bytes); };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<void>> Uploads::begin_finishing(Turn turn, UploadId id, std::string shown_name) {
  auto job = [&](soci::session& sql) -> Result<void> {
    auto upload = select(sql, id);
    const bool receives = upload && upload->state == UploadState::receiving;
    if (!upload || (!receives && upload->state != UploadState::finishing)) return no_such_upload();
    if (receives) {
      change_share_of_run(sql, upload->account, ledger_.node(), to_column(upload->quota_bytes));
    }
    upload->shown_name = shown_name;
    upload->received_bytes = std::max<std::uint64_t>(upload->length_bytes, 1) - 1;
    set_state(sql, *upload, UploadState::finishing);
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Uploads::give_up_finishing(Turn turn, UploadId id, std::uint64_t quota_bytes) {
  auto job = [&](soci::session& sql) -> Result<void> {
    auto upload = select(sql, id);
    if (!upload || upload->state != UploadState::finishing) return no_such_upload();
    change_share_of_run(sql, upload->account, ledger_.node(), -to_column(quota_bytes));
    upload->quota_bytes = quota_bytes;
    if (upload->lent_bytes > 0) {
      upload->lent_bytes = upload->length_bytes - std::min(quota_bytes, upload->length_bytes);
    }
    set_state(sql, *upload, UploadState::receiving);
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Uploads::end(Turn turn, UploadId id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    auto upload = select(sql, id);
    if (!upload || upload->state != UploadState::finishing) return no_such_upload();
    set_done(sql, *std::move(upload));
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Uploads::note_outcome(Turn turn, UploadId id, bool is_shown) {
  auto job = [&](soci::session& sql) -> Result<void> {
    auto upload = select(sql, id);
    if (!upload) return no_such_upload();
    const bool held = holds_quota(*upload);
    const long long quota = to_column(upload->quota_bytes);
    if (held && is_shown) change_reserved(sql, upload->account, -quota);
    if (!held && !is_shown) change_reserved(sql, upload->account, quota);
    if (is_shown) {
      set_done(sql, *std::move(upload));
    } else {
      set_state(sql, *upload, UploadState::receiving);
    }
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Uploads::remove(Turn turn, UploadId id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    erase(sql, id);
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<bool>> Uploads::remove_unreachable(Turn turn, UploadId id) {
  auto job = [&](soci::session& sql) -> Result<bool> {
    const long long present = to_column(now());
    int count = 0;
    sql << "SELECT count(*) FROM uploads WHERE id = :id AND " << kIsUnreachable,
        soci::use(id.value, "id"), soci::use(present, "present"), soci::into(count);
    if (count > 0) erase(sql, id);
    return count > 0;
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<std::uint64_t>> Uploads::room_of(AccountId account) {
  auto job = [account](soci::session& sql) -> Result<std::uint64_t> {
    return catalog::room_of(sql, account);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<UploadRecord>>> Uploads::list(AccountId account, Path within,
                                                      std::optional<Position> after,
                                                      std::size_t most) {
  auto job = [&](soci::session& sql) -> Result<std::vector<UploadRecord>> {
    const long long at = to_column(after ? after->at : Timestamp::max());
    const std::string id = after ? after->id : std::string();
    const std::string below = text_below(within);
    const auto limit = static_cast<long long>(most);
    return select_all(
        (sql.prepare << "SELECT " << kUploadColumns
                     << " FROM uploads WHERE account_id = :account AND state <> 'done' AND "
                     << within_of("folder")
                     << " AND (created_at < :before OR (created_at = :same AND id < :id)) "
                        "ORDER BY created_at DESC, id DESC LIMIT :most",
         soci::use(account.value, "account"), soci::use(within.str(), "scope"),
         soci::use(below, "below"), soci::use(at, "before"), soci::use(at, "same"),
         soci::use(id, "id"), soci::use(limit, "most")),
        upload_from);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<UploadRecord>>> Uploads::untouched_since(Untouched since) {
  auto job = [&](soci::session& sql) -> Result<std::vector<UploadRecord>> {
    const long long own = to_column(since.own);
    const long long guests = to_column(since.of_guests);
    const long long begun = to_column(since.only_begun);
    const long long done = to_column(since.done);
    return select_all(
        (sql.prepare << "SELECT " << kUploadColumns
                     << " FROM uploads WHERE touched_at < :own OR "
                        "(touched_at < :guests AND link_id <> '') OR (touched_at < :begun AND "
                        "link_id <> '' AND received_bytes = 0 AND state = 'receiving') OR "
                        "(touched_at < :done AND state = 'done') ORDER BY id",
         soci::use(own, "own"), soci::use(guests, "guests"), soci::use(begun, "begun"),
         soci::use(done, "done")),
        upload_from);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<std::vector<UploadRecord>>> Uploads::unreachable() {
  auto job = [](soci::session& sql) -> Result<std::vector<UploadRecord>> {
    const long long present = to_column(now());
    return select_all((sql.prepare << "SELECT " << kUploadColumns << " FROM uploads WHERE "
                                   << kIsUnreachable << " ORDER BY id",
                       soci::use(present, "present")),
                      upload_from);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<std::vector<UploadRecord>>> Uploads::interrupted() {
  auto job = [](soci::session& sql) -> Result<std::vector<UploadRecord>> {
    return select_all((sql.prepare << "SELECT " << kUploadColumns
                                   << " FROM uploads WHERE state = 'interrupted' ORDER BY id"),
                      upload_from);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<std::set<std::string>>> Uploads::unfinished_ids() {
  auto job = [](soci::session& sql) -> Result<std::set<std::string>> {
    const soci::rowset<std::string> rows =
        (sql.prepare << "SELECT id FROM uploads WHERE state <> 'done'");
    return std::set<std::string>(rows.begin(), rows.end());
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
