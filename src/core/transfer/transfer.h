#pragma once

#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/transfer/transfer_run.h"
#include "storage/entry.h"

namespace coffer::core {

/// Copies a file or a tree to a path of the same or another backend. `to.path` is the new item's
/// own path, in a folder that exists; `exists` if it is taken. Returns the stored size.
///
/// Content streams through two blocks for each file, so memory does not grow with it. A file is
/// published, a tree is collected beside its target and renamed, so that neither is visible before
/// it is complete and its size was checked. Keeps empty folders, and modification times of files if
/// the destination can. Leaves out links, hidden names, and files that vanish meanwhile. `conflict`
/// if a folder of the source vanishes or is replaced. A copy is no snapshot: items that move
/// between folders of the source meanwhile may be copied twice or not at all. Any other failure
/// ends the transfer and removes what was stored, if the server answers (see
/// TransferOptions::on_staging). Once a single file is published, or if the connection breaks while
/// it is being published, a failure leaves it, since it cannot be told from another client's file
/// (see TransferProgress::kept). `conflict` if it was replaced or deleted before its last check.
///
/// The awaiter's executor must run one thing at a time. Asio's cancellation of the awaiter calls
/// TransferProgress::cancel.
Task<Result<storage::TreeSize>> transfer(TransferEnd from, TransferEnd to, TransferOptions options,
                                         TransferProgress& progress);

/// Copies, then deletes the source including its links. Checks the source again just before the
/// item is published; `conflict` if anything was added, removed or changed (size, modification
/// time, file id) since it was copied. Once the item is published, the source gets a temporary name
/// beside it in one step, "NAME (not moved 1f9c20d7)", and is checked for the last time there, so
/// that no other client writes to it between that check and its deletion. The source is visible
/// under one of the two names until it is deleted.
///
/// A failure leaves the source whole and nothing at the destination, with one more exception: if
/// the source changed, or cannot be deleted completely, after the item was published. The error
/// says so; the source gets its name back if that is free and its server answers, the destination
/// stays whole, and TransferProgress::kept is its size. Without renames in one step, on some
/// drives, a write to the source between the last check and the deletion is lost.
Task<Result<storage::TreeSize>> transfer_move(TransferEnd from, TransferEnd to,
                                              TransferOptions options, TransferProgress& progress);

/// Makes a unique name "NAME (not moved 1f9c20d7)" for the source of a move during its last check;
/// it stays if the source cannot get its name back. Shortens a long name to fit into 143 bytes.
Name name_not_moved(std::string_view name);

}  // namespace coffer::core
