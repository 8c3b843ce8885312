#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "catalog/on_conflict.h"
#include "catalog/turn.h"
#include "storage/names.h"
#include "storage/spool.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

class Database;
class Ledger;

enum class UploadState : std::uint8_t {
  receiving,
  finishing,  ///< The file is being published, or its publication failed and this was not recorded.
  interrupted,  ///< The server stopped during publication. The file may have been published.
  done,
};
constexpr auto words_of(UploadState) {
  using enum UploadState;
  return enum_words<UploadState>({{receiving, "receiving"},
                                  {finishing, "finishing"},
                                  {interrupted, "interrupted"},
                                  {done, "done"}});
}

struct UploadRecord {
  UploadId id;
  AccountId account;
  /// The account whose quota it takes: the owner's, in an item that another account shares. If it
  /// is absent in a new upload, that is `account`.
  AccountId quota_account;
  std::string folder;      ///< The path of the target folder, from the account's root.
  std::string name;        ///< The name that the client asked for.
  std::string shown_name;  ///< The name under which the file is published; empty before that.
  OnConflict on_conflict = OnConflict::fail;
  std::string metadata;  ///< The text that the client sent about the upload.
  std::optional<Timestamp> modified_at;
  std::uint64_t length_bytes = 0;
  std::uint64_t received_bytes = 0;  ///< The number of durably stored bytes.
  std::uint64_t quota_bytes = 0;     ///< The reserved quota; 0 if the target folder has no quota.
  std::uint64_t lent_bytes = 0;  ///< The bytes that replacing a file frees, and no quota covers.
  std::uint64_t room_bytes = 0;  ///< The bytes held against RoomLimit, for uploads to mounts.
  std::string link;      ///< The id of the share link of a guest's upload; empty for other uploads.
  std::string key;       ///< The id of the key that the upload was begun with, if it was one.
  std::string address;   ///< The client's address; of a guest, its network (see network_of).
  std::string leads_to;  ///< Where the mount of `folder` led at the beginning; empty if unknown.
  UploadState state = UploadState::receiving;
  Timestamp created_at{};
  Timestamp touched_at{};  ///< When bytes last arrived or the state last changed.
  std::int64_t turn = 0;  ///< The number of the last turn on it that was taken (see Uploads::take).
  /// The content that was published of its segments (see storage::NewFile), whatever has become of
  /// its file since; 0 if none was.
  storage::ContentId content{};

  /// True if it takes quota with each byte that comes: of a guest, and in another account's files.
  /// What these only announce keeps no room from the account, and its bin as it is.
  bool takes_quota_as_it_comes() const { return !link.empty() || quota_account != account; }
  storage::UploadTurn held() const { return {id, turn}; }
};

/// How many bytes an account may have on the disk of the data folder that wait for mounts.
struct RoomLimit {
  std::uint64_t bytes = 0;        ///< 0: a quarter of what is free and what the account has there.
  std::uint64_t free_bytes = 0;   ///< What is free on that disk.
  std::uint64_t other_bytes = 0;  ///< What waits there for the account besides uploads.
};

/// Returns how many bytes may wait there in all, while `waiting_bytes` wait.
std::uint64_t most_room(const RoomLimit& limit, std::uint64_t waiting_bytes);
/// Returns the error `over_quota`, whose text says how many bytes may wait there.
std::unexpected<Error> fail_no_room(std::uint64_t most_bytes);

/// The resumable uploads in the catalog. The quota reserved for them stays reserved when the server
/// restarts. Safe from any thread. All calls except `report_received` are durable when they return.
///
/// Of several servers on one catalog, one works on an upload at a time: a request takes a turn
/// first. Every call with a storage::UploadTurn fails with `conflict`, and changes nothing, if a
/// later turn was taken meanwhile. Where this server is the only one, the number stays as it is,
/// since its requests wait for each other (see core::UploadTurns) and a note of each would cost a
/// transaction; calls check it all the same.
class Uploads {
 public:
  Uploads(Database& database, const Ledger& ledger) : database_(database), ledger_(ledger) {}

  /// The maximum numbers of unfinished uploads.
  struct Most {
    std::size_t of_account = 0;  ///< Does not count the uploads of guests.
    // For uploads of guests:
    std::size_t of_link = 0;
    std::size_t of_address = 0;  ///< Of one link.
    std::size_t of_guests = 0;   ///< Of all links of the account.
  };
  /// Stores a new upload and reserves its `quota_bytes`. All `lent_bytes` of an account together
  /// are at most its used bytes, so that with the loans of requests at most three times the quota
  /// is on the disk (ADR 26).
  /// - `rate_limited` if there are as many unfinished uploads as `most` allows;
  /// - `over_quota` if the account's free quota is too small, or too much is lent;
  /// - `over_quota` for an upload to a mount that is longer than `room` allows;
  /// - `unready` if there is an upload of that id;
  /// - `not_found` if the account is unknown.
  Task<Result<void>> create(UploadRecord upload, Most most, RoomLimit room = {});
  /// Returns an upload as `find` does, with a new turn for the caller if several servers use the
  /// catalog. Returns nullopt if another server publishes the upload, which nothing interrupts as
  /// long as that server lives.
  Task<Result<std::optional<UploadRecord>>> take(AccountId account, UploadId id);
  /// Makes a `receiving` upload hold what `bytes` bytes in the spool need, before they come, or
  /// only that, after fewer came: to a mount, they are held against `room`; of a guest, quota is
  /// reserved for them; any other upload has reserved its quota, and nothing changes. Unless a call
  /// fails, its upload holds exactly `bytes`. On SQLite a power failure may undo the last calls.
  /// - `over_quota` if they do not fit;
  /// - `not_found` unless the upload is `receiving`.
  Task<Result<void>> hold(Turn turn, storage::UploadTurn held, std::uint64_t bytes, RoomLimit room);
  /// Returns an upload; `not_found` if the account has none with this id.
  Task<Result<UploadRecord>> find(AccountId account, UploadId id);
  /// Records how many bytes of a `receiving` upload are durably stored. Updates `touched_at`.
  Task<Result<void>> note_received(Turn turn, storage::UploadTurn held, std::uint64_t bytes);
  /// Does the same as `note_received`, but on SQLite a power failure may undo the last calls.
  Task<Result<void>> report_received(Turn turn, storage::UploadTurn held, std::uint64_t bytes);

  /// Makes an upload `finishing`. Call it before the file is published as `shown_name` and again if
  /// this name changes. Moves the upload's reserved quota to the reservations of this server's run.
  /// `not_found` unless the upload is `receiving` or `finishing`.
  Task<Result<void>> begin_finishing(Turn turn, storage::UploadTurn held, std::string shown_name);
  /// Changes a `finishing` upload back to `receiving`, because its file was not published. Moves
  /// `quota_bytes` of the run's reservations back to the upload. If it was published nevertheless,
  /// as `content` tells, changes it to `done` instead, and releases them.
  Task<Result<void>> give_up_finishing(Turn turn, storage::UploadTurn held,
                                       std::uint64_t quota_bytes);
  /// Changes a `finishing` upload to `done`, once its file is published and its bytes are recorded.
  /// Keeps about the last kMostDoneUploads of the account, and as many of all its guests.
  Task<Result<void>> end(Turn turn, storage::UploadTurn held);
  /// Records whether the file of an `interrupted` or `finishing` upload was published: changes the
  /// upload to `done` if `is_shown` or its `content` is set, otherwise to `receiving`, and adjusts
  /// its reserved quota.
  Task<Result<void>> note_outcome(Turn turn, storage::UploadTurn held, bool is_shown);

  /// Removes an upload and releases its quota. Does nothing if there is no such upload. `conflict`
  /// also if another server publishes it.
  Task<Result<void>> remove(Turn turn, storage::UploadTurn held);

  /// Returns how many bytes the account's uploads to mounts hold.
  Task<Result<std::uint64_t>> room_of(AccountId account);
  /// The position of an upload in the order of `list`.
  struct Position {
    Timestamp at{};
    std::string id;
  };
  /// Returns at most `most` uploads of the account that are not `done`, into `within` or a folder
  /// below it, the last begun first. With `after`, begins with the upload behind this position.
  Task<Result<std::vector<UploadRecord>>> list(AccountId account, Path within,
                                               std::optional<Position> after, std::size_t most);

  /// Moments by the kinds of uploads.
  struct Untouched {
    Timestamp own{};         ///< Unfinished ones of accounts.
    Timestamp of_guests{};   ///< Unfinished ones of guests.
    Timestamp only_begun{};  ///< Those of guests that have no byte.
    Timestamp done{};
  };
  /// Returns the uploads of all accounts that were last touched before the moment of their kind.
  Task<Result<std::vector<UploadRecord>>> untouched_since(Untouched since);
  /// Returns the `interrupted` uploads of all accounts that no other server looks after. From now
  /// on this one does. Also returns those that this server publishes, or whose publication it could
  /// not record; not those without bytes, whose request alone knows them.
  Task<Result<std::vector<UploadRecord>>> interrupted();
  /// Returns the uploads that nobody can finish, and that are not being published: those of guests
  /// whose share link has expired, was ended, or opens another folder by now (which an upload does
  /// not follow to another place), and those to a share or connector that is gone.
  Task<Result<std::vector<UploadRecord>>> unreachable();
  /// Removes an upload, as `remove` does, if it is still one of these. Returns whether it was.
  Task<Result<bool>> remove_unreachable(Turn turn, UploadId id);
  /// Returns the ids of the uploads that are not `done`. Their bytes may be in the spool.
  Task<Result<std::set<std::string>>> unfinished_ids();
  /// Returns how many unfinished uploads have bytes and none of them in the store of objects: they
  /// lie on the disk of the server that received them while it was alone. Of one upload if `id` is
  /// set. 0 where this server is the only one.
  Task<Result<std::uint64_t>> count_on_disks(std::optional<UploadId> id = {});

 private:
  Database& database_;
  const Ledger& ledger_;
};

std::unexpected<Error> no_such_upload();
/// Locks an upload until the end of the transaction, and returns its state. `not_found` if it is
/// missing; `conflict` if a later turn on it was taken.
Result<UploadState> lock_upload(sql::Connection& sql, const storage::UploadTurn& turn);

}  // namespace coffer::catalog
