#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"
#include "storage/folder_watch.h"
#include "storage/reader.h"
#include "storage/write_options.h"
#include "storage/writer.h"

namespace coffer::storage {

/// A capability for one tree: its holder reaches everything below its root and nothing beside.
/// Every call takes a Path, so no backend ever meets `..`.
///
/// Calls fail with `not_found` when the item or a folder on the way is missing, `invalid` when a
/// file stands where a folder is needed or the other way round, `exists` when a name is taken,
/// `unavailable` or `timed_out` when a remote server does not serve, `disk_full`, `overloaded` or
/// `failed` when this machine does not. After any failure the tree is as it was before.
///
/// Symbolic links are followed while they stay beneath the root; absolute links, links that leave
/// it, devices, sockets and FIFOs are as if they were not there. Removing removes a link itself.
/// Safe from any thread; operations on the same item may run at the same time.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The item at `path`.
  virtual Task<Result<Entry>> stat(const Path& path) = 0;

  /// The items directly in the folder, in no order. Names that Path could not name (not UTF-8,
  /// control characters) are left out.
  virtual Task<Result<std::vector<Entry>>> list(const Path& folder) = 0;

  /// The state of the folder, where the backend can tell; nothing too where the folder is missing.
  virtual Task<std::optional<FolderStamp>> stamp(const Path& /*folder*/) { co_return std::nullopt; }

  /// Tells the listener of changes of what stands directly in the folder, and of the folder's own
  /// coming and going: a backend of this machine's disks of everyone's, others of those made
  /// through this backend and its views. What has a hidden name does not count. The folder need not
  /// exist. The watch ends before the backend; null where the backend cannot tell.
  virtual Task<std::unique_ptr<FolderWatch>> watch(const Path& /*folder*/,
                                                   FolderListener /*listener*/) {
    co_return nullptr;
  }

  /// False if removing the folder would remove more than `list` tells of: what it leaves out, and
  /// links, which it tells of as what they point to.
  virtual Task<Result<bool>> lists_all(const Path& folder) = 0;

  /// Opens a file; `invalid` for a folder.
  virtual Task<Result<std::unique_ptr<Reader>>> open(const Path& file) = 0;

  /// True if `open_together` asks the server less often than `open` of each file.
  virtual bool opens_together() const { return false; }
  /// Opens small files of one folder, as `list` gave them, which the backend may hold in memory
  /// until their readers are gone. The readers stand in the order of `files`; the caller opens by
  /// itself those that are null or missing, because they changed, or because anything failed. It
  /// ends early when `watch` was cancelled, and tells it nothing.
  virtual Task<std::vector<std::unique_ptr<Reader>>> open_together(const Path& /*folder*/,
                                                                   std::span<const Entry> /*files*/,
                                                                   const CopyWatch& /*watch*/) {
    co_return std::vector<std::unique_ptr<Reader>>();
  }

  /// Opens without waiting, if all it needs is at hand; null when it would have to wait or when
  /// `open` would fail. Any I/O thread may call it.
  virtual std::unique_ptr<Reader> open_now(const Path& file) = 0;
  /// `stat` without waiting, in the same way.
  virtual std::optional<Entry> stat_now(const Path& path) = 0;

  /// Begins new content for `target`, whose folder must exist. `exists` when the name is a
  /// folder's, or a file's and `if_taken` is `refuse`, `changed` as `replaces` says. These are
  /// reported as early as it costs little, here or when much was written, and by publish at the
  /// latest, where they count.
  virtual Task<Result<std::unique_ptr<Writer>>> create(const Path& target,
                                                       WriteOptions options) = 0;

  /// Shows writers of this backend under their names, each in one step: a reader sees the
  /// old content or the new. All or none: if one cannot be shown, those before it are taken back.
  /// `growth_limit_bytes` is how much the tree may grow by it (new sizes less replaced ones);
  /// `over_quota` when it would grow more, and nothing was changed. The writers stay usable for
  /// another try after a failure.
  virtual Task<Result<std::vector<Published>>> publish(
      std::span<const std::unique_ptr<Writer>> writers, std::uint64_t growth_limit_bytes) = 0;
  /// The same, if it may: asks when what takes long is done, just before names change.
  virtual Task<Result<std::vector<Published>>> publish_if(
      const MayShow& may_show, std::span<const std::unique_ptr<Writer>> writers,
      std::uint64_t growth_limit_bytes) {
    auto may = co_await may_show();
    if (!may) co_return failure_of(std::move(may));
    co_return co_await publish(writers, growth_limit_bytes);
  }

  /// Makes the folder and its missing parents; `exists` if the name is taken by anything.
  virtual Task<Result<void>> make_folder(const Path& folder) = 0;

  /// Gives an item another name or folder within this backend; `exists` if that is taken by another
  /// item, but a change of case of its own name works. `invalid` for a folder into itself. To its
  /// own name nothing changes, and it tells whether that is taken: also by a link that leads
  /// nowhere, and then perhaps by `exists`.
  virtual Task<Result<void>> rename(const Path& from, const Path& to) = 0;
  /// The same, if it may, in the same way.
  virtual Task<Result<void>> rename_if(const MayShow& may_show, const Path& from, const Path& to) {
    auto may = co_await may_show();
    if (!may) co_return may;
    co_return co_await rename(from, to);
  }

  /// True if `rename` takes one step, however much the item holds: all of it goes at once.
  virtual bool renames_in_one_step() const { return true; }

  /// False where nothing copies at the place itself: `copy` is `refused`, and the caller reads and
  /// writes the content instead.
  virtual bool copies() const { return true; }

  /// Copies a file or a tree within this backend; it appears under `to` only when whole. `exists`
  /// if the name is taken. What shows although it fails is what CopyWatch::keep tells. Modification
  /// times are kept. Links, devices, sockets, FIFOs and hidden names below `from` are left out. All
  /// arguments outlive the call.
  virtual Task<Result<TreeSize>> copy(const Path& from, const Path& to,
                                      const CopyOptions& options) = 0;

  /// Deletes a file, or a folder with all in it: gone from the tree when it returns, while the
  /// space may be reclaimed behind. Returns what the tree held; a failure that comes when it is
  /// gone is Removed::unsafe.
  virtual Task<Result<Removed>> remove(const Path& path) = 0;

  /// Adds up a file or a tree, without following links in it; what has a hidden name (see
  /// is_hidden_name) below it does not count.
  virtual Task<Result<TreeSize>> measure(const Path& path) = 0;

  /// How many bytes the file system could hold at most, were it empty; nothing where that is not
  /// known.
  virtual Task<std::optional<std::uint64_t>> capacity() { co_return std::nullopt; }

  /// The same place by a path without links: links in the folders on the way are resolved, the last
  /// component stays as it is and need not exist. Two paths to one item have one canonical path.
  virtual Task<Result<Path>> canonical(const Path& path) = 0;

  /// A capability for the tree at `folder` alone: links that leave that folder lead nowhere in it.
  /// What a server has little of, such as connections, its views take a part of at most. Costs
  /// nothing and does not look whether the folder exists; its calls answer `not_found` then.
  /// Must not outlive this backend.
  virtual std::unique_ptr<Backend> beneath(const Path& folder) = 0;
};

}  // namespace coffer::storage
