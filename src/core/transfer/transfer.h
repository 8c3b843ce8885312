#pragma once

#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/transfer/transfer_run.h"
#include "storage/entry.h"

namespace coffer::core {

/// Copies a file or a tree to a path in the same or another backend, and returns the size of the
/// copy. `to.path` is the path of the new item, in a folder that exists.
///
/// Each file streams through two blocks of memory, so that memory use does not grow with the size
/// of the file. A single file is written out of sight and then published. A tree is stored under a
/// partial name beside its target and then renamed. So an item becomes visible only when it is
/// complete and its size was checked. Copies empty folders, and modification times where possible.
/// Leaves out symbolic links, hidden names, and files that are deleted during the copy. A copy is
/// not a snapshot: items that are moved within the source meanwhile may be copied twice or not at
/// all.
///
/// Errors, besides those of the backends:
/// - `exists` if the name is taken;
/// - `conflict` if a folder of the source is deleted or replaced during the copy;
/// - `conflict` if a single file is replaced or deleted just after it was published;
/// - `conflict` if the transfer was cancelled.
///
/// After a failure, removes what it has stored. If the destination's server does not answer, the
/// caller must do this later (see TransferOptions::on_staging). Two kinds of items stay:
/// - A single file that was published, or was being published when the connection broke. It is not
///   removed because another client's file may have replaced it.
/// - A tree that was renamed to its target, if the rename could not be synced to the disk.
///
/// The caller's executor must run one handler at a time, as a strand does. An Asio cancellation of
/// the caller has the effect of TransferProgress::cancel.
Task<Result<storage::TreeSize>> transfer(TransferEnd from, TransferEnd to, TransferOptions options,
                                         TransferProgress& progress);

/// Copies like `transfer`, and then deletes the source. `invalid` if the source contains symbolic
/// links or other items that cannot be copied. Checks the source just before the copy is published:
/// `conflict` if anything in it was added, removed or changed (size, modification time, file id)
/// since it was copied. After the copy is published, renames the source to "NAME (not moved
/// 1f9c20d7)" in the same folder, and checks it for the last time. Other clients use the old name,
/// so they cannot write to the source between this check and the deletion. The source is visible
/// under one of the two names until it is deleted.
///
/// After a failure, the source is complete, and nothing is at the destination. The exceptions are
/// those of `transfer`, and this one: the source changed after the copy was published, or could not
/// be deleted completely. Then the error says so, the copy stays at the destination, and
/// TransferProgress::kept is its size. The source gets its name back if the name is free and the
/// source's server answers.
///
/// Some drives cannot rename a tree atomically. On them the source keeps its name, and data that a
/// client writes to the source between the last check and the deletion is lost.
Task<Result<storage::TreeSize>> transfer_move(TransferEnd from, TransferEnd to,
                                              TransferOptions options, TransferProgress& progress);

/// Makes the temporary name for the source of a move, "NAME (not moved 1f9c20d7)". The name is
/// unique and at most 143 bytes long. The source keeps it if it cannot get its own name back.
Name name_not_moved(std::string_view name);

}  // namespace coffer::core
