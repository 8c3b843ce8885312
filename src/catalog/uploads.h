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
  finishing,    ///< This run is publishing the file, or failed and could not record that.
  interrupted,  ///< The server stopped during publication: the file may be there or not.
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
  std::string folder;      ///< The path of the target folder, from the account's root.
  std::string name;        ///< The name that the client asked for.
  std::string shown_name;  ///< The name that it is published under; empty until then.
  OnConflict on_conflict = OnConflict::fail;
  std::string metadata;  ///< The text from the client.
  std::optional<Timestamp> modified_at;
  std::uint64_t length_bytes = 0;
  std::uint64_t received_bytes = 0;  ///< Durably stored bytes.
  std::uint64_t quota_bytes = 0;     ///< Reserved for it; 0 if the target folder has no quota.
  std::string link;  ///< The id of the link that a guest uploads by; empty for others.
  UploadState state = UploadState::receiving;
  Timestamp created_at{};
  Timestamp touched_at{};  ///< The time of the last bytes or change of state.
};

/// The resumable uploads in the catalog, with the quota reserved for them across restarts. Safe
/// from any thread. All calls but `report_received` are durable when they return.
class Uploads {
 public:
  Uploads(Database& database, const Ledger& ledger) : database_(database), ledger_(ledger) {}

  /// The maximum numbers of unfinished uploads.
  struct Most {
    std::size_t of_account = 0;  ///< Without the uploads of guests.
    std::size_t of_link = 0;
  };
  /// Stores a new upload and reserves its quota. `rate_limited` if the account or the link has
  /// `most` unfinished uploads already, `over_quota` if the quota does not suffice, `not_found` for
  /// an unknown account.
  Task<Result<void>> create(UploadRecord upload, Most most);
  /// Returns an upload; `not_found` if the account has none with this id.
  Task<Result<UploadRecord>> find(AccountId account, UploadId id);
  /// Records the number of durably stored bytes of a receiving upload, and the current time.
  Task<Result<void>> note_received(UploadId id, std::uint64_t bytes);
  /// Records what `note_received` records, but on SQLite a power failure may undo the last calls.
  Task<Result<void>> report_received(UploadId id, std::uint64_t bytes);

  /// Makes the upload finishing: this run is about to publish the file under `shown_name`. Moves
  /// the upload's reserved quota to the run's reservations. Call it again if the name changes.
  /// `not_found` if the upload is neither receiving nor finishing.
  Task<Result<void>> begin_finishing(UploadId id, std::string shown_name);
  /// Makes a finishing upload receiving again, because its file was not published. Moves
  /// `quota_bytes` of the run's reservations back to the upload.
  Task<Result<void>> give_up_finishing(UploadId id, std::uint64_t quota_bytes);
  /// Makes a finishing upload done, after its file was published and its quota recorded.
  Task<Result<void>> end(UploadId id);
  /// Makes an interrupted upload done if its file was published (`is_shown`), otherwise receiving
  /// again. Corrects the quota reserved for it.
  Task<Result<void>> note_outcome(UploadId id, bool is_shown);

  /// Removes an upload and releases its quota. Does nothing if there is no such upload.
  Task<Result<void>> remove(UploadId id);

  /// Returns, for all accounts, the uploads whose `touched_at` is before `unfinished`, and the done
  /// uploads whose `touched_at` is before `done`.
  Task<Result<std::vector<UploadRecord>>> untouched_since(Timestamp unfinished, Timestamp done);
  Task<Result<std::vector<UploadRecord>>> interrupted();
  /// Returns the receiving uploads of guests whose links have expired or were ended.
  Task<Result<std::vector<UploadRecord>>> of_ended_links();
  /// Returns the ids of the uploads that are not done. They may have bytes in the spool.
  Task<Result<std::set<std::string>>> unfinished_ids();

 private:
  Database& database_;
  const Ledger& ledger_;
};

}  // namespace coffer::catalog
