#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

struct NewUpload {
  Path folder;  ///< From the principal's root.
  std::string name;
  catalog::OnConflict on_conflict = catalog::OnConflict::fail;
  std::optional<Timestamp> modified_at = {};
  std::uint64_t length_bytes = 0;
  std::string metadata = {};  ///< The client's own description; UploadStatus returns it unchanged.
  /// True for a guest's upload. If the share link ends first, the unfinished upload is removed.
  bool is_of_guest = false;
  /// Drawn by the client: two requests with one key make one upload. Empty if it has none.
  std::string idempotency_key = {};
};

struct UploadStatus {
  UploadId id;
  /// The number of durably stored bytes; less than `length_bytes` until the file is published.
  std::uint64_t offset = 0;
  std::uint64_t length_bytes = 0;
  std::string metadata;
  Timestamp expires_at{};
};

/// The result of a request. `status` is not set after a refusal, and never by `remove`.
struct UploadAnswer {
  UploadRefusal refusal = UploadRefusal::none;
  UploadStatus status = {};
};

/// An upload that is not finished.
struct UnfinishedUpload {
  catalog::UploadRecord record;
  Path folder;  ///< The target folder, from the principal's root.
  Timestamp expires_at{};
};

/// A page of the unfinished uploads.
struct UnfinishedUploads {
  std::vector<UnfinishedUpload> uploads;
  std::optional<catalog::Uploads::Position> next;  ///< Where the next page begins; absent if none.
};

/// Manages uploads that are sent in several requests and survive server restarts (docs/adr/0026).
/// An upload belongs to the account that created it. A key that is limited to a folder can access
/// only uploads into that folder. Safe from any thread.
///
/// Every call with a principal fails with `forbidden` if the principal's key may only read. Every
/// call with an id fails with `not_found` if the principal cannot access an upload with this id.
class ResumableUploads {
 public:
  /// The longest upload: 16 TiB, like the largest file on ext4.
  static constexpr std::uint64_t kLongestBytes = std::uint64_t{1} << 44;
  /// An account has at most 1000 unfinished uploads. So have all guests of its links together, of
  /// one link 100, and from one network by one link 20.
  static constexpr catalog::Uploads::Most kMost{1000, 100, 20, 1000};
  /// An unfinished upload expires this long after its last bytes were received.
  static constexpr auto kKept = std::chrono::hours(7 * 24);
  /// An unfinished upload of a guest, and one of a guest that has received nothing yet.
  static constexpr auto kKeptOfGuests = std::chrono::hours(24);
  static constexpr auto kKeptOnlyBegun = std::chrono::hours(1);
  /// The record of a finished upload expires this long after the publication. Until then the client
  /// can learn that the upload has succeeded.
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

  /// Creates an upload into an existing folder and reserves its quota; for a guest's, quota is
  /// reserved as its bytes come. So are bytes for a mount against the account's MountRoom. An empty
  /// file is published at once. Fails as Files::upload does, and with:
  /// - `exists` with OnConflict `fail` if the name is taken
  /// - `exists` with OnConflict `replace` if a folder has the name
  /// - `rate_limited` if the account or the guests' link has too many unfinished uploads
  /// If an upload was made with the same key, returns that one, at whatever offset it is, or
  /// `invalid` if it is of another file, `unready` if it cannot be told yet.
  Task<Result<UploadStatus>> create(const Principal& principal, NewUpload wanted);
  /// Returns the status of an upload. Interrupts an earlier `append` that waits for its client.
  Task<Result<UploadAnswer>> status(const Principal& principal, UploadId id);
  /// Appends the bytes of one request at `offset`. Publishes the file when all bytes are there.
  /// Interrupts an earlier `append` that waits for its client. `conflict` if `offset` is not the
  /// number of stored bytes. If the publication fails, this call also fails, and the last byte does
  /// not count as stored. The client can send the last byte again to retry the publication.
  Task<Result<UploadAnswer>> append(const Principal& principal, UploadId id, std::uint64_t offset,
                                    std::optional<WantedChecksum> checksum, UploadSource& source);
  /// Returns the account's unfinished uploads, also of guests, the last begun first; with a limited
  /// key those into its folder. Takes the `next` of the previous page, and the size of a page.
  Task<Result<UnfinishedUploads>> list(const Principal& principal,
                                       std::optional<catalog::Uploads::Position> after,
                                       std::size_t most);
  /// Removes an upload and its bytes; a published file stays. Interrupts an earlier `append`, too.
  Task<Result<UploadAnswer>> remove(const Principal& principal, UploadId id);

  /// Removes expired uploads, those that nobody can finish (see Uploads::unreachable), and spool
  /// files that belong to no upload.
  Task<void> sweep();
  /// Begins to remove those that nobody can finish, and does not wait for that.
  void sweep_unreachable_soon();
  /// For each upload that was being published when the server stopped, finds out whether its file
  /// was published, and records this. Call it at the start of the server.
  Task<void> reconcile_interrupted();
  /// The same for publications of this server that the catalog did not hear the end of: other
  /// servers leave such an upload alone. Call it now and then.
  Task<void> reconcile_unrecorded();

 private:
  using Record = catalog::UploadRecord;
  /// An upload and the turn to work on it (see UploadTurns), or the reason why it was refused.
  struct Found {
    UploadRefusal refusal = UploadRefusal::none;
    Record record = {};
    UploadTurns::Turn turn;
  };

  static UploadStatus status_of(const Record& record);
  Pool& pool_of(const Record& record) { return pools_.of(record.account).brief; }

  Task<Result<std::optional<UploadStatus>>> made_before(const Principal& principal,
                                                        const NewUpload& wanted);
  Task<Result<UploadStatus>> make(const Principal& principal, ResolvedPath target,
                                  NewUpload wanted);
  Task<Result<void>> check_target(const ResolvedPath& folder, const NewUpload& wanted,
                                  std::uint64_t& replaced_bytes);
  /// Resolves the target folder of an upload; fails if the principal has lost the right to it.
  Task<Result<ResolvedPath>> target_of(const Principal& principal, const Record& record);
  Task<Result<void>> try_note(const Record& record);
  Task<Result<void>> note(Record& record, std::uint64_t replaced_bytes);
  Task<Result<void>> note_lent(Record& record, std::uint64_t replaced_bytes);
  Task<Result<void>> check_fits(const Record& record);
  Task<Result<catalog::RoomLimit>> room_for(const Record& record);
  /// How the bytes of an upload are held that holds them as they come; empty for others.
  UploadReception::Hold hold_of(const Principal& principal, const Record& record);
  Task<Result<void>> hold(std::shared_ptr<const catalog::Account> account, Record record,
                          std::uint64_t bytes);

  static Result<void> check_may_access(const Principal& principal, const Record& record);
  /// Reads the record of an upload anew, for who holds its turn.
  Task<Result<void>> read_again(Record& record);
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
  Task<Result<void>> check_not_elsewhere(const Record& record);
  Task<Result<bool>> looks_shown(const Record& record);
  Task<void> sweep_expired();
  Task<void> sweep_unreachable();
  Task<void> drop_if_unreachable(const Record& record);
  Task<Result<void>> still_allowed(const Principal& principal);
  Task<void> sweep_until_none_is_due();
  Task<void> sweep_unknown();

  catalog::Catalog& catalog_;
  const Namespace namespace_;
  const Quota quota_;
  FolderChanges& folder_changes_;
  WorkPools& pools_;
  storage::Spool& spool_;
  AccessRecheck access_recheck_;
  UploadTurns turns_;
  std::atomic<std::uint64_t> sweeps_due_ = 0;  ///< Calls of sweep_unreachable_soon to serve.
  std::atomic<bool> has_unrecorded_ = false;
};

}  // namespace coffer::core
