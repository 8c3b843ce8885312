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
#include "catalog/on_conflict.h"

namespace coffer::catalog {

class Database;
class Ledger;

enum class UploadState : std::uint8_t {
  receiving,
  finishing,    ///< The run that was begun last shows it, or could not note that it does not.
  interrupted,  ///< The run that showed it ended meanwhile: it shows, or not.
  done,
};
constexpr auto words_of(UploadState) {
  using enum UploadState;
  return enum_words<UploadState>({{receiving, "receiving"},
                                  {finishing, "finishing"},
                                  {interrupted, "interrupted"},
                                  {done, "done"}});
}

/// An upload that can be resumed.
struct UploadRecord {
  UploadId id;
  AccountId account;
  std::string folder;      ///< The target, from the account's root.
  std::string name;        ///< As the client asked.
  std::string shown_name;  ///< The name under which it is shown; empty before.
  OnConflict on_conflict = OnConflict::fail;
  std::string metadata;  ///< As the client gave it.
  std::optional<Timestamp> modified_at;
  std::uint64_t length_bytes = 0;
  std::uint64_t received_bytes = 0;  ///< Safely stored; the length once it is done.
  std::uint64_t quota_bytes = 0;     ///< Reserved for it; 0 for a place without quota.
  std::string link;                  ///< The link of the guest who uploads; empty without one.
  UploadState state = UploadState::receiving;
  Timestamp created_at{};
  Timestamp touched_at{};  ///< When the last bytes came.
};

/// The uploads in the catalog, and the quota reserved for them across restarts. Safe from any
/// thread. Changes are on the disk when the call returns, but for `report_received`.
class Uploads {
 public:
  Uploads(Database& database, const Ledger& ledger) : database_(database), ledger_(ledger) {}

  /// How many may be unfinished at once.
  struct Most {
    std::size_t of_account = 0;
    std::size_t of_link = 0;
  };
  /// Notes a new upload and reserves its quota. `rate_limited` if the account or the link has
  /// `most` already, `over_quota` if it does not fit, `not_found` if there is no such account.
  Task<Result<void>> create(UploadRecord upload, Most most);
  /// `not_found` for an id that is unknown or another account's.
  Task<Result<UploadRecord>> find(AccountId account, UploadId id);
  /// Notes that so many bytes are safely stored, while it is receiving, and the time.
  Task<Result<void>> note_received(UploadId id, std::uint64_t bytes);
  /// The same, but on SQLite a power failure may undo the last calls.
  Task<Result<void>> report_received(UploadId id, std::uint64_t bytes);

  /// Notes, before the file is shown under that name, that this run is about to, and moves the
  /// reserved quota to the run. Again for another name. `not_found` if it is neither receiving nor
  /// finishing.
  Task<Result<void>> begin_finishing(UploadId id, std::string shown_name);
  /// Undoes that: the file is not shown, and so much of the run's quota is reserved for it again.
  Task<Result<void>> give_up_finishing(UploadId id, std::uint64_t quota_bytes);
  /// Notes that it is shown and its quota is committed.
  Task<Result<void>> end(UploadId id);
  /// Notes whether an interrupted upload, or one that was finishing when its run ended, is shown.
  Task<Result<void>> settle(UploadId id, bool is_shown);

  /// Removes it and releases its quota. Does nothing if there is no such upload.
  Task<Result<void>> remove(UploadId id);

  /// Of all accounts: the unfinished uploads whose last bytes came before `unfinished`, and the
  /// done ones before `done`.
  Task<Result<std::vector<UploadRecord>>> untouched_since(Timestamp unfinished, Timestamp done);
  Task<Result<std::vector<UploadRecord>>> interrupted();
  /// The unfinished uploads of guests whose links have ended.
  Task<Result<std::vector<UploadRecord>>> of_ended_links();
  /// The uploads that may have bytes in the spool.
  Task<Result<std::set<std::string>>> unfinished_ids();

 private:
  Database& database_;
  const Ledger& ledger_;
};

}  // namespace coffer::catalog
