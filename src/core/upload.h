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
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/namespace.h"
#include "core/quota.h"
#include "core/tasks/background.h"
#include "storage/writer.h"

namespace coffer::core {

/// Files on their way into one folder: collected out of sight, shown all together or not at all.
/// What is not published leaves nothing behind. Not safe for concurrent calls.
class Upload {
 public:
  /// The principal's rights are looked at again when the files are to be shown.
  Upload(Principal principal, Namespace ns, ResolvedPath folder, const Quota& quota,
         AccessRecheck& access_recheck, FolderChanges& folder_changes);

  /// What is shown also hangs on this: it is looked at again in the same moment.
  void also_uses(MountUse use) { uses_.push_back(std::move(use)); }

  /// To be called once, before the files, with the length of the request's body, framing included.
  /// `over_quota` if that cannot fit even when it replaces every file in the folder; `disk_full` if
  /// the whole disk cannot hold so much.
  Task<Result<void>> expect(std::optional<std::uint64_t> content_length);

  /// Begins the next file, which ends the one before. `invalid` for a bad name or one that this
  /// upload has already; `exists` if it is a folder's, and as the options have it.
  Task<Result<void>> begin_file(std::string_view name, storage::WriteOptions options = {});
  /// Adds to it; `over_quota` when no more fits.
  Task<Result<void>> write(std::span<const std::byte> data);
  /// Takes an open file as the content of the one that was begun; see storage::Writer.
  Task<Result<bool>> adopt(int descriptor, std::uint64_t size_bytes);
  /// Shows all files and tells of each in the order they came; `invalid` if there were none. Fails
  /// as AccessRecheck does if a right to it was lost meanwhile.
  Task<Result<std::vector<storage::Published>>> publish();
  /// The files' names, in the same order.
  const std::vector<std::string>& names() const { return names_; }
  /// Of the last file, as Writer::shown_version.
  Task<std::optional<storage::FileVersion>> shown_version();

  /// The quota that it uses, for a caller that had reserved it before and keeps it after a failure.
  Reservation& reservation() { return reservation_; }

 private:
  Task<Result<void>> check_room(std::uint64_t content_bytes);
  Task<Result<void>> make_room(std::uint64_t received_bytes);
  Task<Result<std::uint64_t>> growth();
  Task<Result<std::uint64_t>> replaceable();

  Task<Result<std::vector<storage::Published>>> show();
  Task<Result<void>> recheck();
  /// Why no quota could be had: an account that was removed has no ledger, and no rights.
  Task<Error> why(Error error);

  Principal principal_;
  Namespace namespace_;
  ResolvedPath folder_;
  Reservation reservation_;
  AccessRecheck& access_recheck_;
  std::vector<MountUse> uses_;
  FolderChanges& folder_changes_;
  std::vector<std::unique_ptr<storage::Writer>> writers_;
  std::vector<std::string> names_;
  std::set<std::string, std::less<>> seen_;
  std::uint64_t received_bytes_ = 0;
  std::optional<std::uint64_t> replaceable_bytes_;  ///< Of the folder's files, once asked for.
};

}  // namespace coffer::core
