#pragma once

#include "core/transfer.h"
#include "core/tree_mark.h"

namespace coffer::core {

/// One transfer from its first look to its end. `run` is called once, and nothing ends it from
/// outside but TransferProgress::cancel.
class TransferJob {
 public:
  TransferJob(TransferEnd from, TransferEnd to, TransferOptions options, TransferProgress& progress,
              bool moves);

  Task<Result<storage::TreeSize>> run();

 private:
  Task<Result<void>> check_target();
  Task<Result<storage::TreeSize>> run_file(const storage::Entry& source);
  Task<Result<storage::TreeSize>> store_file(const storage::Entry& source);
  Task<Result<void>> tell_staging(const Path& staging);
  Task<Result<void>> check_source(const storage::Entry& source);
  Task<Result<storage::TreeSize>> run_tree();
  Task<Result<storage::TreeSize>> store_tree(const Path& staging);
  Task<Result<void>> check_source(const TreeMark::Key& key, const TreeMark& mark);
  Task<Result<void>> show(const Path& staging);
  Task<Result<storage::TreeSize>> delete_source(storage::TreeSize size);
  Task<Result<storage::TreeSize>> tell_and_remove();
  /// Best effort, in few tries; what stays is told by the progress.
  Task<void> clean_up(const Path& path);

  TransferEnd from_;
  TransferEnd to_;
  TransferOptions options_;
  bool moves_;
  TransferRun run_;
};

}  // namespace coffer::core
