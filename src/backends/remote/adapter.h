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

/// A whole path on the server: one that an adapter made of a Path, or the name of a listed item
/// below it, which a Path need not be able to hold.
using ServerPath = std::string;
using ServerPaths = std::vector<ServerPath>;

std::string_view name_of(const ServerPath& place);
/// Returns the folder that a place is in: empty, or `/`, for the top.
ServerPath parent_of(const ServerPath& place);
ServerPath in_folder(const ServerPath& folder, std::string_view name);
/// True for a place below the folder, not for the folder itself.
bool is_beneath(const ServerPath& place, const ServerPath& folder);

/// Return new names beside a place; see storage::partial_name and storage::backup_name.
ServerPath partial_beside(const ServerPath& place);
ServerPath backup_beside(const ServerPath& place);

/// The partial files and trees of one server that a sweep (removal.h) has to delete. Those that the
/// server does not answer for are added again, for another sweep. Safe from any thread.
class Leftovers {
 public:
  /// Adds one. When there are too many, forgets the oldest and logs it.
  void add(ServerPath partial);
  /// True if there are any and no sweep was claimed yet: the caller has to start one.
  bool claim() {
    const std::lock_guard lock(mutex_);
    return !partials_.empty() && !std::exchange(is_claimed_, true);
  }
  /// Takes all of them, for a sweep. Later ones need another claim.
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

enum class Kind : std::uint8_t { file, folder, link, other };

/// One item, as a server tells of it.
struct Item {
  std::string name = {};
  Kind kind = Kind::file;
  std::uint64_t size_bytes = 0;
  Timestamp modified_at{};  ///< The epoch if the server tells none.

  bool operator==(const Item&) const = default;
};

/// Returns the item as a backend shows it.
storage::Entry entry_of(const Item& item);

struct Found {
  ServerPath place;
  Item item;
};

/// The items of a folder as a backend shows them.
struct ShownFolder {
  std::vector<storage::Entry> entries = {};
  bool is_whole = true;  ///< False if an item is left out, or a link shows as its target.
};
/// Returns the shown items of all those in a folder.
ShownFolder shown_of(const std::vector<Item>& items);

/// One item of a tree that is to be removed. Items hold no whole paths, since a whole tree is in
/// memory and a hostile server could make a million long ones.
struct TreeItem {
  std::size_t folder = 0;  ///< The number of the folder that it is in; the top is number 0.
  std::string name = {};   ///< Empty for the top.
  bool is_folder = false;
};

/// Returns the path of an item below the top: empty for the top, else with a slash in front.
std::string below_top(std::span<const TreeItem> tree, std::size_t number);

/// Tells whether `replace` replaces a file in one step.
enum class Replaces : std::uint8_t { never, maybe, surely };

/// The way in which a folder is removed with all in it.
enum class TreeRemoval : std::uint8_t {
  item_by_item,
  listed,  ///< By `remove_tree`, which needs the tree's items.
  whole,   ///< By `remove_tree`, which needs no items.
};

/// The certainty that a look needs.
enum class Look : std::uint8_t {
  sure,    ///< Absence is certain too, whatever the server refuses to show.
  shown,   ///< An item that the server does not show counts as absent.
  whole,   ///< As `shown`, with the time of a folder too, which may cost more.
  parent,  ///< A folder that something is put into; a look of a moment ago is enough.
};

/// The abilities of a server. Certain after the adapter's first call.
struct Capabilities {
  Replaces replaces = Replaces::never;
  bool links = false;        ///< `link` may give a file a second name, and `replace` take one away.
  bool keeps_links = false;  ///< Links are items of their own, which are renamed and removed.
  bool shows_links_as_folders = false;  ///< A folder that can be removed like a file is a link.
  bool moves_folders = true;            ///< In one step, so that one of several callers wins.
  bool changes_case = true;             ///< `move` to the item's own name in other case works.
  bool makes_parents =
      false;  ///< A new item's missing folders are made with it, also when nobody asks for them.
  TreeRemoval tree_removal = TreeRemoval::item_by_item;
  bool copies_trees = false;
  bool tells_vanished = false;  ///< A source folder that vanishes ends a copy with `conflict`.
  storage::WalkLimits walk = {};
  /// The limit of a path's length, which stops a server that invents folders without end.
  std::size_t longest_place_bytes = 16 * 1024;
};

/// True for failures after which the request may have been carried out.
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
/// Returns the error for a copy whose source changed.
inline std::unexpected<Error> fail_changed() {
  return fail(ErrorCode::conflict,
              "The source changed while it was copied, so nothing was stored. Try again.");
}

/// The state that all operations on one server share.
struct SharedState {
  NameHolds names = {};
  Leftovers leftovers = {};
};

/// The calls of one protocol, for one operation of a backend; this library combines them to
/// operations. Calls fail as storage::Backend says; each deals with a server that has one code for
/// all failures. They may block if `carry_out` moves the operation to a thread. Used by one
/// coroutine.
class Adapter {
 public:
  /// Makes the adapter of a backend whose root is the folder `base` of the server's. The state
  /// outlives it.
  explicit Adapter(SharedState& state, Path base = {}) : state_(state), base_(std::move(base)) {}
  virtual ~Adapter() = default;

  virtual Capabilities capabilities() const = 0;
  NameHolds& names() { return state_.names; }
  /// Items added here are deleted after the operation.
  Leftovers& leftovers() { return state_.leftovers; }
  /// `unavailable` when this program ends.
  virtual Result<void> go_on() const = 0;
  /// True if the last call failed without a reply, so that the change may have been made.
  virtual bool is_unsure() const = 0;
  /// Runs an operation's steps to their end.
  virtual Task<void> carry_out(Task<void> steps) { co_await std::move(steps); }

  /// Returns the place of a path, which need not exist. If links are resolved, its folder must
  /// exist.
  virtual Task<Result<ServerPath>> place_of(const Path& path) { co_return (base_ / path).str(); }
  /// Returns the file or folder at a path, with links followed if the backend does so.
  virtual Task<Result<Found>> find_item(const Path& path, Look look);
  /// Returns the item of that name, or nullopt.
  virtual Task<Result<std::optional<Item>>> find(const ServerPath& place, Look look) = 0;
  /// Lists all items in a folder. A folder that vanishes meanwhile is not taken for an empty one,
  /// if the server can tell.
  virtual Task<Result<std::vector<Item>>> list(const ServerPath& folder) = 0;
  /// Lists a folder as clients see it; `invalid` for a file.
  virtual Task<Result<ShownFolder>> list_shown(const Path& folder);

  virtual Task<Result<void>> make_folder(const ServerPath& folder) = 0;
  /// Renames an item to a name that was free a moment ago.
  virtual Task<Result<void>> move(const ServerPath& from, const ServerPath& to, Kind kind) = 0;
  /// Renames a file to a name that another file may have; `old` is the item that was seen there, or
  /// null.
  virtual Task<Result<void>> replace(const ServerPath& from, const ServerPath& to,
                                     const Item* /*old*/) {
    co_return co_await move(from, to, Kind::file);
  }
  virtual Task<Result<void>> link(const ServerPath& /*from*/, const ServerPath& /*to*/) {
    co_return fail_lacking();
  }
  /// Removes anything but a folder, and a link that is shown as a folder. `not_found` if it is
  /// gone.
  virtual Task<Result<void>> remove_file(const ServerPath& file, Kind shown_as) = 0;
  /// Removes an empty folder.
  virtual Task<Result<void>> remove_folder(const ServerPath& folder) {
    co_return co_await remove_file(folder, Kind::folder);
  }
  /// Removes a folder with all in it. `items` were read from it, folders before their items; if it
  /// is empty, the adapter reads the tree itself if it needs that.
  virtual Task<Result<void>> remove_tree(const ServerPath& /*top*/,
                                         const std::vector<TreeItem>& /*items*/) {
    co_return fail_lacking();
  }
  /// Copies a file to a new name and keeps its time. Returns its size; `over_quota` if that exceeds
  /// the limit.
  virtual Task<Result<std::uint64_t>> copy_file(const ServerPath& /*from*/,
                                                const ServerPath& /*to*/, const Item& /*item*/,
                                                std::uint64_t /*limit_bytes*/,
                                                storage::CopyWatch& /*watch*/) {
    co_return fail_lacking();
  }
  virtual Task<Result<void>> set_time(const ServerPath& /*folder*/, Timestamp /*time*/) {
    co_return fail_lacking();
  }
  /// Copies a file, or a folder with all in it, instead of `copy_file` and `set_time`.
  virtual Task<Result<storage::TreeSize>> copy_tree(const Found& /*from*/, const ServerPath& /*to*/,
                                                    const storage::CopyOptions& /*options*/) {
    co_return fail_lacking();
  }

  /// Keeps a folder that an item was removed from, on a server that has no empty folders.
  virtual Task<void> keep_folder(ServerPath /*folder*/) { co_return; }

 private:
  SharedState& state_;
  const Path base_;
};

/// Moves an item. If the reply is lost, looks whether the move was made: no item at `from` and one
/// at `to`. One of the two is a name that only this program has, or the name is held.
Task<Result<void>> move_verified(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                                 Kind kind);
/// Looks whether a move was made; if a size is given, only an item of that size counts, since `to`
/// may have been taken before. A failure means that it is not known.
Task<Result<bool>> was_moved(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                             std::optional<std::uint64_t> size_bytes = {});

/// Remove a file or an empty folder, and look whether that was done if the reply is lost.
Task<Result<void>> remove_verified(Adapter& adapter, const ServerPath& file, Kind shown_as);
Task<Result<void>> remove_folder_verified(Adapter& adapter, const ServerPath& folder);

/// `exists` if an item has the name.
Task<Result<void>> need_free_name(Adapter& adapter, const ServerPath& place);
/// `not_found` if there is none, `invalid` if it is a file.
Task<Result<void>> need_folder(Adapter& adapter, const ServerPath& folder);

/// Returns the item of that name as clients see it: a file, a folder, or a link that is kept.
Task<Result<Item>> need_item(Adapter& adapter, const ServerPath& place);

}  // namespace coffer::remote
