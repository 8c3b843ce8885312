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

/// An upload that can be gone on with.
struct UploadRecord {
  UploadId id;
  AccountId account;
  std::string folder;      ///< Where it goes, from the account's root.
  std::string name;        ///< That was asked for.
  std::string shown_name;  ///< Under which it is, or was, shown; empty before.
  OnConflict on_conflict = OnConflict::fail;
  std::string metadata;  ///< As the client gave it.
  std::optional<Timestamp> modified_at;
  std::uint64_t length_bytes = 0;
  std::uint64_t received_bytes = 0;  ///< That are safe; less than the length before it is done.
  std::uint64_t quota_bytes = 0;     ///< Reserved for it; 0 where no quota counts what it stores.
  std::string link;                  ///< The link that a guest came by; empty without one.
  UploadState state = UploadState::receiving;
  Timestamp created_at{};
  Timestamp touched_at{};  ///< When the last bytes came.
};

/// The uploads in the catalog, and the quota that they hold over all restarts. Safe from any
/// thread. What changes is on the disk when the call returns, but for `report`.
class Uploads {
 public:
  Uploads(Database& database, const Ledger& ledger) : database_(database), ledger_(ledger) {}

  /// So many that are not done.
  struct Most {
    std::size_t of_account = 0;
    std::size_t of_link = 0;
  };
  /// Notes a new one and reserves its quota. `rate_limited` if the account or the link has `most`
  /// already, `over_quota` if it does not fit, `not_found` if there is no such account.
  Task<Result<void>> create(UploadRecord upload, Most most);
  /// `not_found` for an id that is unknown or another account's.
  Task<Result<UploadRecord>> find(AccountId account, UploadId id);
  /// So many bytes are safe, while it is receiving; they were touched now.
  Task<Result<void>> note_received(UploadId id, std::uint64_t bytes);
  /// The same, but on SQLite a power failure may undo the last ones.
  Task<Result<void>> report_received(UploadId id, std::uint64_t bytes);

  /// It is to be shown under that name by this run, which has its quota from now on: before
  /// anything shows. Once more for another name. `not_found` if it is neither receiving nor
  /// finishing.
  Task<Result<void>> begin_finishing(UploadId id, std::string shown_name);
  /// Nothing shows, and it holds so much again, which this run had reserved.
  Task<Result<void>> give_up_finishing(UploadId id, std::uint64_t quota_bytes);
  /// It shows, and its quota is settled.
  Task<Result<void>> end(UploadId id);
  /// For one that is interrupted, or finishing though nothing is at work on it.
  Task<Result<void>> settle(UploadId id, bool is_shown);

  /// What it held is free again. Nothing if there is no such upload.
  Task<Result<void>> remove(UploadId id);

  /// Of all accounts: what is not done and was touched last before the one, or is done and was
  /// before the other.
  Task<Result<std::vector<UploadRecord>>> untouched_since(Timestamp unfinished, Timestamp done);
  Task<Result<std::vector<UploadRecord>>> interrupted();
  /// What guests left unfinished by links that have ended.
  Task<Result<std::vector<UploadRecord>>> of_ended_links();
  /// Those that may have bytes in the spool.
  Task<Result<std::set<std::string>>> unfinished_ids();

 private:
  Database& database_;
  const Ledger& ledger_;
};

}  // namespace coffer::catalog
