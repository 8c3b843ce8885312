#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/accounts/quota.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "core/tasks/work_pools.h"
#include "core/uploads/upload_publication.h"
#include "core/uploads/upload_reception.h"
#include "core/uploads/upload_turns.h"
#include "storage/spool.h"

namespace coffer::core {

/// A request for a new upload.
struct NewUpload {
  Path folder;  ///< From the principal's root.
  std::string name;
  catalog::OnConflict on_conflict = catalog::OnConflict::fail;
  std::optional<Timestamp> modified_at = {};
  std::uint64_t length_bytes = 0;
  std::string metadata = {};  ///< As the client sent it.
  bool is_of_guest = false;   ///< The principal came by a share link; the upload ends with that.
};

struct UploadStatus {
  UploadId id;
  std::uint64_t offset = 0;  ///< The bytes that are stored safely; all only when it is done.
  std::uint64_t length_bytes = 0;
  std::string metadata;
  Timestamp expires_at{};
};

/// The outcome of a request; `status` is set unless it was refused.
struct UploadAnswer {
  UploadRefusal refusal = UploadRefusal::none;
  UploadStatus status = {};
};

/// Uploads in several requests, which survive restarts (docs/adr/0026). They belong to the account
/// that made them; a key that is limited to a folder reaches the uploads into it. All calls fail
/// with `not_found` for an id that the principal may not know of, and `forbidden` for a key that
/// may only read. Safe from any thread.
class ResumableUploads {
 public:
  static constexpr std::uint64_t kLongestBytes = std::uint64_t{1} << 44;  ///< 16 TiB, as of ext4.
  static constexpr catalog::Uploads::Most kMost{1000, 100};  ///< Of unfinished uploads.
  static constexpr auto kKept = std::chrono::hours(7 * 24);
  /// The time for clients to learn that an upload is done.
  static constexpr auto kDoneKept = std::chrono::hours(24);

  ResumableUploads(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
                   const Quota& quota, FolderChanges& folder_changes, WorkPools& pools,
                   storage::Spool& spool)
      : catalog_(catalog),
        namespace_(homes, mounts),
        quota_(quota),
        folder_changes_(folder_changes),
        pools_(pools),
        spool_(spool),
        access_recheck_(catalog, mounts) {}

  /// Creates an upload into an existing folder and reserves its quota. An empty file is published
  /// at once. Fails as Files::upload does, with `exists` also for a name that is taken, or with
  /// `rate_limited`.
  Task<Result<UploadStatus>> create(const Principal& principal, NewUpload wanted);
  /// Returns the status, and interrupts a request that works on the upload.
  Task<Result<UploadAnswer>> status(const Principal& principal, UploadId id);
  /// Appends the bytes of one request at `offset`, and publishes the file when it is complete.
  /// Interrupts another request that works on the upload. `conflict` if `offset` is not the
  /// upload's. Fails as publishing does; then the last byte can be sent again.
  Task<Result<UploadAnswer>> append(const Principal& principal, UploadId id, std::uint64_t offset,
                                    std::optional<WantedChecksum> checksum, UploadSource& source);
  /// Cancels the upload; a published file stays.
  Task<Result<UploadAnswer>> remove(const Principal& principal, UploadId id);

  /// Removes expired uploads, and bytes without an upload.
  Task<void> sweep();
  /// Removes the unfinished uploads of guests whose links have ended.
  Task<void> sweep_ended_links();
  /// Finds out, at the start, which uploads were published when the last server ended.
  Task<void> reconcile_interrupted();

 private:
  using Record = catalog::UploadRecord;
  /// An upload and the turn to work on it.
  struct Found {
    UploadRefusal refusal = UploadRefusal::none;
    Record record = {};
    UploadTurns::Turn turn;
  };

  static UploadStatus status_of(const Record& record);
  Pool& pool_of(const Record& record) { return pools_.of(record.account).brief; }

  Task<Result<void>> check_target(const ResolvedPath& folder, const NewUpload& wanted,
                                  std::uint64_t& replaced_bytes);
  /// Resolves an upload's target; fails if the right to it was withdrawn since it was created.
  Task<Result<ResolvedPath>> target_of(const Principal& principal, const Record& record);
  Task<Result<void>> try_note(const Record& record);
  Task<Result<void>> note(Record& record, std::uint64_t replaced_bytes);

  Task<Result<Record>> find_record(const Principal& principal, const UploadId& id);
  Task<Result<std::optional<Found>>> find(const Principal& principal, UploadId id,
                                          UploadTurns::Interrupt interrupt);
  Task<Result<UploadRefusal>> bring_up_to_date(Record& record);
  Task<Result<UploadAnswer>> append_to(const Principal& principal, Record record,
                                       std::optional<WantedChecksum> checksum,
                                       UploadSource& source);
  Task<Result<void>> finish(const Principal& principal, ResolvedPath target, const Record& record,
                            storage::SpoolFile& file);
  Task<Result<void>> finish_empty(const Principal& principal, ResolvedPath target,
                                  const Record& record);
  Task<Result<void>> drop(const Record& record);
  Task<Result<void>> reconcile(const Record& record);
  Task<void> sweep_expired();
  Task<void> sweep_unknown();

  catalog::Catalog& catalog_;
  const Namespace namespace_;
  const Quota quota_;
  FolderChanges& folder_changes_;
  WorkPools& pools_;
  storage::Spool& spool_;
  AccessRecheck access_recheck_;
  UploadTurns turns_;
};

}  // namespace coffer::core
