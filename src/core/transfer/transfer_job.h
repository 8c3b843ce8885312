#pragma once

#include "async/task.h"
#include "base/error.h"
#include "core/transfer/transfer_file.h"
#include "core/transfer/transfer_options.h"
#include "core/transfer/transfer_progress.h"
#include "core/transfer/transfer_run.h"
#include "core/transfer/tree_fingerprint.h"

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
  Task<Result<storage::TreeSize>> run_file();
  Task<Result<storage::TreeSize>> store_file();
  Task<Result<storage::TreeSize>> show_file(FileTransfer& file);
  Task<Result<void>> tell_staging(const Path& staging);
  Task<Result<void>> may_show();
  /// `conflict` unless the source, which is at that path, is still what was copied.
  Task<Result<void>> check_source(TransferRun& run, const Path& at);
  Task<Result<void>> check_source_file(const Path& at);
  Task<Result<void>> check_source_tree(TransferRun& run, const Path& at);
  Task<Result<storage::TreeSize>> run_tree();
  Task<Result<storage::TreeSize>> store_tree(const Path& staging);
  /// True if the tree shows although giving it its name failed, as where the disk failed
  /// afterwards.
  Task<bool> shows_although(const Error& error, const Path& staging);
  Task<Result<storage::TreeSize>> delete_source(storage::TreeSize size);
  Task<Result<storage::Removed>> tell_and_remove();
  Task<Result<void>> tell_leaving();
  Task<Result<storage::Removed>> remove_under_its_name();
  /// check_source for the last time.
  Task<Result<void>> look_again(const Path& at);
  Task<Result<storage::Removed>> rename_and_remove();
  /// Gives the source its name again, if that was not taken meanwhile.
  Task<Result<void>> put_back(const Path& beside);
  /// Best effort, in few tries; what stays at the noted staging place is swept later.
  Task<void> clean_up(const Path& path);

  TransferEnd from_;
  TransferEnd to_;
  TransferOptions options_;
  TransferRun run_;
  storage::Entry source_;  ///< As it was before the copy.
  const TreeFingerprint::Key key_ = TreeFingerprint::new_key();
  TreeFingerprint fingerprint_{key_};  ///< Of a folder: what of it was copied.
};

}  // namespace coffer::core
