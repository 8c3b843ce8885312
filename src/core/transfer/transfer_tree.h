#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "async/task.h"
#include "core/transfer/bounded_workers.h"
#include "core/transfer/transfer_run.h"
#include "core/transfer/tree_fingerprint.h"

namespace coffer::core {

/// Files that take long: few of them at once are as fast, and a server that allows few connections
/// still has one for the small files.
inline constexpr std::uint64_t kLargeFileBytes = std::uint64_t{4} * 1024 * 1024;
inline constexpr int kLargeFilesAtOnce = 3;

/// Copies the folder at one end and everything in it to the other end, where nothing is yet, and
/// checks what it wrote against the destination's own listing. What vanishes from the source
/// meanwhile is left out, except the top folder itself. To be done by do_work; then `run.outcome()`
/// tells how it went. Folders in line are kept as paths; of the files, no more listings than there
/// are pieces at once.
class TreeTransfer final : public WorkSource {
 public:
  /// `fingerprint` gets the source as it was listed, for a later TreeScan.
  TreeTransfer(TransferEnd from, TransferEnd to, TransferRun& run, TreeFingerprint& fingerprint);

  std::optional<Task<void>> take() override;
  const storage::TreeSize& size() const { return size_; }

 private:
  /// A folder whose files are under way. An empty name is a file that is left out.
  struct Folder {
    Path path;
    std::vector<storage::Entry> files;
    std::size_t next = 0;
    std::size_t unfinished = 0;
  };

  /// One file of a folder.
  struct TreeFile {
    std::shared_ptr<Folder> folder;
    std::size_t index = 0;
    std::unique_ptr<storage::Reader> reader = {};  ///< Of one that was opened with others.
    std::uint64_t held_bytes = 0;                  ///< What it takes of kTogetherBytes.

    storage::Entry& entry() const { return folder->files.at(index); }
    bool is_large() const { return entry().size_bytes > kLargeFileBytes; }
  };

  /// Files of a folder that are to be opened together.
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
  Task<void> begin_folder(Path folder);
  Task<Result<void>> copy_folder(const Path& folder);
  void add_items(const Path& folder, std::vector<storage::Entry> entries);
  Task<void> do_file(TreeFile place);
  Task<Result<void>> copy_file(const Path& path, storage::Entry& entry,
                               std::unique_ptr<storage::Reader> reader);

  TransferEnd from_;
  TransferEnd to_;
  TransferRun& run_;
  TreeFingerprint& fingerprint_;
  std::vector<Path> folders_;  ///< Still to be listed, from the top.
  std::vector<std::shared_ptr<Folder>> begun_;
  std::deque<Batch> batches_;
  std::deque<TreeFile> opened_;       ///< Of batches, some without a reader.
  int batches_at_once_ = 0;           ///< Being opened.
  std::uint64_t together_bytes_ = 0;  ///< Of files that are being opened, or open, in batches.
  std::deque<TreeFile> waiting_;      ///< Large files that wait for others.
  int large_at_once_ = 0;
  storage::TreeSize size_;
};

}  // namespace coffer::core
