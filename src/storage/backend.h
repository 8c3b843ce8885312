#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"
#include "storage/folder_watch.h"
#include "storage/reader.h"
#include "storage/tree_search.h"
#include "storage/versions.h"
#include "storage/writer.h"

namespace coffer::storage {

/// Called while a folder is listed, each time before the listing takes so many more bytes of
/// memory. Returns false to end the listing. May be called on any thread, by one at a time.
using ListingBound = std::function<bool(std::size_t bytes)>;

/// The longest text that Backend::set_properties stores: ext4 keeps all attributes of an item in
/// one block.
inline constexpr std::size_t kMostPropertiesBytes = 3'500;

/// Returns the error of a listing that its bound has ended.
inline std::unexpected<Error> listing_too_large() {
  return fail(ErrorCode::overloaded, "The folder has too many items to list them now.");
}

/// A folder that is read part by part, so that only one part takes memory. Not safe for concurrent
/// calls. Destroy it before the backend.
class FolderParts {
 public:
  virtual ~FolderParts() = default;
  /// Reads on, past up to `most` items, and returns those of them that Backend::read_folder would
  /// return; nullopt at the end. Tells each item once that is there all the time. Fails as
  /// Backend::read_folder.
  virtual Task<Result<std::optional<FolderListing>>> next(std::size_t most) = 0;
};

/// A capability for one tree: its holder can reach everything below the tree's root and nothing
/// outside it. Every call takes a Path, so no backend ever receives `..`.
///
/// Errors of all calls:
/// - `not_found` if the item or a folder above it is missing;
/// - `invalid` if a file is where a folder is needed, or a folder where a file is needed;
/// - `exists` if a name is taken;
/// - `unavailable` or `timed_out` if a remote server does not answer;
/// - `disk_full`, `overloaded` or `failed` if this machine fails.
///
/// After a failure the tree is as it was before, unless the call's comment names an exception.
/// Symbolic links are followed if they lead to an item beneath the root. Absolute symbolic links,
/// those that leave the root, devices, sockets and FIFOs count as missing. Removing a symbolic link
/// removes the link itself. Safe from any thread. Operations on the same item may run concurrently.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual Task<Result<Entry>> stat(const Path& path) = 0;

  /// Returns the items directly in the folder, unordered. Leaves out names that a Path cannot
  /// contain (not UTF-8, or with control characters), and tells how many items are left out.
  /// `overloaded` if `bound` is set and refuses.
  virtual Task<Result<FolderListing>> read_folder(const Path& folder, ListingBound bound = {}) = 0;
  /// Returns the entries of `read_folder`, for callers who need not know what it leaves out.
  Task<Result<std::vector<Entry>>> list(const Path& folder) {
    CO_TRY(auto listing, co_await read_folder(folder));
    co_return std::move(listing.entries);
  }

  /// Begins to read a folder part by part. Returns null if the backend can only read all at once.
  virtual std::unique_ptr<FolderParts> read_in_parts(const Path& /*folder*/) { return nullptr; }

  /// Begins a search of all items below a folder for which the backend has an index. Returns null
  /// if there is none, or if listing the folders is as good. What it finds fulfils at least the
  /// query. Destroy the search before the backend.
  virtual Task<Result<std::unique_ptr<TreeSearch>>> search(const Path& /*folder*/,
                                                           TreeQuery /*query*/) {
    co_return nullptr;
  }

  /// Returns true if the items are on another server, which may take long to answer.
  virtual bool is_remote() const { return false; }

  /// Returns the folder's state; nullopt if the folder is missing or the backend has no such state.
  virtual Task<std::optional<FolderStamp>> stamp(const Path& /*folder*/) { co_return std::nullopt; }

  /// Calls the listener when an item directly in the folder changes, and when the folder itself
  /// appears or disappears. Does not report hidden names. A local backend reports changes by all
  /// programs, a remote backend only changes by this object and its views (see `beneath`). The
  /// folder need not exist. Destroy the watch before the backend. Null if watches are unsupported.
  virtual Task<std::unique_ptr<FolderWatch>> watch(const Path& /*folder*/,
                                                   FolderListener /*listener*/) {
    co_return nullptr;
  }

  /// Opens a file; `invalid` for a folder.
  virtual Task<Result<std::unique_ptr<Reader>>> open(const Path& file) = 0;

  /// Returns true if `open_together` needs fewer requests to the server than `open` for each file.
  virtual bool opens_together() const { return false; }
  /// Opens small files of one folder. `files` are entries that `list` returned. The backend may
  /// keep the contents in memory until their readers are destroyed. Returns the readers in the
  /// order of `files`. A reader is null or missing if its file changed or could not be opened; the
  /// caller then opens the file with `open`. Calls only `was_cancelled` of `watch`, and ends early
  /// if it returns true.
  virtual Task<std::vector<std::unique_ptr<Reader>>> open_together(const Path& /*folder*/,
                                                                   std::span<const Entry> /*files*/,
                                                                   const CopyWatch& /*watch*/) {
    co_return std::vector<std::unique_ptr<Reader>>();
  }

  /// Opens a file without blocking. Returns null if opening would block, or if `open` would fail.
  /// Any I/O thread may call it.
  virtual std::unique_ptr<Reader> open_now(const Path& file) = 0;
  /// Returns the item at `path` without blocking; nullopt if `stat` would block or fail. Any I/O
  /// thread may call it.
  virtual std::optional<Entry> stat_now(const Path& path) = 0;

  /// Begins new content for `target`. The folder of `target` must exist. `exists` if a folder has
  /// the name, or a file has the name and WriteOptions::if_taken is `refuse`. `changed` if the file
  /// does not have the state WriteOptions::replaces. `publish` always checks these conditions.
  /// `create` and Writer::write also check them if this costs little, so that they fail early.
  virtual Task<Result<std::unique_ptr<Writer>>> create(const Path& target,
                                                       WriteOptions options) = 0;

  /// Returns the versions of the files; null if the backend keeps none. They belong to the backend.
  virtual Versions* versions() { return nullptr; }

  /// Publishes writers of this backend under their target names, each atomically: a client reads
  /// the old content or the new. Publishes all writers or none: if one fails, takes back those that
  /// were published before it, but for those that the disk cannot take back (Writer::stayed).
  /// `over_quota` if the tree would grow by more than
  /// `growth_limit_bytes` (the sizes of the new files less those of the replaced files). A replaced
  /// content stays as a version only if the limit has room for that too (see Versions). Calls
  /// `may_show` just before names change, or at the beginning if the backend cannot know this
  /// moment. After a failure the writers can be published again. For writers with
  /// WriteOptions::out_of_sight, the rules described there apply instead.
  virtual Task<Result<std::vector<Published>>> publish(
      std::span<const std::unique_ptr<Writer>> writers, std::uint64_t growth_limit_bytes,
      MayShow may_show = {}) = 0;

  /// Creates the folder and its missing parents. `exists` if any item has the name.
  virtual Task<Result<void>> make_folder(const Path& folder) = 0;

  /// Renames an item, or moves it to another folder of this backend. `exists` if another item has
  /// the new name; `invalid` if a folder would be moved into itself. A new name that differs only
  /// in case is allowed. Renaming an existing item to its own name changes nothing and succeeds;
  /// for a symbolic link without a target it may fail with `exists`. Calls `may_show` just before
  /// the name changes (see `publish`). Where the backend sees symbolic links above the two paths'
  /// last components, it does not follow them: `conflict` (see `canonical`).
  virtual Task<Result<void>> rename(const Path& from, const Path& to, MayShow may_show = {}) = 0;

  /// Sets the times of a folder, as far as the backend stores them and can set them.
  virtual Task<Result<void>> set_times(const Path& /*folder*/, Timestamp /*created_at*/,
                                       Timestamp /*modified_at*/) {
    co_return Result<void>();
  }

  /// Returns true if set_properties and set_modified_at work here.
  virtual bool keeps_properties() const { return false; }
  /// Returns the texts that set_properties has stored with these items, in their order. Empty for
  /// an item without one, and for one that cannot be read.
  virtual Task<std::vector<std::string>> properties(std::vector<Path> items) {
    co_return std::vector<std::string>(items.size());
  }
  /// Stores a text with an item, or none if it is empty. It stays when the item is renamed, when
  /// its content is replaced and when `copy` copies it. Not more than kMostPropertiesBytes:
  /// `disk_full` if the text is longer, or the file system has no room for it. `refused` if the
  /// backend keeps none.
  virtual Task<Result<void>> set_properties(const Path& /*item*/, std::string /*text*/) {
    co_return fail(ErrorCode::refused, "Properties cannot be kept here.");
  }
  /// Sets the modification time of a file or folder. `refused` if the backend cannot.
  virtual Task<Result<void>> set_modified_at(const Path& /*item*/, Timestamp /*modified_at*/) {
    co_return fail(ErrorCode::refused, "Times cannot be set here.");
  }

  /// Returns true if `rename` moves a whole tree atomically.
  virtual bool renames_in_one_step() const { return true; }

  /// Returns false if this backend cannot copy by itself. `copy` then fails with `refused`, and the
  /// caller has to read and write the content.
  virtual bool copies() const { return true; }

  /// The most files and folders that `copy` copies. With more, the caller has to copy each.
  virtual std::uint64_t most_copied() const { return UINT64_MAX; }

  /// Copies a file or a tree within this backend. The copy becomes visible under `to` only when it
  /// is complete. `exists` if the name is taken. Keeps modification times. Leaves out symbolic
  /// links, devices, sockets, FIFOs and hidden names below `from`. The copy stays after the failure
  /// that CopyWatch::keep reports. The arguments must outlive the call.
  virtual Task<Result<TreeSize>> copy(const Path& from, const Path& to,
                                      const CopyOptions& options) = 0;

  /// Deletes a file, or a folder with all its content, and returns the size. The item is gone from
  /// the tree when the call returns; its space may be reclaimed later. A failure that happens after
  /// the item is gone is reported in Removed::unsafe. Links in `path` are as in `rename`.
  virtual Task<Result<Removed>> remove(const Path& path) = 0;

  /// Returns the size of a file or a tree. Does not follow symbolic links in the tree. Does not
  /// count items with hidden names below `path` (see is_hidden_name).
  virtual Task<Result<TreeSize>> measure(const Path& path) = 0;

  /// Returns the total capacity of the file system in bytes; nullopt if it is not known.
  virtual Task<std::optional<std::uint64_t>> capacity() { co_return std::nullopt; }

  /// Returns the canonical path of an item, with all symbolic links in the folders above it
  /// resolved. The last component stays as it is and need not exist. All paths to one item have the
  /// same canonical path.
  virtual Task<Result<Path>> canonical(const Path& path) = 0;

  /// Returns a view: a capability for only the tree at `folder`. The view treats symbolic links
  /// that leave the folder as missing. Does not check that the folder exists. If it is missing, the
  /// view's calls fail with `not_found`. All views of a remote backend together use only a part
  /// of its connections to the server. A view must not outlive its backend.
  virtual std::unique_ptr<Backend> beneath(const Path& folder) = 0;
};

}  // namespace coffer::storage
