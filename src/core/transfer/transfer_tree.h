#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "async/task.h"
#include "core/transfer/bounded_workers.h"
#include "core/transfer/transfer_check.h"
#include "core/transfer/transfer_run.h"

namespace coffer::core {

/// A file above `kLargeFileBytes` is large. At most `kLargeFilesAtOnce` large files are copied at
/// once. A few at once are as fast as many, and leave connections to the server for small files.
inline constexpr std::uint64_t kLargeFileBytes = std::uint64_t{4} * 1024 * 1024;
inline constexpr int kLargeFilesAtOnce = 3;

/// Copies a folder with its content to a path where nothing exists, and checks the sizes of the
/// files at the destination. Leaves out files that are deleted during the copy. If a folder of the
/// source is deleted or replaced during the copy, fails with `conflict`, because the copy could be
/// incomplete or a mixture. A move only leaves out a deleted folder, because it compares the whole
/// tree later. Run the transfer with do_work; then `run.outcome()` is the result. Keeps a bounded
/// number of listings in memory.
class TreeTransfer final : public WorkSource {
 public:
  /// `top` is the entry of the folder at `from`. Adds the listed items of the source to
  /// `fingerprint`. A move compares `fingerprint` with that of a later TreeScan.
  TreeTransfer(TransferEnd from, const storage::Entry& top, TransferEnd to, TransferRun& run,
               TreeFingerprint& fingerprint);

  std::optional<Task<void>> take() override;
  const storage::TreeSize& size() const { return size_; }
  /// `conflict` if the source folder was deleted, moved or replaced. Call it at the end.
  Task<Result<void>> check_top() { return check_in_place({Path(), top_identity_}); }
  /// Returns `outcome`, or `conflict` if the destination was deleted or replaced during the copy.
  Task<Result<void>> check_target(Result<void> outcome);

 private:
  struct FolderId {
    Path path;
    storage::ItemIdentity identity;
  };

  /// A folder whose files are being copied. In `files`, a file that is left out has an empty name.
  struct Folder {
    FolderId id;
    std::vector<storage::Entry> files;
    std::size_t next = 0;
    std::size_t unfinished = 0;
    bool has_lost = false;  ///< True if a file was left out.
  };

  struct TreeFile {
    std::shared_ptr<Folder> folder;
    std::size_t index = 0;
    std::unique_ptr<storage::Reader> reader = {};  ///< Set if the file was opened in a batch.
    std::uint64_t held_bytes = 0;                  ///< The file's part of `together_bytes_`.

    storage::Entry& entry() const { return folder->files.at(index); }
    bool is_large() const { return entry().size_bytes > kLargeFileBytes; }
  };

  /// Files of a folder that are opened together.
  struct Batch {
    std::shared_ptr<Folder> folder;
    std::size_t first = 0;
    std::size_t count = 0;
    std::uint64_t bytes = 0;
  };

  std::optional<Task<void>> take_batch();
  Task<void> open_batch(Batch batch);
  void add_batches(const std::shared_ptr<Folder>& folder);
  std::optional<Task<void>> take_file();
  TreeFile next_file();
  Task<void> begin_folder(FolderId folder);
  Task<Result<void>> copy_folder(const FolderId& folder);
  Task<Result<void>> make_folder(const Path& folder);
  Result<void> leave_out(const Path& folder);
  /// Adds the items of a folder to the work. Returns false if none of them is a file.
  bool add_items(const FolderId& folder, std::vector<storage::Entry> entries);
  Task<Result<void>> end_folder(const Folder& folder);
  Task<Result<void>> check_in_place(FolderId folder);
  Task<void> do_file(TreeFile place);
  Task<Result<void>> copy_file(const Path& path, TreeFile& place);

  TransferEnd from_;
  TransferEnd to_;
  TransferRun& run_;
  TreeFingerprint& fingerprint_;
  const storage::ItemIdentity top_identity_;
  /// The identity of the top folder at the destination. Unknown if reading it would block.
  storage::ItemIdentity target_identity_;
  std::vector<FolderId> folders_;  ///< Source folders still to be listed; paths from the top.
  std::vector<std::shared_ptr<Folder>> begun_;
  std::deque<Batch> batches_;
  std::deque<TreeFile> opened_;  ///< Files of opened batches, to be copied; some have no reader.
  int batches_at_once_ = 0;      ///< The number of batches being opened.
  /// The total size of the batch files that are being opened or copied.
  std::uint64_t together_bytes_ = 0;
  std::deque<TreeFile> waiting_;  ///< Large files that wait for other large files to end.
  int large_at_once_ = 0;
  storage::TreeSize size_;
};

}  // namespace coffer::core
