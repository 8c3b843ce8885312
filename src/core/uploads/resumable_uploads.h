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

/// An upload that is to be.
struct NewUpload {
  Path folder;  ///< From the principal's root.
  std::string name;
  catalog::OnConflict on_conflict = catalog::OnConflict::fail;
  std::optional<Timestamp> modified_at = {};
  std::uint64_t length_bytes = 0;
  std::string metadata = {};  ///< As the client gave it.
  bool is_of_guest = false;   ///< The principal came by a share link, with which this ends.
};

struct UploadStatus {
  UploadId id;
  std::uint64_t offset = 0;  ///< So many bytes are safe; all of them only when it is done.
  std::uint64_t length_bytes = 0;
  std::string metadata;
  Timestamp expires_at{};
};

/// `status` only where nothing is refused.
struct UploadAnswer {
  UploadRefusal refusal = UploadRefusal::none;
  UploadStatus status = {};
};

/// Uploads in several requests, over all restarts (docs/adr/0026). They belong to the account that
/// made them; a key that is limited to a folder reaches those into it. Safe from any thread.
/// `not_found` for an id that the principal may not know of, `forbidden` where it may only read.
class ResumableUploads {
 public:
  static constexpr std::uint64_t kLongestBytes = std::uint64_t{1} << 44;  ///< 16 TiB, as of ext4.
  static constexpr catalog::Uploads::Most kMost{1000, 100};  ///< That are not finished.
  static constexpr auto kKept = std::chrono::hours(7 * 24);
  /// For clients that did not hear that it was done.
  static constexpr auto kDoneKept = std::chrono::hours(24);

  ResumableUploads(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
                   const Quota& quota, FolderChanges& folder_changes, WorkPools& pools,
                   storage::Spool& spool)
      : catalog_(catalog),
        homes_(homes),
        mounts_(mounts),
        quota_(quota),
        folder_changes_(folder_changes),
        pools_(pools),
        spool_(spool),
        access_recheck_(catalog, mounts) {}

  /// Into an existing folder. Reserves the quota; one of no bytes is shown at once. Fails as
  /// Files::upload does, with `exists` also for a name that is taken, or with `rate_limited`.
  Task<Result<UploadStatus>> create(const Principal& principal, NewUpload wanted);
  /// Ends a request that is at work on it.
  Task<Result<UploadAnswer>> status(const Principal& principal, UploadId id);
  /// Adds the bytes of one request at `offset`, and shows the file when it is complete. Ends
  /// another request that is at work on it. `conflict` if `offset` is another than the upload's;
  /// what publishing fails with, after which the last byte can be sent again.
  Task<Result<UploadAnswer>> append(const Principal& principal, UploadId id, std::uint64_t offset,
                                    std::optional<WantedChecksum> checksum, UploadSource& source);
  /// Gives the upload up; the file stays where it was shown.
  Task<Result<UploadAnswer>> remove(const Principal& principal, UploadId id);

  /// Removes what was not touched for too long, and what nothing knows of.
  Task<void> sweep();
  /// Removes what guests left unfinished by links that have ended.
  Task<void> sweep_ended_links();
  /// For a start: finds out what became of those that were being shown when the last server ended.
  Task<void> settle_interrupted();

 private:
  using Record = catalog::UploadRecord;
  /// What a request works on, found in its turn.
  struct Found {
    UploadRefusal refusal = UploadRefusal::none;
    Record record = {};
    UploadTurns::Turn turn;
  };
  /// A place to write to.
  struct Target {
    Namespace ns;
    ResolvedPath folder;
  };

  static UploadStatus status_of(const Record& record);
  Pool& pool_of(const Record& record) { return pools_.of(record.account).brief; }

  Task<Result<void>> check_target(Target& target, const NewUpload& wanted,
                                  std::uint64_t& replaced_bytes);
  Task<Result<Target>> target_of(const Principal& principal, const Path& folder);
  /// Of an upload that was let in once: fails with a right that was withdrawn since.
  Task<Result<Target>> target_of(const Principal& principal, const Record& record);
  Task<Result<void>> try_note(const Record& record);
  Task<Result<void>> note(Record& record, std::uint64_t replaced_bytes);

  Task<Result<Record>> look_up(const Principal& principal, const UploadId& id);
  Task<Result<std::optional<Found>>> find(const Principal& principal, UploadId id,
                                          UploadTurns::Interrupt interrupt);
  Task<Result<UploadRefusal>> bring_up_to_date(Record& record);
  Task<Result<UploadAnswer>> append_to(const Principal& principal, Record record,
                                       std::optional<WantedChecksum> checksum,
                                       UploadSource& source);
  Task<Result<void>> finish(const Principal& principal, Target target, const Record& record,
                            storage::SpoolFile& file);
  Task<Result<void>> finish_empty(const Principal& principal, Target target, const Record& record);
  Task<Result<void>> drop(const Record& record);
  Task<Result<void>> settle(const Record& record);
  Task<void> sweep_expired();
  Task<void> sweep_unknown();

  catalog::Catalog& catalog_;
  HomeDirectories& homes_;
  Mounts& mounts_;
  const Quota quota_;
  FolderChanges& folder_changes_;
  WorkPools& pools_;
  storage::Spool& spool_;
  AccessRecheck access_recheck_;
  UploadTurns turns_;
};

}  // namespace coffer::core
