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
/// with a file's size. A file is published. A tree is collected under a partial name beside its
/// target, and then renamed. So no item is visible before it is complete and its size was checked.
/// Keeps empty folders. Keeps the modification times of files if the destination can store them.
/// Leaves out symbolic links, hidden names, and files that are deleted during the copy. A copy is
/// not a snapshot: items that move between folders of the source during the copy may be copied
/// twice or not at all.
///
/// Errors, besides those of the backends:
/// - `exists` if the name is taken;
/// - `conflict` if a folder of the source is deleted or replaced during the copy;
/// - `conflict` if the published file is replaced or deleted before its last check;
/// - `conflict` if the transfer was cancelled.
///
/// A failure removes what was stored, if the destination's server answers (see
/// TransferOptions::on_staging). There are two exceptions (see TransferProgress::kept):
/// - A single file stays if it was published, or if the connection broke while it was being
///   published. It could not be distinguished from another client's file.
/// - A tree stays if it got its name, but the name could not be synced to the disk.
///
/// The awaiter's executor must run one handler at a time, as a strand does. Asio's cancellation of
/// the awaiter calls TransferProgress::cancel.
Task<Result<storage::TreeSize>> transfer(TransferEnd from, TransferEnd to, TransferOptions options,
                                         TransferProgress& progress);

/// Copies like `transfer`, and then deletes the source. `invalid` if the source contains symbolic
/// links or other items that cannot be copied. Checks the source just before the item is published:
/// `conflict` if anything in the source was added, removed or changed (size, modification time,
/// file id) since it was copied. After the item is published, the source gets a temporary name in
/// its own folder, "NAME (not moved 1f9c20d7)". Under this name the source is checked for the last
/// time. So no other client writes to it between the last check and the deletion. The source is
/// visible under one of the two names until it is deleted.
///
/// A failure leaves the source whole and nothing at the destination. The exceptions of `transfer`
/// apply, and one more: the source changed after the item was published, or cannot be deleted
/// completely. In this case the error says so. The destination stays whole, and
/// TransferProgress::kept is its size. The source gets its name back if the name is free and the
/// source's server answers.
///
/// Some drives cannot rename a tree atomically. There the source keeps its name, and what a client
/// writes to the source between the last check and the deletion is lost.
Task<Result<storage::TreeSize>> transfer_move(TransferEnd from, TransferEnd to,
                                              TransferOptions options, TransferProgress& progress);

/// Makes the temporary name of a source that is moved, "NAME (not moved 1f9c20d7)". The name is
/// unique, and at most 143 bytes long. It stays if the source cannot get its own name back.
Name name_not_moved(std::string_view name);

}  // namespace coffer::core
