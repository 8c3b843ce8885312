#pragma once

#include "async/task.h"
#include "base/error.h"
#include "core/transfer/transfer_options.h"
#include "core/transfer/transfer_progress.h"
#include "core/transfer/transfer_run.h"
#include "storage/entry.h"

namespace coffer::core {

/// Copies a file or a tree from any place to any other, also of another backend. `to.path` is the
/// new item's own path, in a folder that exists; `exists` if it is taken. Returns what was stored.
///
/// Content streams through two blocks for each file, so memory does not grow with it. A file shows
/// by publishing, a tree is collected beside its target and renamed, so that neither shows before
/// it is whole and its size at the destination was checked. Modification times of files are kept
/// where the destination can, empty folders too. Links, and names of what is not complete, are left
/// out; so are files that vanish from the source meanwhile. A folder that vanishes, or is another
/// one than was listed, is a `conflict`. A copy is no snapshot: what is moved from one folder of
/// the source to another meanwhile may be in the copy twice, or not. Every other failure ends the
/// transfer, and what was stored is removed, if the server answers (see
/// TransferOptions::on_staging). Once a single file shows, or when a connection breaks while it is
/// being shown, it is left alone though it fails: it looks like what another client put there
/// meanwhile (see TransferProgress::kept). What replaced it, or deleted it, before the last look at
/// it is a `conflict`.
///
/// The awaiter's executor must run one thing at a time. Asio's cancellation of the awaiter does
/// what TransferProgress::cancel does.
Task<Result<storage::TreeSize>> transfer(TransferEnd from, TransferEnd to, TransferOptions options,
                                         TransferProgress& progress);

/// The same, then deletes the source, with links in it too. The source is looked at again just
/// before the item shows at the destination; if anything was added, removed or changed (size,
/// modification time, file id) since it was copied, the move fails with `conflict`. Once the item
/// shows, the source gets another name beside it in one step, "NAME (not moved 1f9c20d7)", and is
/// looked at for the last time there, so that nothing that is meant for it comes between that look
/// and its deletion. Whatever happens then, it shows under one of the two names until it is
/// deleted.
///
/// A failure leaves the source whole and nothing at the destination, with one exception more: the
/// source changed, or cannot be deleted, or not all of it, after the item shows at the destination.
/// The error says so, the source has its name again, if that is free and its server answers, the
/// destination stays whole, and TransferProgress::kept tells what it holds. Where names do not
/// change in one step, on some drives, what comes to the source between the last look and the
/// deletion is lost.
Task<Result<storage::TreeSize>> transfer_move(TransferEnd from, TransferEnd to,
                                              TransferOptions options, TransferProgress& progress);

}  // namespace coffer::core
