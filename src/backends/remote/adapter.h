#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "backends/remote/leftovers.h"
#include "backends/remote/name_holds.h"
#include "backends/remote/server_path.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"
#include "storage/remote.h"

namespace coffer::remote {

enum class Kind : std::uint8_t { file, folder, link, other };

/// What a server tells of one item.
struct Item {
  std::string name = {};
  Kind kind = Kind::file;
  std::uint64_t size_bytes = 0;
  Timestamp modified_at{};  ///< The epoch where the server tells none.

  bool operator==(const Item&) const = default;
};

/// What a backend tells of it.
storage::Entry entry_of(const Item& item);

struct Found {
  ServerPath place;
  Item item;
};

/// What a backend tells of a folder.
struct ShownFolder {
  std::vector<storage::Entry> entries = {};
  bool is_whole = true;  ///< False where something is left out, or a link shows as its target.
};
/// Of all items in it.
ShownFolder shown_of(const std::vector<Item>& items);

/// One item of a tree that is to be removed. Trees are held whole, so none has its whole path: a
/// hostile server could make a million long ones.
struct TreeItem {
  std::size_t folder = 0;  ///< The number of the folder that it is in; the top is number 0.
  std::string name = {};   ///< Empty for the top.
  bool is_folder = false;
};

/// Where the item of this number stands below the top: empty for the top, else with a slash.
std::string below_top(std::span<const TreeItem> tree, std::size_t number);

/// Whether `replace` takes a file's place in one step.
enum class Replaces : std::uint8_t { never, maybe, surely };

/// How a folder goes with all in it.
enum class TreeRemoval : std::uint8_t {
  item_by_item,
  listed,  ///< By `remove_tree`, which is quicker with the tree's items.
  whole,   ///< By `remove_tree`, unseen.
};

/// How sure a look must be.
enum class Look : std::uint8_t {
  sure,    ///< That nothing is there, too, whatever the server refuses to show.
  shown,   ///< Nothing also where the server shows nothing.
  whole,   ///< The same, with the time of a folder too, which may cost more.
  parent,  ///< For what is to be put into it: as of a moment ago will do.
};

/// What a server can. Known for sure after the adapter's first call.
struct Capabilities {
  Replaces replaces = Replaces::never;
  bool links = false;        ///< `link` may give a file a second name, and `replace` take one away.
  bool keeps_links = false;  ///< Links are items of their own, which are renamed and removed.
  bool shows_links_as_folders = false;  ///< What can be removed like a file is one of these.
  bool moves_folders = true;            ///< In one step, so that one of many that do it wins.
  bool changes_case = true;  ///< `move` to the item's own name in other case, where that is taken.
  bool makes_parents = false;  ///< A new item's folders are made with it, unasked too.
  TreeRemoval tree_removal = TreeRemoval::item_by_item;
  bool copies_trees = false;
  bool tells_vanished = false;  ///< What is gone from under a copy is a `conflict`.
  storage::WalkLimits walk = {};
  /// No server has longer paths, and one that makes up folders without end is stopped.
  std::size_t longest_place_bytes = 16 * 1024;
};

/// Failures after which a request may or may not have been done.
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
/// Of a copy.
inline std::unexpected<Error> fail_changed() {
  return fail(ErrorCode::conflict,
              "The source changed while it was copied, so nothing was stored. Try again.");
}

/// What all operations on one server share.
struct SharedState {
  NameHolds names = {};
  Leftovers leftovers = {};
};

/// The calls of one protocol, for one operation of a backend: what it takes to carry that out
/// stands in this library alone. Calls fail as storage::Backend says; each deals with a server that
/// has one code for all that went wrong. They may block where `carry_out` sees to it. Used by one
/// coroutine.
class Adapter {
 public:
  /// Of the backend whose root is the folder `base` of the server's. The state outlives it.
  explicit Adapter(SharedState& state, Path base = {}) : state_(state), base_(std::move(base)) {}
  virtual ~Adapter() = default;

  virtual Capabilities capabilities() const = 0;
  NameHolds& names() { return state_.names; }
  /// What an operation adds here goes when that has ended.
  Leftovers& leftovers() { return state_.leftovers; }
  /// Fails when this program ends.
  virtual Result<void> go_on() const = 0;
  /// After a change failed: it may have been done all the same, since its answer was lost.
  virtual bool is_unsure() const = 0;
  /// Runs the steps of an operation to their end.
  virtual Task<void> carry_out(Task<void> steps) { co_await std::move(steps); }

  /// Of a name in the backend, which need not exist. Where links are resolved, its folder must.
  virtual Task<Result<ServerPath>> place_of(const Path& path) { co_return (base_ / path).str(); }
  /// The file or folder there, links followed where the backend does.
  virtual Task<Result<Found>> find_item(const Path& path, Look look);
  /// What has the name, if anything has.
  virtual Task<Result<std::optional<Item>>> find(const ServerPath& place, Look look) = 0;
  /// All items in the folder. One that vanishes is not taken for empty where the server can tell.
  virtual Task<Result<std::vector<Item>>> list(const ServerPath& folder) = 0;
  /// As a client sees it; `invalid` for a file.
  virtual Task<Result<ShownFolder>> list_shown(const Path& folder);

  virtual Task<Result<void>> make_folder(const ServerPath& folder) = 0;
  /// To a name that was free a moment ago.
  virtual Task<Result<void>> move(const ServerPath& from, const ServerPath& to, Kind kind) = 0;
  /// A file to a name that may be taken by one; `old` is what was seen there, or null.
  virtual Task<Result<void>> replace(const ServerPath& from, const ServerPath& to,
                                     const Item* /*old*/) {
    co_return co_await move(from, to, Kind::file);
  }
  virtual Task<Result<void>> link(const ServerPath& /*from*/, const ServerPath& /*to*/) {
    co_return fail_lacking();
  }
  /// All but folders, and what is shown as one but is a link. `not_found` if it is gone.
  virtual Task<Result<void>> remove_file(const ServerPath& file, Kind shown_as) = 0;
  /// An empty one.
  virtual Task<Result<void>> remove_folder(const ServerPath& folder) {
    co_return co_await remove_file(folder, Kind::folder);
  }
  /// A folder with all in it. `items` are what was read of it, folders before what is in them;
  /// without any it is to be read here, where that is needed.
  virtual Task<Result<void>> remove_tree(const ServerPath& /*top*/,
                                         const std::vector<TreeItem>& /*items*/) {
    co_return fail_lacking();
  }
  /// To a new name, times kept. Returns how many bytes; `over_quota` for more than the limit.
  virtual Task<Result<std::uint64_t>> copy_file(const ServerPath& /*from*/,
                                                const ServerPath& /*to*/, const Item& /*item*/,
                                                std::uint64_t /*limit_bytes*/,
                                                storage::CopyWatch& /*watch*/) {
    co_return fail_lacking();
  }
  virtual Task<Result<void>> set_time(const ServerPath& /*folder*/, Timestamp /*time*/) {
    co_return fail_lacking();
  }
  /// A file or a folder with all in it, in the place of those two.
  virtual Task<Result<storage::TreeSize>> copy_tree(const Found& /*from*/, const ServerPath& /*to*/,
                                                    const storage::CopyOptions& /*options*/) {
    co_return fail_lacking();
  }

  /// Something has left the folder.
  virtual Task<void> keep_folder(ServerPath /*folder*/) { co_return; }

 private:
  SharedState& state_;
  const Path base_;
};

}  // namespace coffer::remote
