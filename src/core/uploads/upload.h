#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/accounts/quota.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/namespace.h"
#include "core/tasks/background.h"
#include "storage/spool.h"
#include "storage/writer.h"

namespace coffer::core {

/// Receives files for one folder under hidden names, and publishes all of them together or none.
/// Removes unpublished files when it is destroyed. Not safe for concurrent calls.
class Upload {
 public:
  /// The principal's rights are checked again when the files are published.
  Upload(Principal principal, ResolvedPath folder, const Quota& quota,
         AccessRecheck& access_recheck, FolderChanges& folder_changes);

  /// Adds a mount that the upload uses. `publish` checks the rights to this mount, too.
  void also_uses(MountUse use) { uses_.push_back(std::move(use)); }

  /// Limits the upload to one file of this name. Then only that counts as replaced, so that nothing
  /// is freed for an upload that does not fit. Call this before `expect`.
  void limit_to(std::string name) { only_name_ = std::move(name); }
  /// Reserves quota for a request. `content_length` is the length of the request's body including
  /// multipart framing, if it is known. Call this once, before the first file. Errors:
  /// - `over_quota` if the content would not fit even if it replaced every file in the folder, or
  ///   others are lent what these free
  /// - `disk_full` if the whole disk is smaller than the content
  Task<Result<void>> expect(std::optional<std::uint64_t> content_length);

  /// Ends the current file, if there is one, and begins the next. Errors:
  /// - `invalid` if the name is not allowed, or the upload already has a file with this name
  /// - `exists` if a folder has the name
  /// - `exists` if a file has the name and `options` do not allow its replacement
  Task<Result<void>> begin_file(std::string_view name, storage::WriteOptions options);
  /// Appends to the current file. Errors:
  /// - `over_quota` if the bytes do not fit, or the account has collected too many for servers (see
  ///   MountRoom)
  /// - those of AccessRecheck::of if a right to the upload was lost in the last seconds
  Task<Result<void>> write(std::span<const std::byte> data);
  /// Uses the spool file as the whole content of the current file, without copying it. Returns
  /// false if this is not possible (see storage::Writer::adopt).
  Task<Result<bool>> adopt(storage::SpoolFile& file);
  /// Publishes all files and returns the result for each, in the order of `begin_file`. `invalid`
  /// if there are no files. Fails as AccessRecheck::of does if a right to the upload was lost.
  Task<Result<std::vector<storage::Published>>> publish();
  /// Returns the names of the files, in the order of `begin_file`.
  const std::vector<std::string>& names() const { return names_; }
  /// Returns the last file's state when it was published (see storage::Writer::shown_version).
  Task<std::optional<storage::FileVersion>> shown_version();

  /// Returns the upload's reservation of quota. A caller that has already reserved bytes for this
  /// upload in the ledger adds them with Reservation::add_reserved. After a failure, the caller
  /// takes them back with Reservation::release.
  Reservation& reservation() { return reservation_; }

 private:
  Task<Result<std::uint64_t>> lacking(std::uint64_t content_bytes);
  Task<Result<void>> reserve(std::uint64_t received_bytes);
  std::uint64_t ahead_of(std::uint64_t received_bytes) const;
  Task<Result<void>> lend(std::uint64_t received_bytes);
  Task<Result<std::uint64_t>> growth();
  Task<Result<std::uint64_t>> replaceable();

  Task<Result<std::vector<storage::Published>>> show();
  bool has_left_files() const;
  Task<void> commit_left_files();
  Task<Result<void>> recheck();
  /// Returns the error to report for a failed reservation: usually `error`. If that is `not_found`,
  /// because the account was removed, returns the error of AccessRecheck::of, which says more.
  Task<Error> explain(Error error);

  Principal principal_;
  ResolvedPath folder_;
  Reservation reservation_;
  MountRoom::Share collected_;  ///< Of a body of unknown size for a server that needs it first.
  AccessRecheck& access_recheck_;
  RecheckTimer timer_;
  std::vector<MountUse> uses_;
  FolderChanges& folder_changes_;
  std::vector<std::unique_ptr<storage::Writer>> writers_;
  std::vector<std::string> names_;
  std::set<std::string, std::less<>> seen_;
  std::optional<std::uint64_t> expected_bytes_;  ///< With framing, if it is known.
  std::uint64_t received_bytes_ = 0;
  std::optional<std::string> only_name_;            ///< See `limit_to`.
  std::optional<std::uint64_t> replaceable_bytes_;  ///< The size of all files that may be replaced.
};

}  // namespace coffer::core
