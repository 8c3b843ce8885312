#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/accounts/quota.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/namespace.h"
#include "core/tasks/background.h"
#include "storage/writer.h"

namespace coffer::core {

/// Files that are uploaded into one folder: collected in hidden files and published all together or
/// not at all. An upload that is not published leaves nothing. Not safe for concurrent calls.
class Upload {
 public:
  /// The principal's rights are checked again when the files are published.
  Upload(Principal principal, ResolvedPath folder, const Quota& quota,
         AccessRecheck& access_recheck, FolderChanges& folder_changes);

  /// Adds a mount whose rights are checked at the same time.
  void also_uses(MountUse use) { uses_.push_back(std::move(use)); }

  /// Call it once, before the files, with the length of the request's body including framing.
  /// `over_quota` if that cannot fit even when it replaces every file in the folder; `disk_full` if
  /// the disk is smaller.
  Task<Result<void>> expect(std::optional<std::uint64_t> content_length);

  /// Begins the next file and ends the one before. `invalid` for a bad name or one that this upload
  /// has already; `exists` if a folder has the name, or as the options say.
  Task<Result<void>> begin_file(std::string_view name, storage::WriteOptions options = {});
  /// Appends to the file; `over_quota` if no more fits.
  Task<Result<void>> write(std::span<const std::byte> data);
  /// Uses an open file as the content of the file that was begun; see storage::Writer.
  Task<Result<bool>> adopt(int descriptor, std::uint64_t size_bytes);
  /// Publishes all files and describes each, in the order they came; `invalid` if there are none.
  /// Fails as AccessRecheck does if a right to it was lost meanwhile.
  Task<Result<std::vector<storage::Published>>> publish();
  /// The files' names, in the same order.
  const std::vector<std::string>& names() const { return names_; }
  /// The version of the last file, as Writer::shown_version.
  Task<std::optional<storage::FileVersion>> shown_version();

  /// The reservation, for a caller that had reserved bytes before and keeps them after a failure.
  Reservation& reservation() { return reservation_; }

 private:
  Task<Result<void>> check_quota(std::uint64_t content_bytes);
  Task<Result<void>> reserve(std::uint64_t received_bytes);
  Task<Result<std::uint64_t>> growth();
  Task<Result<std::uint64_t>> replaceable();

  Task<Result<std::vector<storage::Published>>> show();
  Task<Result<void>> recheck();
  /// The reason for a failed reservation: a removed account has no ledger, but also no rights.
  Task<Error> explain(Error error);

  Principal principal_;
  ResolvedPath folder_;
  Reservation reservation_;
  AccessRecheck& access_recheck_;
  std::vector<MountUse> uses_;
  FolderChanges& folder_changes_;
  std::vector<std::unique_ptr<storage::Writer>> writers_;
  std::vector<std::string> names_;
  std::set<std::string, std::less<>> seen_;
  std::uint64_t received_bytes_ = 0;
  std::optional<std::uint64_t> replaceable_bytes_;  ///< The size of the folder's files, once read.
};

}  // namespace coffer::core
