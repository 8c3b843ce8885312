#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "async/task.h"
#include "core/transfer_run.h"
#include "core/tree_mark.h"
#include "core/work_crew.h"

namespace coffer::core {

/// `failed` unless the file is there with this size.
Task<Result<void>> check_file(storage::Backend& backend, const Path& path,
                              std::uint64_t size_bytes);

/// The same for files in one folder; those with an empty name do not count. Lists the folder unless
/// asking for each file is as cheap.
Task<Result<void>> check_files(storage::Backend& backend, const Path& folder,
                               std::span<const storage::Entry> files);

/// Looks at everything below a folder again, to be done by do_work: then `mark()` is what the tree
/// is now, if `run.outcome()` says that all was seen.
class TreeLook final : public Work {
 public:
  TreeLook(TransferEnd top, TransferRun& run, const TreeMark::Key& key);

  std::optional<Task<void>> take() override;
  const TreeMark& mark() const { return mark_; }

 private:
  Task<void> look(Path folder);

  TransferEnd top_;
  TransferRun& run_;
  TreeMark mark_;
  std::vector<Path> folders_;
};

}  // namespace coffer::core
