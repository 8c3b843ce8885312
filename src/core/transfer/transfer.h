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
/// Keeps empty folders, and the modification times of files if the destination can. Leaves out
/// links, hidden names, and files that are deleted during the copy. A copy is not a snapshot: items
/// that move between folders of the source during the copy may be copied twice or not at all.
///
/// Errors, besides those of the backends:
/// - `exists` if the name is taken;
/// - `conflict` if a folder of the source is deleted or replaced during the copy;
/// - `conflict` if the published file is replaced or deleted before its last check;
/// - `conflict` if the transfer was cancelled.
///
/// A failure removes what was stored, if the server answers (see TransferOptions::on_staging).
/// There is one exception. A single file stays if it was published, or if the connection broke
/// while it was being published: it cannot be distinguished from another client's file (see
/// TransferProgress::kept).
///
/// The awaiter's executor must run one handler at a time, as a strand does. Asio's cancellation of
/// the awaiter calls TransferProgress::cancel.
Task<Result<storage::TreeSize>> transfer(TransferEnd from, TransferEnd to, TransferOptions options,
                                         TransferProgress& progress);

/// Copies like `transfer`, and then deletes the source. `invalid` if the source contains links or
/// other items that cannot be copied. Checks the source just before the item is published:
/// `conflict` if anything was added, removed or changed (size, modification time, file id) since it
/// was copied. After the item is published, the source gets a temporary name beside it, "NAME (not
/// moved 1f9c20d7)". Under this name it is checked for the last time, so that no other client
/// writes to it between the last check and the deletion. The source is visible under one of the two
/// names until it is deleted.
///
/// A failure leaves the source whole and nothing at the destination, except in the case described
/// at `transfer` and in one more case: the source has changed after the item was published, or
/// cannot be deleted completely. The error then says so. The destination stays whole, and
/// TransferProgress::kept is its size. The source gets its name back if the name is free and the
/// server answers.
///
/// Some drives cannot rename a tree atomically. There the source keeps its name, and a write to it
/// between the last check and the deletion is lost.
Task<Result<storage::TreeSize>> transfer_move(TransferEnd from, TransferEnd to,
                                              TransferOptions options, TransferProgress& progress);

/// Makes the temporary name of a source that is moved, "NAME (not moved 1f9c20d7)". The name is
/// unique, and at most 143 bytes long. The source keeps it if it cannot get its own name back.
Name name_not_moved(std::string_view name);

}  // namespace coffer::core
