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
  std::string folder;      ///< The path of the target folder, from the account's root.
  std::string name;        ///< The name that the client asked for.
  std::string shown_name;  ///< The name under which the file is published; empty before that.
  OnConflict on_conflict = OnConflict::fail;
  std::string metadata;  ///< The text that the client sent about the upload.
  std::optional<Timestamp> modified_at;
  std::uint64_t length_bytes = 0;
  std::uint64_t received_bytes = 0;  ///< The number of durably stored bytes.
  std::uint64_t quota_bytes = 0;     ///< The reserved quota; 0 if the target folder has no quota.
  std::string link;      ///< The id of the share link of a guest's upload; empty for other uploads.
  std::string leads_to;  ///< Where the mount of `folder` led at the beginning; empty if unknown.
  UploadState state = UploadState::receiving;
  Timestamp created_at{};
  Timestamp touched_at{};  ///< When bytes last arrived or the state last changed.
};

/// The resumable uploads in the catalog. The quota reserved for them stays reserved when the server
/// restarts. Safe from any thread. All calls except `report_received` are durable when they return.
class Uploads {
 public:
  Uploads(Database& database, const Ledger& ledger) : database_(database), ledger_(ledger) {}

  /// The maximum numbers of unfinished uploads.
  struct Most {
    std::size_t of_account = 0;  ///< Does not count the uploads of guests.
    std::size_t of_link = 0;
  };
  /// Stores a new upload and reserves its quota. The limit for an upload of a guest is
  /// `most.of_link`, for any other upload `most.of_account`.
  /// - `rate_limited` if there are as many unfinished uploads as the limit allows;
  /// - `over_quota` if the account's free quota is too small;
  /// - `not_found` if the account is unknown.
  Task<Result<void>> create(UploadRecord upload, Most most);
  /// Returns an upload; `not_found` if the account has none with this id.
  Task<Result<UploadRecord>> find(AccountId account, UploadId id);
  /// Records how many bytes of a `receiving` upload are durably stored. Updates `touched_at`.
  Task<Result<void>> note_received(UploadId id, std::uint64_t bytes);
  /// Does the same as `note_received`, but on SQLite a power failure may undo the last calls.
  Task<Result<void>> report_received(UploadId id, std::uint64_t bytes);

  /// Makes an upload `finishing`. Call it before the file is published as `shown_name` and again if
  /// this name changes. Moves the upload's reserved quota to the reservations of this server's run.
  /// `not_found` unless the upload is `receiving` or `finishing`.
  Task<Result<void>> begin_finishing(UploadId id, std::string shown_name);
  /// Changes a `finishing` upload back to `receiving`, because its file was not published. Moves
  /// `quota_bytes` of the run's reservations back to the upload.
  Task<Result<void>> give_up_finishing(UploadId id, std::uint64_t quota_bytes);
  /// Changes a `finishing` upload to `done`, once its file is published and its bytes are recorded.
  Task<Result<void>> end(UploadId id);
  /// Records whether the file of an `interrupted` or `finishing` upload was published: changes the
  /// upload to `done` if `is_shown`, otherwise to `receiving`, and adjusts its reserved quota.
  Task<Result<void>> note_outcome(UploadId id, bool is_shown);

  /// Removes an upload and releases its quota. Does nothing if there is no such upload.
  Task<Result<void>> remove(UploadId id);

  /// Returns the uploads of all accounts whose `touched_at` is before `unfinished`, and the `done`
  /// uploads of all accounts whose `touched_at` is before `done`.
  Task<Result<std::vector<UploadRecord>>> untouched_since(Timestamp unfinished, Timestamp done);
  /// Returns the `interrupted` uploads of all accounts.
  Task<Result<std::vector<UploadRecord>>> interrupted();
  /// Returns the `receiving` uploads of guests whose share link has expired or was ended.
  Task<Result<std::vector<UploadRecord>>> of_ended_links();
  /// Returns the ids of the uploads that are not `done`. Their bytes may be in the spool.
  Task<Result<std::set<std::string>>> unfinished_ids();

 private:
  Database& database_;
  const Ledger& ledger_;
};

}  // namespace coffer::catalog
