#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "async/task.h"
#include "core/transfer/bounded_workers.h"
#include "core/transfer/transfer_run.h"
#include "core/transfer/tree_fingerprint.h"

namespace coffer::core {

/// True if the file is there with this size.
Task<Result<bool>> stands_whole(storage::Backend& backend, const Path& path,
                                std::uint64_t size_bytes);

/// `failed` unless the files of one folder are there with their sizes, and as many of them; those
/// with an empty name do not count. Lists the folder unless asking for each file is as cheap.
Task<Result<void>> check_files(storage::Backend& backend, const Path& folder,
                               std::span<const storage::Entry> files);

/// Looks at everything below a folder again, to be done by do_work: then `fingerprint()` is what
/// the tree is now, if `run.outcome()` says that all was seen.
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
