#include "core/uploads/resumable_uploads.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "async/task.h"
#include "base/client_network.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/log.h"
#include "base/random.h"
#include "base/text.h"
#include "core/accounts/quota.h"
#include "core/keys/key_scopes.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

using catalog::OnConflict;
using catalog::UploadState;

/// The time for an interrupted request to write its data to the disk.
constexpr std::chrono::seconds kHolderTimeout{30};
constexpr std::size_t kIdBytes = 16;
/// Of creations with a key, when others with it make and remove its upload at the same time.
constexpr int kMostTries = 3;

std::chrono::hours kept(const catalog::UploadRecord& record) {
  using Limits = ResumableUploads;
  if (record.state == UploadState::done) return Limits::kDoneKept;
  if (record.link.empty()) return Limits::kKept;
  const bool is_only_begun = record.state == UploadState::receiving && record.received_bytes == 0;
  return is_only_begun ? Limits::kKeptOnlyBegun : Limits::kKeptOfGuests;
}

Timestamp expiry_of(const catalog::UploadRecord& record) {
  return record.touched_at + kept(record);
}

/// What goes into another account's files takes that account's quota instead.
bool goes_to_mount(const catalog::UploadRecord& record) {
  if (record.quota_account != record.account) return false;
  const auto folder = Path::parse(record.folder);
  return folder && is_mount_name(folder->front());
}

std::unexpected<Error> wrong_offset(std::uint64_t offset) {
  return fail(ErrorCode::conflict, "The upload continues at byte " + std::to_string(offset) +
                                       ", not at the requested one.");
}

/// A client would take "not found" for its upload.
Error about_target(Error error) {
  if (error.code != ErrorCode::not_found) return error;
  return {ErrorCode::conflict,
          "The target folder of the upload does not exist. Restore it and send the last byte "
          "again, or remove the upload."};
}

/// Random, or always the same for a key of the account or of the link that its guests came by.
UploadId id_of(const Principal& principal, const NewUpload& wanted) {
  if (wanted.idempotency_key.empty()) return {random_hex(kIdBytes)};
  const bool has_link = wanted.is_of_guest && principal.key;
  const std::string text =
      fmt::format("upload\n{}\n{}\n{}", principal.account->id.value,
                  has_link ? principal.key->value : std::string(), wanted.idempotency_key);
  return {hash_hex(text, kIdBytes)};
}

std::unexpected<Error> fail_key_is_used() {
  return fail(ErrorCode::invalid,
              "The Idempotency-Key was used for another upload: draw a new one.");
}

/// True if an upload of no bytes that fails so is not worth another try.
bool ends_for_good(ErrorCode code) {
  using enum ErrorCode;
  return code == exists || code == over_quota || code == forbidden || code == invalid ||
         code == conflict;
}

std::unexpected<Error> fail_in_use() {
  return std::unexpected(
      Error{ErrorCode::unready, "Another request uses the upload.", std::chrono::seconds(1)});
}

/// Drawn at random: an upload that was removed may have had the same id, by its key, and a request
/// may still hold a turn on that.
std::int64_t first_turn() {
  std::uint64_t number = 0;
  fill_random(std::as_writable_bytes(std::span(&number, 1)));
  return static_cast<std::int64_t>(number >> 2);
}

/// No bytes.
class NoSource final : public UploadSource {
 public:
  std::optional<std::uint64_t> length() const override { return 0; }
  void interrupt() override {}
  Task<Result<std::span<const std::byte>>> read() override {
    co_return std::span<const std::byte>();
  }
};

/// Makes a source's reads interruptible by another request until `end`. For the thread that reads.
class InterruptibleSource {
 public:
  InterruptibleSource(asio::any_io_executor executor, UploadSource& source)
      : executor_(std::move(executor)), current_(std::make_shared<UploadSource*>(&source)) {}
  ~InterruptibleSource() { end(); }
  InterruptibleSource(const InterruptibleSource&) = delete;
  InterruptibleSource& operator=(const InterruptibleSource&) = delete;

  UploadTurns::Interrupt interrupt() const {
    return [executor = executor_, current = current_] {
      asio::post(executor, [current] {
        if (*current) (*current)->interrupt();
      });
    };
  }
  void end() { *current_ = nullptr; }

 private:
  const asio::any_io_executor executor_;
  const std::shared_ptr<UploadSource*> current_;
};

/// Reads a source as long as who sends it may, which is looked at now and then, and ends its
/// interruptibility at the end of its bytes.
class GuardedSource final : public UploadSource {
 public:
  using StillAllowed = std::function<Task<Result<void>>()>;

  GuardedSource(UploadSource& source, InterruptibleSource& interruptible,
                StillAllowed still_allowed)
      : source_(source), interruptible_(interruptible), still_allowed_(std::move(still_allowed)) {}
  std::optional<std::uint64_t> length() const override { return source_.length(); }
  void interrupt() override { source_.interrupt(); }
  Task<Result<std::span<const std::byte>>> read() override {
    auto data = co_await source_.read();
    if (!data || data->empty()) {
      interruptible_.end();
      co_return data;
    }
    if (timer_.is_due()) {
      CO_TRY_VOID(co_await still_allowed_());
    }
    co_return data;
  }

 private:
  UploadSource& source_;
  InterruptibleSource& interruptible_;
  const StillAllowed still_allowed_;
  RecheckTimer timer_;
};

}  // namespace

UploadStatus ResumableUploads::status_of(const Record& record) {
  return {record.id, record.received_bytes, record.length_bytes, record.metadata,
          expiry_of(record)};
}

// Making one

Task<Result<UploadStatus>> ResumableUploads::create(const Principal& principal, NewUpload wanted) {
  CO_TRY([[maybe_unused]] const auto name, Name::parse(wanted.name));
  CO_TRY(auto target, co_await namespace_.resolve(principal, wanted.folder, Access::add));
  if (wanted.idempotency_key.empty()) {
    co_return co_await make(principal, std::move(target), std::move(wanted));
  }
  for (int tries = 0; tries < kMostTries; ++tries) {
    CO_TRY(const auto before, co_await made_before(principal, wanted));
    if (before) co_return *before;
    auto made = co_await make(principal, target, wanted);
    if (made) co_return made;
    // Another request with the key may have come between: the name is taken by what it has made.
    auto meanwhile = co_await made_before(principal, wanted);
    if (meanwhile && *meanwhile) co_return **meanwhile;
    if (!meanwhile && meanwhile.error().code == ErrorCode::unready) {
      co_return failure_of(std::move(meanwhile));
    }
    if (made.error().code != ErrorCode::unready) co_return made;
  }
  co_return fail_in_use();
}

/// The upload that a request with the same key has made, whose client may not have got the answer.
Task<Result<std::optional<UploadStatus>>> ResumableUploads::made_before(const Principal& principal,
                                                                        const NewUpload& wanted) {
  UploadId id = id_of(principal, wanted);
  const auto known = co_await catalog_.uploads().find(principal.account->id, id);
  if (!known && known.error().code == ErrorCode::not_found) co_return std::nullopt;
  if (!known) co_return failure_of(known);
  // Another key of the account may have made it, elsewhere.
  if (!check_may_access(principal, *known)) co_return fail_key_is_used();
  auto answer = co_await status(principal, id);
  if (!answer && answer.error().code == ErrorCode::not_found) co_return std::nullopt;
  if (!answer && known->length_bytes == 0 && ends_for_good(answer.error().code)) {
    // A creation that fails leaves nothing, also if it was cut short before.
    (void)co_await remove(principal, std::move(id));
    co_return std::nullopt;
  }
  if (!answer) co_return failure_of(std::move(answer));
  if (answer->refusal == UploadRefusal::gone) co_return std::nullopt;
  if (answer->refusal == UploadRefusal::busy) {
    co_return fail_in_use();
  }
  const UploadStatus& made = answer->status;
  if (made.length_bytes == wanted.length_bytes && made.metadata == wanted.metadata) co_return made;
  co_return fail_key_is_used();
}

Task<Result<UploadStatus>> ResumableUploads::make(const Principal& principal, ResolvedPath target,
                                                  NewUpload wanted) {
  Record record;
  record.id = id_of(principal, wanted);
  // Another creation with the key finds it when it is whole.
  const auto turn = co_await turns_.take(record.id, {}, kHolderTimeout);
  if (!turn) co_return fail_in_use();
  if (!wanted.idempotency_key.empty()) {
    const auto there = co_await catalog_.uploads().find(principal.account->id, record.id);
    if (there) co_return fail_in_use();
    if (there.error().code != ErrorCode::not_found) co_return failure_of(there);
  }
  std::uint64_t replaced_bytes = 0;
  CO_TRY_VOID(co_await check_target(target, wanted, replaced_bytes));
  record.turn = first_turn();
  record.account = record.quota_account = principal.account->id;
  // Without symbolic links, so that it follows the folder as scopes do.
  CO_TRY(const auto folder, co_await whole_scope_of(target, true));
  record.folder = folder.str();
  if (target.mount) record.leads_to = target.mount->leads_to.value_or("");
  record.name = wanted.name;
  record.on_conflict = wanted.on_conflict;
  record.metadata = std::move(wanted.metadata);
  record.modified_at = wanted.modified_at;
  record.length_bytes = wanted.length_bytes;
  if (principal.key) (wanted.is_of_guest ? record.link : record.key) = principal.key->value;
  record.address = wanted.is_of_guest ? network_of(principal.address) : principal.address;
  if (target.quota_account) {
    CO_TRY_VOID(co_await wait_until_counted(quota_, *target.quota_account));
    record.quota_bytes = wanted.length_bytes;
    record.quota_account = target.quota_account->id;
  }
  record.created_at = record.touched_at = now();
  CO_TRY_VOID(co_await note(record, replaced_bytes));
  // What ends the right to it removes what is noted by then.
  if (auto stands = co_await still_allowed(principal); !stands) {
    (void)co_await drop(record);
    co_return std::unexpected(stands.error());
  }
  if (record.length_bytes == 0) {
    CO_TRY_VOID(co_await finish_empty(principal, std::move(target), record));
  }
  co_return status_of(record);
}

Task<Result<void>> ResumableUploads::check_target(const ResolvedPath& folder,
                                                  const NewUpload& wanted,
                                                  std::uint64_t& replaced_bytes) {
  CO_TRY_VOID(check_new_name(folder, wanted.name));
  CO_TRY(const auto top, co_await folder.backend->stat(folder.path));
  if (!top.is_directory) co_return fail(ErrorCode::invalid, "The destination is not a folder.");
  const auto taken = co_await folder.backend->stat(folder.path / Name::parse(wanted.name).value());
  if (!taken && taken.error().code != ErrorCode::not_found) co_return failure_of(taken);
  if (taken && wanted.on_conflict == OnConflict::fail) {
    co_return fail(ErrorCode::exists, "The name is taken.");
  }
  if (taken && wanted.on_conflict == OnConflict::replace) {
    if (taken->is_directory) co_return fail(ErrorCode::exists, "The name is taken by a folder.");
    replaced_bytes = taken->size_bytes;
  }
  co_return co_await check_capacity(*folder.backend, wanted.length_bytes);
}

Task<Result<void>> ResumableUploads::try_note(const Record& record) {
  catalog::Uploads& uploads = catalog_.uploads();
  CO_TRY(const auto room, co_await room_for(record));
  auto noted = co_await uploads.create(record, kMost, room);
  if (noted || noted.error().code != ErrorCode::over_quota) co_return noted;
  // Reading the figures writes pending updates, such as bytes freed just now.
  CO_TRY([[maybe_unused]] const auto usage, co_await catalog_.ledger().usage(record.quota_account));
  co_return co_await uploads.create(record, kMost, room);
}

/// If the upload does not fit, does not reserve the bytes that it replaces, and frees space.
Task<Result<void>> ResumableUploads::note(Record& record, std::uint64_t replaced_bytes) {
  if (record.takes_quota_as_it_comes()) {
    CO_TRY_VOID(co_await check_fits(record));
    record.quota_bytes = 0;
    co_return co_await try_note(record);
  }
  auto noted = co_await try_note(record);
  if (noted || noted.error().code != ErrorCode::over_quota) co_return noted;
  // What is replaced stays as a version, for which older ones go.
  if (co_await quota_.relief.free_versions(record.quota_account, record.quota_bytes, 0)) {
    noted = co_await try_note(record);
    if (noted || noted.error().code != ErrorCode::over_quota) co_return noted;
  }
  if (replaced_bytes > 0 && record.quota_bytes > 0) {
    Record lent = record;
    noted = co_await note_lent(lent, replaced_bytes);
    if (noted) record = std::move(lent);
    if (noted || noted.error().code != ErrorCode::over_quota) co_return noted;
  }
  const bool is_freed = co_await quota_.relief.free_up(record.quota_account, record.quota_bytes);
  if (is_freed) noted = co_await try_note(record);
  co_return noted;
}

/// Notes an upload that reserves only what it takes beyond the file that it replaces.
Task<Result<void>> ResumableUploads::note_lent(Record& record, std::uint64_t replaced_bytes) {
  record.lent_bytes = std::min(record.quota_bytes, replaced_bytes);
  record.quota_bytes -= record.lent_bytes;
  auto noted = co_await try_note(record);
  if (noted || noted.error().code != ErrorCode::over_quota) co_return noted;
  const bool is_freed = co_await quota_.relief.free_up(record.quota_account, record.quota_bytes);
  if (is_freed) noted = co_await try_note(record);
  co_return noted;
}

/// Whoever stores in another's files hears early that one is too large. What is only announced
/// neither takes quota from the account nor empties its bin.
Task<Result<void>> ResumableUploads::check_fits(const Record& record) {
  if (record.quota_bytes == 0) co_return Result<void>{};
  CO_TRY(const auto usage, co_await catalog_.ledger().usage(record.quota_account));
  const std::uint64_t taken = usage.used_bytes + usage.reserved_bytes;
  const std::uint64_t free_bytes = usage.limit_bytes - std::min(usage.limit_bytes, taken);
  if (usage.limit_bytes == 0 || record.quota_bytes <= free_bytes) co_return Result<void>{};
  co_return fail_over_quota();
}

Task<Result<catalog::RoomLimit>> ResumableUploads::room_for(const Record& record) {
  if (!goes_to_mount(record)) co_return catalog::RoomLimit();
  co_return co_await quota_.mount_room.limit_of(record.account);
}

UploadReception::Hold ResumableUploads::hold_of(const Principal& principal, const Record& record) {
  if (!record.takes_quota_as_it_comes() && !goes_to_mount(record)) return {};
  return [this, account = principal.account, record](std::uint64_t bytes) {
    return hold(account, record, bytes);
  };
}

Task<Result<void>> ResumableUploads::hold(std::shared_ptr<const catalog::Account> account,
                                          Record record, std::uint64_t bytes) {
  if (!goes_to_mount(record)) {
    if (record.quota_account != account->id) {
      CO_TRY(auto owner, co_await catalog_.accounts().get(record.quota_account));
      account = std::make_shared<const catalog::Account>(std::move(owner));
    }
    CO_TRY_VOID(co_await wait_until_counted(quota_, *account));
  }
  catalog::Uploads& uploads = catalog_.uploads();
  CO_TRY(const auto room, co_await room_for(record));
  auto held = co_await uploads.hold(record.account, record.held(), bytes, room);
  if (held || held.error().code != ErrorCode::over_quota) co_return held;
  CO_TRY([[maybe_unused]] const auto usage, co_await catalog_.ledger().usage(record.quota_account));
  co_return co_await uploads.hold(record.account, record.held(), bytes, room);
}

Task<Result<void>> ResumableUploads::finish_empty(const Principal& principal, ResolvedPath target,
                                                  const Record& record) {
  auto file = co_await spool_.open(record.held(), 0, pool_of(record));
  Result<void> finished;
  if (!file) finished = failure_of(file);
  if (finished) finished = co_await finish(principal, std::move(target), record, **file);
  if (!finished) (void)co_await drop(record);
  co_return finished;
}

// Finding one

Result<void> ResumableUploads::check_may_access(const Principal& principal, const Record& record) {
  TRY_VOID(check_may_write(principal));
  if (!principal.scope) return {};
  const auto folder = Path::parse(record.folder);
  if (folder && folder->is_within(*principal.scope)) return {};
  return fail(ErrorCode::not_found, "There is no such upload.");
}

Task<Result<void>> ResumableUploads::read_again(Record& record) {
  CO_TRY(auto read, co_await catalog_.uploads().find(record.account, record.id));
  // A turn that another request has taken meanwhile is not the caller's.
  read.turn = record.turn;
  record = std::move(read);
  co_return Result<void>{};
}

/// Returns nullopt if another request does not end its work in time, or works in another server and
/// cannot be interrupted.
Task<Result<std::optional<ResumableUploads::Found>>> ResumableUploads::find(
    const Principal& principal, UploadId id, UploadTurns::Interrupt interrupt) {
  // A turn interrupts other requests, so the right to the upload is checked first.
  CO_TRY_VOID(check_may_write(principal));
  CO_TRY(const auto known, co_await catalog_.uploads().find(principal.account->id, id));
  CO_TRY_VOID(check_may_access(principal, known));
  auto turn = co_await turns_.take(id, std::move(interrupt), kHolderTimeout);
  if (!turn) co_return std::nullopt;
  CO_TRY(auto record, co_await catalog_.uploads().take(principal.account->id, id));
  if (!record) co_return std::nullopt;
  CO_TRY_VOID(check_may_access(principal, *record));
  CO_TRY(auto state, co_await bring_up_to_date(*record));
  co_return Found{state, *std::move(record), *std::move(turn)};
}

/// Completes operations that a crash, or an unreachable catalog, left unfinished.
Task<Result<UploadRefusal>> ResumableUploads::bring_up_to_date(Record& record) {
  if (expiry_of(record) <= now()) {
    CO_TRY_VOID(co_await drop(record));
    co_return UploadRefusal::gone;
  }
  if (record.state == UploadState::receiving || record.state == UploadState::done) {
    co_return UploadRefusal::none;
  }
  CO_TRY_VOID(co_await reconcile(record));
  CO_TRY_VOID(co_await read_again(record));
  co_return UploadRefusal::none;
}

Task<Result<void>> ResumableUploads::reconcile(const Record& record) {
  // Where it was noted in the same step, the file may be gone or elsewhere by now.
  bool shows = record.content.value != 0;
  if (!shows) {
    CO_TRY(shows, co_await looks_shown(record));
  }
  auto settled = co_await catalog_.uploads().note_outcome(record.account, record.held(), shows);
  if (settled && shows) settled = co_await spool_.remove(record.id.value, pool_of(record));
  co_return settled;
}

/// `unready` if the bytes, which are not in this server's spool, lie on the disk of another server.
Task<Result<void>> ResumableUploads::check_not_elsewhere(const Record& record) {
  constexpr std::chrono::seconds kRetryAfter{10};
  CO_TRY(const auto on_disks, co_await catalog_.uploads().count_on_disks(record.id));
  if (on_disks == 0) co_return Result<void>{};
  co_return std::unexpected(
      Error{ErrorCode::unready,
            "What was sent of this upload lies on the disk of another server, which alone can go "
            "on with it: try again, or remove the upload.",
            kRetryAfter});
}

/// Reads the target folder, independent of anyone's rights.
Task<Result<bool>> ResumableUploads::looks_shown(const Record& record) {
  CO_TRY(auto account, co_await catalog_.accounts().get(record.account));
  Principal owner;
  owner.account = std::make_shared<const catalog::Account>(std::move(account));
  CO_TRY(const auto folder, Path::parse(record.folder));
  const auto place = co_await namespace_.resolve(owner, folder);
  if (place) {
    const auto file = co_await spool_.open(record.held(), record.length_bytes, pool_of(record));
    if (!file && file.error().code != ErrorCode::not_found) co_return failure_of(file);
    // The bytes are kept until the publication is recorded.
    if (!file) {
      CO_TRY_VOID(co_await check_not_elsewhere(record));
      co_return false;
    }
    co_return co_await is_shown(*place, record, **file);
  }
  if (place.error().code != ErrorCode::not_found) co_return failure_of(place);
  if (!is_mount_name(folder.front())) {
    // A share or connector may be gone for good, but not where an account's own files are.
    co_return fail(ErrorCode::unavailable,
                   "The folder that the upload goes to is missing. Maybe its disk is not mounted.");
  }
  co_return false;
}

Task<Result<UploadAnswer>> ResumableUploads::status(const Principal& principal, UploadId id) {
  CO_TRY(auto found, co_await find(principal, std::move(id), {}));
  UploadAnswer answer;
  answer.refusal = found ? found->refusal : UploadRefusal::busy;
  if (answer.refusal != UploadRefusal::none) co_return answer;
  const Record& record = found->record;
  if (record.length_bytes == 0 && record.state != UploadState::done) {
    // Its creation was cut short. Nobody sends bytes that it could end with.
    NoSource nothing;
    auto ended = co_await append_to(principal, record, std::nullopt, nothing);
    if (ended) co_return ended;
    const auto left = co_await catalog_.uploads().find(record.account, record.id);
    if (left && left->turn != record.turn) {
      answer.refusal = UploadRefusal::busy;  // Another server has taken it over.
      co_return answer;
    }
    co_await drop_if_unreachable(record);
    co_return ended;
  }
  answer.status = status_of(record);
  co_return answer;
}

Task<Result<UnfinishedUploads>> ResumableUploads::list(
    const Principal& principal, std::optional<catalog::Uploads::Position> after, std::size_t most) {
  const Path within = principal.whole(Path());
  CO_TRY(auto records, co_await catalog_.uploads().list(principal.account->id, within,
                                                        std::move(after), most + 1));
  UnfinishedUploads page;
  if (records.size() > most) {
    records.resize(most);
    page.next = catalog::Uploads::Position{records.back().created_at, records.back().id.value};
  }
  for (Record& record : records) {
    CO_TRY(const auto folder, Path::parse(record.folder));
    const Timestamp expires_at = expiry_of(record);
    page.uploads.push_back({std::move(record), folder.relative_to(within), expires_at});
  }
  co_return page;
}

Task<Result<UploadAnswer>> ResumableUploads::remove(const Principal& principal, UploadId id) {
  CO_TRY(auto found, co_await find(principal, std::move(id), {}));
  UploadAnswer answer;
  answer.refusal = found ? found->refusal : UploadRefusal::busy;
  if (answer.refusal != UploadRefusal::none) co_return answer;
  CO_TRY_VOID(co_await drop(found->record));
  co_return answer;
}

// Going on with one

Task<Result<UploadAnswer>> ResumableUploads::append(const Principal& principal, UploadId id,
                                                    std::uint64_t offset,
                                                    std::optional<WantedChecksum> checksum,
                                                    UploadSource& source) {
  InterruptibleSource interruptible(co_await asio::this_coro::executor, source);
  CO_TRY(auto found, co_await find(principal, std::move(id), interruptible.interrupt()));
  UploadAnswer answer;
  answer.refusal = found ? found->refusal : UploadRefusal::busy;
  if (answer.refusal != UploadRefusal::none) co_return answer;
  const Record& record = found->record;
  if (offset != record.received_bytes) co_return wrong_offset(record.received_bytes);
  const auto length = source.length();
  if (length && *length > record.length_bytes - offset) {
    answer.refusal = UploadRefusal::too_long;
    co_return answer;
  }
  if (record.state == UploadState::done) {
    answer.status = status_of(record);
    co_return answer;
  }
  GuardedSource guarded(source, interruptible, [&] { return still_allowed(principal); });
  auto appended = co_await append_to(principal, record, std::move(checksum), guarded);
  if (!appended) co_await drop_if_unreachable(record);
  co_return appended;
}

/// A folder that is moved takes its uploads along.
Task<Result<void>> ResumableUploads::still_allowed(const Principal& principal) {
  const auto stands = co_await access_recheck_.of_reader(principal, {});
  if (auto lost = withdrawal_in(stands)) co_return std::unexpected(*std::move(lost));
  co_return Result<void>{};
}

Task<Result<UploadAnswer>> ResumableUploads::append_to(const Principal& principal, Record record,
                                                       std::optional<WantedChecksum> checksum,
                                                       UploadSource& source) {
  if (const auto may = co_await target_of(principal, record); !may) {
    co_return std::unexpected(may.error());
  }
  UploadAnswer answer;
  auto file = co_await spool_.open(record.held(), record.received_bytes, pool_of(record));
  if (!file && file.error().code == ErrorCode::not_found) {
    CO_TRY_VOID(co_await check_not_elsewhere(record));
    CO_TRY_VOID(co_await drop(record));
    answer.refusal = UploadRefusal::gone;
    co_return answer;
  }
  if (!file) co_return failure_of(std::move(file));
  UploadReception reception(catalog_.uploads(), record, **file, std::move(checksum),
                            pool_of(record), hold_of(principal, record));
  CO_TRY(const auto received, co_await reception.receive(source));
  answer.refusal = received;
  if (answer.refusal != UploadRefusal::none) co_return answer;
  if (reception.is_complete()) {
    // With what it holds by now, and in its folder, which may have another name.
    CO_TRY_VOID(co_await read_again(record));
    CO_TRY(auto target, co_await target_of(principal, record));
    CO_TRY_VOID(co_await finish(principal, std::move(target), record, **file));
  }
  CO_TRY(auto after, co_await catalog_.uploads().find(record.account, record.id));
  answer.status = status_of(after);
  co_return answer;
}

Task<Result<ResolvedPath>> ResumableUploads::target_of(const Principal& principal,
                                                       const Record& record) {
  CO_TRY(auto folder, Path::parse(record.folder));
  if (is_mount_name(folder.front())) {
    Mount mount;
    mount.prefix = folder.front();
    mount.name = "The location that the upload goes to";
    if (!record.leads_to.empty()) mount.leads_to = record.leads_to;
    std::vector<MountUse> uses = {MountUse{std::move(mount), true}};
    auto stands = co_await access_recheck_.of(principal, std::move(uses));
    if (!stands) co_return std::unexpected(about_target(std::move(stands).error()));
  }
  if (principal.scope) {
    // The folder was renamed while bytes came. The next request has the scope's new name.
    if (!folder.is_within(*principal.scope)) {
      co_return std::unexpected(about_target({ErrorCode::not_found, {}}));
    }
    folder = folder.relative_to(*principal.scope);
  }
  auto target = co_await namespace_.resolve(principal, folder, Access::add);
  if (!target) co_return std::unexpected(about_target(std::move(target).error()));
  co_return target;
}

Task<Result<void>> ResumableUploads::finish(const Principal& principal, ResolvedPath target,
                                            const Record& record, storage::SpoolFile& file) {
  const UploadPublication::Services services{catalog_, quota_, access_recheck_, folder_changes_};
  UploadPublication publication(services, principal, std::move(target), record, file);
  auto shown = co_await publication.publish();
  if (publication.is_unrecorded()) has_unrecorded_ = true;
  if (!shown) co_return std::unexpected(about_target(std::move(shown).error()));
  if (!*shown) co_return Result<void>{};
  const auto removed = co_await spool_.remove(record.id.value, pool_of(record));
  if (!removed)
    spdlog::error("the bytes of an upload were not deleted: {}", removed.error().message);
  co_return Result<void>{};
}

// The end of one

/// Removes the row first; bytes without a row are swept later.
Task<Result<void>> ResumableUploads::drop(const Record& record) {
  CO_TRY_VOID(co_await catalog_.uploads().remove(record.account, record.held()));
  co_return co_await spool_.remove(record.id.value, pool_of(record));
}

Task<void> ResumableUploads::reconcile_unrecorded() {
  if (has_unrecorded_.exchange(false)) co_await reconcile_interrupted();
}

Task<void> ResumableUploads::reconcile_interrupted() {
  const auto interrupted = co_await catalog_.uploads().interrupted();
  if (!interrupted) {
    has_unrecorded_ = true;
    co_return;
  }
  for (const Record& known : *interrupted) {
    const auto turn = turns_.take_now(known.id);
    if (!turn) continue;
    // With its turn in the catalog: another server may be asked for the upload meanwhile.
    auto record = co_await catalog_.uploads().take(known.account, known.id);
    if (!record) has_unrecorded_ = true;
    if (!record || !*record) continue;
    const UploadState state = (*record)->state;
    if (state != UploadState::interrupted && state != UploadState::finishing) continue;
    const auto settled = co_await reconcile(**record);
    if (settled) continue;
    // Retried when the client returns, or at the next start.
    if (is_own_failure(settled.error().code)) has_unrecorded_ = true;
    spdlog::warn("it could not be found out if an upload is finished: {}", settled.error().message);
  }
}

Task<void> ResumableUploads::sweep() {
  co_await sweep_expired();
  co_await sweep_unreachable();
  co_await sweep_unknown();
}

Task<void> ResumableUploads::sweep_expired() {
  const Timestamp present = now();
  const auto old = co_await catalog_.uploads().untouched_since(
      {present - kKept, present - kKeptOfGuests, present - kKeptOnlyBegun, present - kDoneKept});
  if (!old) co_return;
  for (const Record& known : *old) {
    const auto turn = turns_.take_now(known.id);
    if (!turn) continue;
    const auto record = co_await catalog_.uploads().find(known.account, known.id);
    if (!record || expiry_of(*record) > present) continue;
    const auto dropped = co_await drop(*record);
    if (!dropped) spdlog::warn("an old upload was not removed: {}", dropped.error().message);
  }
}

Task<void> ResumableUploads::sweep_unreachable() {
  const auto left = co_await catalog_.uploads().unreachable();
  if (!left) co_return;
  for (const Record& record : *left) {
    // Who holds its turn removes it.
    const auto turn = turns_.take_now(record.id);
    if (turn) co_await drop_if_unreachable(record);
  }
}

/// Removes an upload that nobody can finish any more. The caller holds its turn.
Task<void> ResumableUploads::drop_if_unreachable(const Record& record) {
  // Its link may open its folder again by now.
  const auto removed = co_await catalog_.uploads().remove_unreachable(record.account, record.id);
  Result<void> dropped = removed ? Result<void>() : failure_of(removed);
  if (removed && *removed) dropped = co_await spool_.remove(record.id.value, pool_of(record));
  if (!dropped) spdlog::warn("an upload was not removed: {}", dropped.error().message);
}

void ResumableUploads::sweep_unreachable_soon() {
  if (sweeps_due_++ == 0) quota_.background.spawn(sweep_until_none_is_due());
}

/// Many calls meanwhile are served by one more sweep.
Task<void> ResumableUploads::sweep_until_none_is_due() {
  std::uint64_t due = 0;
  do {
    due = sweeps_due_;
    co_await sweep_unreachable();
  } while (!sweeps_due_.compare_exchange_strong(due, 0));
}

Task<void> ResumableUploads::sweep_unknown() {
  // In this order, since an upload's row is created before its file.
  const auto names = co_await spool_.names(pools_.common());
  if (!names) co_return;
  const auto known = co_await catalog_.uploads().unfinished_ids();
  if (!known) co_return;
  for (const std::string& name : *names) {
    if (!is_hex(name, 2 * kIdBytes) || known->contains(name)) continue;
    const auto removed = co_await spool_.remove(name, pools_.common());
    if (!removed)
      spdlog::warn("the bytes of an upload were not deleted: {}", removed.error().message);
  }
}

}  // namespace coffer::core
