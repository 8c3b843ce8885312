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
  finishing,    ///< The present run is publishing it, or could not note that it failed to.
  interrupted,  ///< Its run ended during publication: the file may be there or not.
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
  std::string name;        ///< The name that the client asked for.
  std::string shown_name;  ///< The name that it is published under; empty before.
  OnConflict on_conflict = OnConflict::fail;
  std::string metadata;  ///< The text from the client.
  std::optional<Timestamp> modified_at;
  std::uint64_t length_bytes = 0;
  std::uint64_t received_bytes = 0;  ///< Durably stored bytes.
  std::uint64_t quota_bytes = 0;     ///< Reserved for it; 0 in a place without quota.
  std::string link;                  ///< The link of a guest's upload; empty otherwise.
  UploadState state = UploadState::receiving;
  Timestamp created_at{};
  Timestamp touched_at{};  ///< The time of the last bytes.
};

/// The resumable uploads in the catalog, with the quota reserved for them across restarts. Safe
/// from any thread. All calls but `report_received` are durable when they return.
class Uploads {
 public:
  Uploads(Database& database, const Ledger& ledger) : database_(database), ledger_(ledger) {}

  /// The most unfinished uploads at once.
  struct Most {
    std::size_t of_account = 0;
    std::size_t of_link = 0;
  };
  /// Notes a new upload and reserves its quota. `rate_limited` if the account or the link has
  /// `most` already, `over_quota` if the quota does not suffice, `not_found` for an unknown
  /// account.
  Task<Result<void>> create(UploadRecord upload, Most most);
  /// `not_found` for an id that is unknown or another account's.
  Task<Result<UploadRecord>> find(AccountId account, UploadId id);
  /// Notes the number of durably stored bytes of a receiving upload, and the time.
  Task<Result<void>> note_received(UploadId id, std::uint64_t bytes);
  /// The same, but on SQLite a power failure may undo the last calls.
  Task<Result<void>> report_received(UploadId id, std::uint64_t bytes);

  /// Notes that this run is about to publish the file under that name, and moves the reserved quota
  /// to the run. Call it again for another name. `not_found` if the upload is neither receiving nor
  /// finishing.
  Task<Result<void>> begin_finishing(UploadId id, std::string shown_name);
  /// Undoes that, since the file was not published, and reserves `quota_bytes` of the run's quota
  /// for the upload again.
  Task<Result<void>> give_up_finishing(UploadId id, std::uint64_t quota_bytes);
  /// Notes that the file is published and its quota recorded.
  Task<Result<void>> end(UploadId id);
  /// Notes for an upload that was finishing when its run ended if the file was published.
  Task<Result<void>> note_outcome(UploadId id, bool is_shown);

  /// Removes an upload and releases its quota. Does nothing if there is no such upload.
  Task<Result<void>> remove(UploadId id);

  /// Returns, for all accounts, the unfinished uploads whose last bytes came before `unfinished`,
  /// and the done ones before `done`.
  Task<Result<std::vector<UploadRecord>>> untouched_since(Timestamp unfinished, Timestamp done);
  Task<Result<std::vector<UploadRecord>>> interrupted();
  /// Returns the unfinished uploads of guests whose links have ended.
  Task<Result<std::vector<UploadRecord>>> of_ended_links();
  /// Returns the uploads that may have bytes in the spool.
  Task<Result<std::set<std::string>>> unfinished_ids();

 private:
  Database& database_;
  const Ledger& ledger_;
};

}  // namespace coffer::catalog
