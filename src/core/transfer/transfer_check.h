#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "async/task.h"
#include "base/path.h"
#include "core/transfer/bounded_workers.h"
#include "core/transfer/transfer_run.h"
#include "storage/entry.h"

namespace coffer::core {

/// A fingerprint of a tree in constant memory: two with one key are equal if they got the same
/// items, in any order, and differ otherwise (but for one case in 2^64). It covers a file's path,
/// size, modification time and file id, and a folder's path.
class TreeFingerprint {
 public:
  using Key = std::array<unsigned char, 16>;
  static Key new_key();

  explicit TreeFingerprint(const Key& key) : key_(key) {}
  void add(const Path& path, const storage::Entry& entry);
  /// Reverts `add`.
  void remove(const Path& path, const storage::Entry& entry);

  bool operator==(const TreeFingerprint&) const = default;

 private:
  using Sum = std::array<std::uint64_t, 2>;
  Sum hash(const Path& path, const storage::Entry& entry) const;

  Key key_;
  Sum sum_{};
};

/// Lists the items of a source folder that a transfer takes: all but links and hidden names.
/// `invalid`
///
/// - if a name is no single component of a path, since nothing is copied under another name;
/// - if two items have one name, since the second would replace the first;
/// - for a move, if the folder holds items that are not transferred, since they would be deleted;
/// - if the transfer's staging folder is in this folder, so that the destination lies in the
/// source.
Task<Result<std::vector<storage::Entry>>> list_for_transfer(const TransferRun& run,
                                                            storage::Backend& backend,
                                                            const Path& folder);

/// The path of an item that list_for_transfer returned.
Path item_path(const Path& folder, const storage::Entry& entry);

/// True if the file exists with this size.
Task<Result<bool>> stands_whole(storage::Backend& backend, const Path& path,
                                std::uint64_t size_bytes);

/// `failed` unless exactly these files of a folder exist with their sizes; entries with an empty
/// name do not count. Lists the folder unless reading each file's entry is as cheap.
Task<Result<void>> check_files(storage::Backend& backend, const Path& folder,
                               std::span<const storage::Entry> files);

/// Scans everything below a folder again, run by do_work. Then `fingerprint()` is that of the tree
/// now, if `run.outcome()` is a success.
class TreeScan final : public WorkSource {
 public:
  TreeScan(TransferEnd top, TransferRun& run, const TreeFingerprint::Key& key);

  std::optional<Task<void>> take() override;
  const TreeFingerprint& fingerprint() const { return fingerprint_; }

 private:
  Task<void> look(Path folder);

  TransferEnd top_;
  TransferRun& run_;
  TreeFingerprint fingerprint_;
  std::vector<Path> folders_;
};

}  // namespace coffer::core
