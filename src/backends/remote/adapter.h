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
#include "storage/copy.h"
#include "storage/entry.h"
#include "storage/remote.h"

namespace coffer::remote {

/// The path of an item in the form that the adapter's protocol uses; parameters call it a place.
/// The adapter makes it from a Path. The name of a listed item may be appended, even if no Path can
/// hold it.
using ServerPath = std::string;
using ServerPaths = std::vector<ServerPath>;

std::string_view name_of(const ServerPath& place);
/// Returns the path of the folder that an item is in: empty, or `/`, for items at the top.
ServerPath parent_of(const ServerPath& place);
ServerPath in_folder(const ServerPath& folder, std::string_view name);
/// True if `place` lies below the folder; false for the folder itself.
bool is_beneath(const ServerPath& place, const ServerPath& folder);

/// Return the path of a new partial or backup name in the folder of `place`; see
/// storage::partial_name and storage::backup_name.
ServerPath partial_beside(const ServerPath& place);
ServerPath backup_beside(const ServerPath& place);

/// The partial files and trees on one server that a sweep (removal.h) has to delete. If the server
/// does not answer, the sweep adds them again, for a later sweep. Safe from any thread.
class Leftovers {
 public:
  /// Adds an item. If there are too many, drops the oldest one and logs that.
  void add(ServerPath partial);
  /// True if there are leftovers and no sweep is claimed yet: the caller must start a sweep.
  bool claim() {
    const std::lock_guard lock(mutex_);
    return !partials_.empty() && !std::exchange(is_claimed_, true);
  }
  /// Removes and returns all leftovers, for a sweep. A later sweep needs another claim.
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

/// The kind of an item: a file, a folder, a symbolic link, or a device, socket or the like.
enum class Kind : std::uint8_t { file, folder, link, other };

/// One item as the server reports it.
struct Item {
  std::string name = {};
  Kind kind = Kind::file;
  std::uint64_t size_bytes = 0;
  Timestamp modified_at{};  ///< The epoch if the server does not report it.

  bool operator==(const Item&) const = default;
};

/// Converts an item to an entry as clients see it.
storage::Entry entry_of(const Item& item);

struct Found {
  ServerPath place;
  Item item;
};

/// The items of a folder that clients see.
struct ShownFolder {
  std::vector<storage::Entry> entries = {};
  bool is_whole = true;  ///< False if an item is left out, or a link is shown as its target.
};
/// Selects the items that clients see from all items of a folder: its files and folders.
ShownFolder shown_of(const std::vector<Item>& items);

/// One item of a tree that will be removed. It has a name and no path: the whole tree is kept in
/// memory, and a hostile server could list a million long paths.
struct TreeItem {
  std::size_t folder = 0;  ///< The index of its folder in the tree; the top has index 0.
  std::string name = {};   ///< Empty for the top.
  bool is_folder = false;
};

/// Returns the path of item `number` relative to the top, with a slash in front; empty for the top.
std::string below_top(std::span<const TreeItem> tree, std::size_t number);

/// The certainty that Adapter::replace replaces an existing file atomically.
enum class Replaces : std::uint8_t { never, maybe, surely };

/// The way of removing a folder and everything in it.
enum class TreeRemoval : std::uint8_t {
  item_by_item,
  listed,  ///< By `remove_tree`, with a list of the items of the tree.
  whole,   ///< By `remove_tree`, without a list.
};

/// The kind of answer that a caller of Adapter::find needs.
enum class Look : std::uint8_t {
  sure,    ///< Absence is certain, even on a server that refuses to show items.
  shown,   ///< An item that the server does not show counts as absent.
  whole,   ///< Like `shown`, with the time of a folder, which may cost another request.
  parent,  ///< The folder of a new item. The answer may be a moment old.
};

/// The abilities of a server. They are certain after the adapter's first call.
struct Capabilities {
  Replaces replaces = Replaces::never;
  bool links = false;        ///< Hard links work: `replace` over one name keeps the other name.
  bool keeps_links = false;  ///< Symbolic links can be renamed and removed like other items.
  /// An item listed as a folder is a link if `remove_file` removes it.
  bool shows_links_as_folders = false;
  bool moves_folders = true;  ///< `move` renames a folder atomically: only one caller succeeds.
  bool changes_case = true;   ///< `move` can change the case of an item's own name.
  /// Creating an item also creates its missing parent folders, wanted or not.
  bool makes_parents = false;
  TreeRemoval tree_removal = TreeRemoval::item_by_item;
  bool copies_trees = false;    ///< `copy_tree` works.
  bool tells_vanished = false;  ///< A copy whose source folder vanishes fails with `conflict`.
  storage::WalkLimits walk = {};
  /// The maximum length of a path. It ends a walk through endless folders of a hostile server.
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

/// The requests of one protocol, for one operation of a backend. The functions of this library
/// combine them into whole operations. Calls return the errors that storage::Backend defines. An
/// adapter whose protocol has one code for all failures finds out the cause itself. Calls may block
/// if `carry_out` runs the operation on a thread. Used by one coroutine.
class Adapter {
 public:
  /// Makes an adapter for a backend whose root is the folder `base` below the root of the server's
  /// options. `state` must outlive the adapter.
  explicit Adapter(SharedState& state, Path base = {}) : state_(state), base_(std::move(base)) {}
  virtual ~Adapter() = default;

  virtual Capabilities capabilities() const = 0;
  NameHolds& names() { return state_.names; }
  /// Items that are added here are deleted after the operation.
  Leftovers& leftovers() { return state_.leftovers; }
  /// Fails with `unavailable` if this program is ending.
  virtual Result<void> go_on() const = 0;
  /// True if the last call failed without a reply, so that the server may have made the change.
  virtual bool is_unsure() const = 0;
  /// Runs the steps of an operation to their end, on a thread if they block.
  virtual Task<void> carry_out(Task<void> steps) { co_await std::move(steps); }

  /// Returns the server's path for `path`, which need not exist. If the backend resolves symbolic
  /// links, the folder of `path` must exist.
  virtual Task<Result<ServerPath>> place_of(const Path& path) { co_return (base_ / path).str(); }
  /// Returns the file or folder at a path; `not_found` if there is no file or folder. Follows
  /// symbolic links if the backend resolves them.
  virtual Task<Result<Found>> find_item(const Path& path, Look look);
  /// Returns the item at a path, or nullopt if there is none.
  virtual Task<Result<std::optional<Item>>> find(const ServerPath& place, Look look) = 0;
  /// Lists all items in a folder. If the folder vanishes meanwhile and the server can tell, fails
  /// instead of returning an empty list.
  virtual Task<Result<std::vector<Item>>> list(const ServerPath& folder) = 0;
  /// Lists the items of a folder that clients see; `invalid` for a file.
  virtual Task<Result<ShownFolder>> list_shown(const Path& folder);

  virtual Task<Result<void>> make_folder(const ServerPath& folder) = 0;
  /// Renames an item to a name that was found free a moment ago.
  virtual Task<Result<void>> move(const ServerPath& from, const ServerPath& to, Kind kind) = 0;
  /// Renames a file to `to`, a name that another file may have. `old` is the item that was last
  /// seen at `to`, or null.
  virtual Task<Result<void>> replace(const ServerPath& from, const ServerPath& to,
                                     const Item* /*old*/) {
    co_return co_await move(from, to, Kind::file);
  }
  /// Gives a file a second name: a hard link.
  virtual Task<Result<void>> link(const ServerPath& /*from*/, const ServerPath& /*to*/) {
    co_return fail_lacking();
  }
  /// Removes an item that is not a folder, or a link that is listed as a folder. `shown_as` is the
  /// kind that was listed. `not_found` if the item is gone.
  virtual Task<Result<void>> remove_file(const ServerPath& file, Kind shown_as) = 0;
  /// Removes an empty folder.
  virtual Task<Result<void>> remove_folder(const ServerPath& folder) {
    co_return co_await remove_file(folder, Kind::folder);
  }
  /// Removes a folder and everything in it. `items` is the tree as it was read, each folder before
  /// its items. If `items` is empty, the adapter reads the tree itself if it needs to.
  virtual Task<Result<void>> remove_tree(const ServerPath& /*top*/,
                                         const std::vector<TreeItem>& /*items*/) {
    co_return fail_lacking();
  }
  /// Copies a file to a new name and keeps its time. Returns its size; `over_quota` if it is larger
  /// than the limit.
  virtual Task<Result<std::uint64_t>> copy_file(const ServerPath& /*from*/,
                                                const ServerPath& /*to*/, const Item& /*item*/,
                                                std::uint64_t /*limit_bytes*/,
                                                storage::CopyWatch& /*watch*/) {
    co_return fail_lacking();
  }
  virtual Task<Result<void>> set_time(const ServerPath& /*folder*/, Timestamp /*time*/) {
    co_return fail_lacking();
  }
  /// Copies a file, or a folder and everything in it. Called instead of `copy_file` and `set_time`
  /// if Capabilities::copies_trees is set.
  virtual Task<Result<storage::TreeSize>> copy_tree(const Found& /*from*/, const ServerPath& /*to*/,
                                                    const storage::CopyOptions& /*options*/) {
    co_return fail_lacking();
  }

  /// Called after an item has left `folder`. Keeps the folder on a server without empty folders.
  virtual Task<void> keep_folder(ServerPath /*folder*/) { co_return; }

 private:
  SharedState& state_;
  const Path base_;
};

/// Moves an item. If the reply is lost, checks whether the server made the move: no item is at
/// `from` and one is at `to`. The check is reliable only if one of the two names is known to this
/// program alone, or is held (NameHolds).
Task<Result<void>> move_verified(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                                 Kind kind);
/// Returns true if a move was made: no item is at `from` and one is at `to`. If a size is given,
/// the item at `to` must have that size, because the name may have been taken before. Fails if this
/// cannot be found out.
Task<Result<bool>> was_moved(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                             std::optional<std::uint64_t> size_bytes = {});

/// Remove a file or an empty folder. If the reply is lost, the call succeeds if the item is gone.
Task<Result<void>> remove_verified(Adapter& adapter, const ServerPath& file, Kind shown_as);
Task<Result<void>> remove_folder_verified(Adapter& adapter, const ServerPath& folder);

/// Fails with `exists` if an item has the name.
Task<Result<void>> need_free_name(Adapter& adapter, const ServerPath& place);
/// Fails with `not_found` if there is no such folder, with `invalid` if it is a file.
Task<Result<void>> need_folder(Adapter& adapter, const ServerPath& folder);

/// Returns the file or folder at a path, or a link if Capabilities::keeps_links is set. `not_found`
/// otherwise.
Task<Result<Item>> need_item(Adapter& adapter, const ServerPath& place);

}  // namespace coffer::remote
