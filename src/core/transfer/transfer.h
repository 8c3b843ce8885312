#pragma once

#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/transfer/transfer_run.h"
#include "storage/entry.h"

namespace coffer::core {

/// Copies a file or a tree to a path in the same or another backend, and returns the stored size.
/// `to.path` is the path of the new item, in a folder that exists.
///
/// Content streams through two blocks of memory for each file, so that memory use does not grow
/// with a file's size. A single file becomes visible when it is published. A tree is stored under a
/// partial name beside its target, and then renamed. So an item is visible only when it is complete
/// and its size was checked. Copies empty folders, and modification times where possible. Leaves
/// out symbolic links, hidden names, and files that are deleted during the copy. A copy is
/// not a snapshot: items that move between folders of the source during the copy may be copied
/// twice or not at all.
///
/// Errors, besides those of the backends:
/// - `exists` if the name is taken;
/// - `conflict` if a folder of the source is deleted or replaced during the copy;
/// - `conflict` if a single file is published, but replaced or deleted before the last check;
/// - `conflict` if the transfer was cancelled.
///
/// After a failure, removes what it has stored, if the destination's server answers (otherwise see
/// TransferOptions::on_staging). There are two exceptions (see TransferProgress::kept):
/// - A single file stays if it was published, or if the connection broke while it was being
///   published, because it cannot be distinguished from another client's file.
/// - A tree stays if it was renamed to its target, but the rename could not be synced to the disk.
///
/// The caller's executor must run one handler at a time, as a strand does. If the caller is
/// cancelled through Asio, TransferProgress::cancel is called.
Task<Result<storage::TreeSize>> transfer(TransferEnd from, TransferEnd to, TransferOptions options,
                                         TransferProgress& progress);

/// Copies like `transfer`, and then deletes the source. `invalid` if the source contains symbolic
/// links or other items that cannot be copied. Checks the source just before the item is published:
/// `conflict` if anything in the source was added, removed or changed (size, modification time,
/// file id) since it was copied. After the item is published, the source gets a temporary name in
/// its own folder, "NAME (not moved 1f9c20d7)", and is then checked for the last time. Since other
/// clients use the old name, they do not write to the source between this check and the deletion.
/// The source is visible under one of the two names until it is deleted.
///
/// After a failure, the source is complete, and nothing is at the destination. The exceptions are
/// those of `transfer` and one more: the source changed after the item was published, or could not
/// be deleted completely. In this case the error says so, the item stays at the destination, and
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
