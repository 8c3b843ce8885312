#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/task.h"
#include "backends/remote/name_holds.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/backend.h"
#include "storage/copy.h"
#include "storage/entry.h"
#include "storage/remote.h"

namespace coffer::remote {

/// The path of an item on the server, in the form that the protocol uses. Adapter::place_of
/// converts a Path to a ServerPath. Listings may also yield ServerPaths with names that are not
/// valid in a Path. Parameters of this type are named `place`, `folder`, `from` or `to`.
using ServerPath = std::string;
using ServerPaths = std::vector<ServerPath>;

std::string_view name_of(const ServerPath& place);
/// Returns the path of the folder that contains an item; empty or `/` for an item at the top.
ServerPath parent_of(const ServerPath& place);
ServerPath in_folder(const ServerPath& folder, std::string_view name);
/// True if `place` lies below the folder; false for the folder itself.
bool is_beneath(const ServerPath& place, const ServerPath& folder);

/// Return the path of a new partial or backup name in the folder of `place`; see
/// storage::partial_name and storage::backup_name.
ServerPath partial_beside(const ServerPath& place);
ServerPath backup_beside(const ServerPath& place);

/// The files and trees on one server that must still be deleted, such as partial files. A sweep
/// (removal.h) deletes them. If the server does not answer, they are kept for a later sweep. Safe
/// from any thread.
class Leftovers {
 public:
  /// Adds an item. If there are more than 1000, forgets the oldest one and logs its path.
  void add(ServerPath partial);
  /// Returns true if there are leftovers and no other caller is about to start a sweep. The caller
  /// must then start a sweep.
  bool claim() {
    const std::lock_guard lock(mutex_);
    return !partials_.empty() && !std::exchange(is_claimed_, true);
  }
  /// Called when a sweep starts. Removes and returns all leftovers. Then `claim` can succeed again.
  std::vector<ServerPath> take() {
    const std::lock_guard lock(mutex_);
    is_claimed_ = false;
    return std::exchange(partials_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<ServerPath> partials_;
  bool is_claimed_ = false;
};

/// The kind of an item. `link` is a symbolic link; `other` is a device, a socket or the like.
enum class Kind : std::uint8_t { file, folder, link, other };

/// One item as the server reports it.
struct Item {
  std::string name = {};
  Kind kind = Kind::file;
  std::uint64_t size_bytes = 0;
  Timestamp modified_at{};  ///< The epoch if the server reports no time.

  bool operator==(const Item&) const = default;
};

storage::Entry entry_of(const Item& item);

struct Found {
  ServerPath place;
  Item item;
};

/// All items of a folder, as the server reports them.
struct Listing {
  std::vector<Item> items = {};
  /// The number of items that are not in `items`: their names cannot be told, or the server tells
  /// of them in a form that is not understood.
  std::size_t left_out = 0;
};
/// Selects the items that clients see in a folder: files and folders.
storage::FolderListing shown_of(const Listing& listing);

/// One item of a tree that will be removed. The whole tree is kept in memory, and a hostile server
/// could list a million long paths. So an item stores only its name, not its path.
struct TreeItem {
  std::size_t folder = 0;  ///< The index of the item's folder in the list; the top has index 0.
  std::string name = {};   ///< Empty for the top.
  bool is_folder = false;
};

/// Returns the path of item `number` relative to the top, with a slash in front; empty for the top.
std::string below_top(std::span<const TreeItem> tree, std::size_t number);

/// Tells whether Adapter::replace replaces a file atomically. `maybe`: only an attempt shows it.
enum class Replaces : std::uint8_t { never, maybe, surely };

/// The way of removing a folder and everything in it.
enum class TreeRemoval : std::uint8_t {
  item_by_item,  ///< By `remove_file` and `remove_folder`.
  listed,        ///< By `remove_tree`, with a list of the items of the tree.
  whole,         ///< By `remove_tree`, without a list.
};

/// The answer that a caller of Adapter::find needs.
enum class Look : std::uint8_t {
  sure,    ///< The answer must be certain; otherwise `find` fails.
  shown,   ///< An item that the server does not show may count as missing.
  whole,   ///< Like `shown`, but includes the time of a folder. May cost another request.
  parent,  ///< Only whether the item is a folder. The answer may be a few seconds old.
};

/// The abilities of a server. They are known only after the adapter's first request to the server.
struct Capabilities {
  Replaces replaces = Replaces::never;
  bool links = false;  ///< `link` works, and `replace` keeps other hard links to the old file.
  bool keeps_links = false;  ///< Symbolic links can be renamed and removed like other items.
  /// The server lists links to folders as folders. `remove_file` can then be called for an item
  /// that is listed as a folder, and fails if the item really is a folder.
  bool shows_links_as_folders = false;
  bool moves_folders = true;  ///< `move` renames a folder atomically: only one caller succeeds.
  bool changes_case = true;   ///< `move` can rename `a` to `A` on a server that ignores case.
  /// Creating an item also creates its missing parent folders, even if that is not wanted.
  bool makes_parents = false;
  TreeRemoval tree_removal = TreeRemoval::item_by_item;
  bool copies_trees = false;    ///< `copy_tree` works.
  bool tells_vanished = false;  ///< If a source folder vanishes, a copy fails with `conflict`.
  storage::WalkLimits walk = {};
  /// The maximum length of a path. A walk fails at a longer one: a hostile tree may be endless.
  std::size_t longest_place_bytes = 16 * 1024;
};

/// True for failures after which the server may have carried out the request.
inline bool is_outage(const Error& error) {
  return error.code == ErrorCode::unavailable || error.code == ErrorCode::timed_out;
}
inline bool is_not_found(const Error& error) {
  return error.code == ErrorCode::not_found;
}
inline std::unexpected<Error> fail_missing() {
  return fail(ErrorCode::not_found, "There is no such file or folder.");
}
inline std::unexpected<Error> fail_lacking() {
  return fail(ErrorCode::refused, "The server cannot do this.");
}
inline std::unexpected<Error> fail_taken() {
  return fail(ErrorCode::exists, "The name is taken.");
}
inline std::unexpected<Error> fail_no_folder() {
  return fail(ErrorCode::invalid, "A file is where a folder is needed.");
}
inline std::unexpected<Error> fail_no_file() {
  return fail(ErrorCode::invalid, "This is a folder.");
}
/// Returns the error for a copy whose source has changed.
inline std::unexpected<Error> fail_changed() {
  return fail(ErrorCode::conflict,
              "The source changed while it was copied, so nothing was stored. Try again.");
}

/// The state that all operations on one server share.
struct SharedState {
  NameHolds names = {};
  Leftovers leftovers = {};
};

/// Sends the requests of one protocol, for one operation of a backend. The functions in this folder
/// combine the requests into whole operations. Calls return the errors that storage::Backend
/// defines. If the protocol has one code for all failures, the adapter must find out the cause. If
/// calls may block, they must be made within `carry_out`. Only one coroutine may use an adapter.
class Adapter {
 public:
  /// `base` is the folder of a view (storage::Backend::beneath), relative to the root of the whole
  /// backend; empty if there is no view. `state` must outlive the adapter.
  explicit Adapter(SharedState& state, Path base = {}) : state_(state), base_(std::move(base)) {}
  virtual ~Adapter() = default;

  virtual Capabilities capabilities() const = 0;
  NameHolds& names() { return state_.names; }
  /// Items that the operation adds to the leftovers are deleted after the operation.
  Leftovers& leftovers() { return state_.leftovers; }
  /// Fails with `unavailable` if this program is shutting down.
  virtual Result<void> go_on() const = 0;
  /// True if the last call failed, but may have made its change: for example, the reply was lost.
  virtual bool is_unsure() const = 0;
  /// Runs all steps of an operation. If the steps block, runs them on a thread of a pool.
  virtual Task<void> carry_out(Task<void> steps) { co_await std::move(steps); }

  /// Returns the path on the server for `path`. No item needs to exist there. If the backend
  /// resolves symbolic links, the parent folder of `path` must exist.
  virtual Task<Result<ServerPath>> place_of(const Path& path) { co_return (base_ / path).str(); }
  /// Returns the file or folder at a path. `not_found` if there is none. Follows a symbolic link if
  /// the backend resolves symbolic links.
  virtual Task<Result<Found>> find_item(const Path& path, Look look);
  /// Returns the item at a path, or nullopt if there is none.
  virtual Task<Result<std::optional<Item>>> find(const ServerPath& place, Look look) = 0;
  /// Lists all items in a folder. If the server reports that the folder is missing, fails instead
  /// of returning an empty list.
  virtual Task<Result<std::vector<Item>>> list(const ServerPath& folder) = 0;
  /// Lists the items that clients see in a folder; `invalid` for a file. Fails as
  /// storage::listing_too_large if the bound refuses bytes, which it is asked for as they come.
  virtual Task<Result<storage::FolderListing>> list_shown(const Path& folder);
  /// Sets the bound of list_shown; null for none, as at first.
  void set_listing_bound(storage::ListingBound bound) { listing_bound_ = std::move(bound); }

  virtual Task<Result<void>> make_folder(const ServerPath& folder) = 0;
  /// Renames an item. The caller has just checked that the name `to` is free.
  virtual Task<Result<void>> move(const ServerPath& from, const ServerPath& to, Kind kind) = 0;
  /// Renames a file to `to`, and replaces a file that has this name. `old` is the item that the
  /// caller has seen at `to`, or null if the caller knows of none.
  virtual Task<Result<void>> replace(const ServerPath& from, const ServerPath& to,
                                     const Item* /*old*/) {
    co_return co_await move(from, to, Kind::file);
  }
  /// Gives a file a second name: a hard link.
  virtual Task<Result<void>> link(const ServerPath& /*from*/, const ServerPath& /*to*/) {
    co_return fail_lacking();
  }
  /// Removes an item that is not a folder. `shown_as` is the kind of the item in the server's
  /// listing, which may be `folder` for a link. `not_found` if the item is gone.
  virtual Task<Result<void>> remove_file(const ServerPath& file, Kind shown_as) = 0;
  /// Removes an empty folder.
  virtual Task<Result<void>> remove_folder(const ServerPath& folder) {
    co_return co_await remove_file(folder, Kind::folder);
  }
  /// Removes a folder and everything in it. `items` is the tree as the caller has read it, with
  /// each folder before the items in the folder. If `items` is empty, the adapter reads the tree
  /// itself where this is necessary.
  virtual Task<Result<void>> remove_tree(const ServerPath& /*top*/,
                                         const std::vector<TreeItem>& /*items*/) {
    co_return fail_lacking();
  }
  /// Copies a file, with its modification time, to a free name. Returns the file's size.
  /// `over_quota` if the file is larger than the limit.
  virtual Task<Result<std::uint64_t>> copy_file(const ServerPath& /*from*/,
                                                const ServerPath& /*to*/, const Item& /*item*/,
                                                std::uint64_t /*limit_bytes*/,
                                                storage::CopyWatch& /*watch*/) {
    co_return fail_lacking();
  }
  virtual Task<Result<void>> set_time(const ServerPath& /*folder*/, Timestamp /*time*/) {
    co_return fail_lacking();
  }
  /// Copies a file, or a folder and everything in it. If Capabilities::copies_trees is true, this
  /// is called instead of `copy_file` and `set_time`.
  virtual Task<Result<storage::TreeSize>> copy_tree(const Found& /*from*/, const ServerPath& /*to*/,
                                                    const storage::CopyOptions& /*options*/) {
    co_return fail_lacking();
  }

  /// Called after an item was removed from `folder` or moved out of it. On a server without empty
  /// folders, makes sure that `folder` does not vanish.
  virtual Task<void> keep_folder(ServerPath /*folder*/) { co_return; }

 protected:
  const storage::ListingBound& listing_bound() const { return listing_bound_; }

 private:
  SharedState& state_;
  const Path base_;
  storage::ListingBound listing_bound_;
};

/// Moves an item. If the reply is lost, checks with `was_moved` whether the server made the move.
/// This is reliable only if one of the two names is held (NameHolds) or unknown to other programs.
Task<Result<void>> move_verified(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                                 Kind kind);
/// Returns true if no item is at `from` and an item is at `to`. If the name `to` may have been
/// taken before the move, pass the size of the moved file; the item at `to` must then have this
/// size. Fails if `find` fails.
Task<Result<bool>> was_moved(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                             std::optional<std::uint64_t> size_bytes = {});

/// Remove a file or an empty folder. If the reply is lost, succeed if the item is gone.
Task<Result<void>> remove_verified(Adapter& adapter, const ServerPath& file, Kind shown_as);
Task<Result<void>> remove_folder_verified(Adapter& adapter, const ServerPath& folder);

/// Checks that no item is at `place`. Fails with `exists` if there is one.
Task<Result<void>> need_free_name(Adapter& adapter, const ServerPath& place);
/// Checks that `folder` exists. `not_found` if it is missing, `invalid` if it is not a folder.
Task<Result<void>> need_folder(Adapter& adapter, const ServerPath& folder);

/// Returns the file or folder at a path. If Capabilities::keeps_links is true, also returns a
/// symbolic link. `not_found` for any other item, or if there is no item.
Task<Result<Item>> need_item(Adapter& adapter, const ServerPath& place);

}  // namespace coffer::remote
