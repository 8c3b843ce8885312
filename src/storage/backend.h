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
/// it, devices, sockets and FIFOs are treated as missing. Removing a link removes the link itself.
/// Safe from any thread; operations on the same item may run at the same time.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The item at `path`.
  virtual Task<Result<Entry>> stat(const Path& path) = 0;

  /// The items directly in the folder, in no order. Names that Path could not name (not UTF-8,
  /// control characters) are left out.
  virtual Task<Result<std::vector<Entry>>> list(const Path& folder) = 0;

  /// The state of the folder; nullopt if the folder is missing or the backend has no such state.
  virtual Task<std::optional<FolderStamp>> stamp(const Path& /*folder*/) { co_return std::nullopt; }

  /// Calls the listener when an item directly in the folder changes, and when the folder itself
  /// appears or disappears. A backend of this machine's disks reports every program's changes,
  /// others those made through this backend and its views. Hidden names are not reported. The
  /// folder need not exist. The watch must end before the backend; null if the backend has no
  /// watches.
  virtual Task<std::unique_ptr<FolderWatch>> watch(const Path& /*folder*/,
                                                   FolderListener /*listener*/) {
    co_return nullptr;
  }

  /// False if removing the folder would remove items that `list` does not show as themselves: those
  /// that it leaves out, and links, which it shows as their targets.
  virtual Task<Result<bool>> lists_all(const Path& folder) = 0;

  /// Opens a file; `invalid` for a folder.
  virtual Task<Result<std::unique_ptr<Reader>>> open(const Path& file) = 0;

  /// True if `open_together` asks the server less often than `open` of each file.
  virtual bool opens_together() const { return false; }
  /// Opens small files of one folder, given as `list` returned them. The backend may keep them in
  /// memory until their readers are destroyed. Returns readers in the order of `files`; one is null
  /// or missing if its file changed or anything failed, and the caller opens that file by itself.
  /// Ends early if `watch` was cancelled; calls nothing else of it.
  virtual Task<std::vector<std::unique_ptr<Reader>>> open_together(const Path& /*folder*/,
                                                                   std::span<const Entry> /*files*/,
                                                                   const CopyWatch& /*watch*/) {
    co_return std::vector<std::unique_ptr<Reader>>();
  }

  /// Opens without blocking; null if it would block or if `open` would fail. Any I/O thread may
  /// call it.
  virtual std::unique_ptr<Reader> open_now(const Path& file) = 0;
  /// `stat` without blocking, in the same way.
  virtual std::optional<Entry> stat_now(const Path& path) = 0;

  /// Begins new content for `target`, whose folder must exist. `exists` if a folder has the name,
  /// or a file and `if_taken` is `refuse`; `changed` as `replaces` says. Both are checked by
  /// `publish`, and earlier, here or during `write`, where that costs little.
  virtual Task<Result<std::unique_ptr<Writer>>> create(const Path& target,
                                                       WriteOptions options) = 0;

  /// Shows writers of this backend under their names, each in one step: a reader sees the old
  /// content or the new. All or none: if one cannot be shown, those before it are removed again.
  /// `over_quota` if the tree would grow by more than `growth_limit_bytes` (new sizes less replaced
  /// ones). `may_show` is called right before names change, or first of all by a backend that does
  /// not know that moment. After a failure the writers can be published again.
  virtual Task<Result<std::vector<Published>>> publish(
      std::span<const std::unique_ptr<Writer>> writers, std::uint64_t growth_limit_bytes,
      MayShow may_show = {}) = 0;

  /// Makes the folder and its missing parents; `exists` if the name is taken by anything.
  virtual Task<Result<void>> make_folder(const Path& folder) = 0;

  /// Gives an item another name or folder within this backend. `exists` if another item has that
  /// name; a change of case of its own name works. `invalid` for a folder into itself. A rename to
  /// its own name changes nothing, and succeeds if the item is there; for a link that leads nowhere
  /// it may fail with `exists`. Calls `may_show` as `publish` does.
  virtual Task<Result<void>> rename(const Path& from, const Path& to, MayShow may_show = {}) = 0;

  /// True if `rename` moves a whole tree in one step.
  virtual bool renames_in_one_step() const { return true; }

  /// False if this backend has no copies of its own: `copy` then fails with `refused`, and the
  /// caller reads and writes the content.
  virtual bool copies() const { return true; }

  /// Copies a file or a tree within this backend; it appears under `to` only when complete.
  /// `exists` if the name is taken. Keeps modification times. Leaves out links, devices, sockets,
  /// FIFOs and hidden names below `from`. A copy that shows although the call fails is reported by
  /// CopyWatch::keep. The arguments must live until the call ends.
  virtual Task<Result<TreeSize>> copy(const Path& from, const Path& to,
                                      const CopyOptions& options) = 0;

  /// Deletes a file, or a folder with everything in it. The item is gone from the tree when the
  /// call returns; its space may be reclaimed later. Returns its size; a failure after the item is
  /// gone is in Removed::unsafe.
  virtual Task<Result<Removed>> remove(const Path& path) = 0;

  /// The size of a file or a tree, without following links in it or counting hidden names below it
  /// (is_hidden_name).
  virtual Task<Result<TreeSize>> measure(const Path& path) = 0;

  /// The bytes that the file system can hold in total; nullopt if that is not known.
  virtual Task<std::optional<std::uint64_t>> capacity() { co_return std::nullopt; }

  /// The same place by a path without links: links in the folders on the way are resolved, the last
  /// component stays as it is and need not exist. Two paths to one item have one canonical path.
  virtual Task<Result<Path>> canonical(const Path& path) = 0;

  /// A capability for the tree at `folder` alone, a view: links that leave that folder are treated
  /// as missing. All views together use only a part of a server's connections. Does not check that
  /// the folder exists; the view's calls answer `not_found` if not. Must not outlive this backend.
  virtual std::unique_ptr<Backend> beneath(const Path& folder) = 0;
};

}  // namespace coffer::storage
