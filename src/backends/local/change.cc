#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>

#include "backends/local/copy_tree.h"
#include "backends/local/errno_error.h"
#include "backends/local/local_tree.h"
#include "backends/local/measure.h"

namespace coffer::local {
namespace {

Result<void> sync_if_durable(const Lookup& lookup, const Handle& folder) {
  if (!lookup.volume().durable) return {};
  return lookup.volume().folder_sync.sync(folder.get());
}

/// Takes back what a copy left in the staging folder, unless it was published.
class StagedCopy {
 public:
  explicit StagedCopy(Staging& staging) : staging_(staging), name_(Staging::new_name()) {}
  ~StagedCopy() {
    if (!name_.empty()) staging_.reclaim(std::move(name_));
  }
  StagedCopy(const StagedCopy&) = delete;
  StagedCopy& operator=(const StagedCopy&) = delete;

  const char* name() const { return name_.c_str(); }
  void release() { name_.clear(); }

 private:
  Staging& staging_;
  std::string name_;
};

/// Makes one folder. False if a folder of that name is there already.
Result<bool> make_one(const Lookup& lookup, const Path& folder, std::vector<Place>& made) {
  auto place = lookup.place(folder);
  if (!place) return failure_of(place);
  if (::mkdirat(place->folder.get(), place->name.c_str(), 0777) == 0) {
    made.push_back(std::move(*place));
    return true;
  }
  if (errno != EEXIST) return std::unexpected(creation_error(errno));
  const auto found = lookup.find(folder, kSizeMask);
  if (found && is_folder(found->second)) return false;
  return fail(ErrorCode::invalid, "This is a file, not a folder.");
}

Result<void> make_all(const Lookup& lookup, const Path& folder, std::vector<Place>& made) {
  // From the deepest folder that is there already, usually the parent.
  std::vector<Path> missing{folder};
  for (Path above = folder.parent(); !above.is_root(); above = above.parent()) {
    if (const auto found = lookup.find(above, kSizeMask); found) break;
    missing.push_back(above);
  }
  for (; missing.size() > 1; missing.pop_back()) {
    if (auto one = make_one(lookup, missing.back(), made); !one) return failure_of(one);
  }
  const auto last = make_one(lookup, folder, made);
  if (last && *last) return {};
  if (last || last.error().code == ErrorCode::invalid) return fail_with(EEXIST);
  return failure_of(last);
}

/// True if both places are one item: names that differ by case only, on a file system that does not
/// tell them apart. Two hard links to one file are two items.
bool is_same_item(const Place& a, const Place& b) {
  constexpr unsigned kMask = STATX_TYPE | STATX_INO | STATX_NLINK;
  const auto first = status_in(a.folder.get(), a.name.c_str(), kMask);
  const auto second = status_in(b.folder.get(), b.name.c_str(), kMask);
  if (!first || !second || first->stx_ino != second->stx_ino) return false;
  return is_folder(*first) || first->stx_nlink == 1;
}

int rename_errno(const Place& from, const Place& to, unsigned flags) {
  const int moved =
      ::renameat2(from.folder.get(), from.name.c_str(), to.folder.get(), to.name.c_str(), flags);
  return moved == 0 ? 0 : errno;
}

Error rename_error(int code) {
  if (code == EINVAL) return {ErrorCode::invalid, "A folder cannot go into itself."};
  if (code == EXDEV) {
    return {ErrorCode::failed, "The two folders lie on different disks of the server."};
  }
  if (code == EBUSY) return {ErrorCode::forbidden, "The folder is in use by the server's system."};
  return creation_error(code);
}

/// Renames under the lock; gives the places for syncing.
Result<std::pair<Place, Place>> rename_places(const Lookup& lookup, const Path& from,
                                              const Path& to) {
  const std::lock_guard lock(lookup.volume().steps);
  auto old = lookup.place(from);
  if (!old) {
    if (old.error().code == ErrorCode::invalid) return fail_with(ENOENT);
    return failure_of(old);
  }
  const auto status = status_in(old->folder.get(), old->name.c_str(), kSizeMask);
  if (!status) return fail_with(status.error());
  if (!is_file(*status) && !is_folder(*status) && !is_link(*status)) return fail_with(ENOENT);
  auto place = lookup.place(to);
  if (!place) return failure_of(place);
  int error = rename_errno(*old, *place, RENAME_NOREPLACE);
  if (error == EEXIST && is_same_item(*old, *place)) error = rename_errno(*old, *place, 0);
  if (error != 0) return std::unexpected(rename_error(error));
  return std::pair{std::move(*old), std::move(*place)};
}

struct Removed {
  Place place;
  Handle item;
  std::string staged_name;  ///< Of a folder.
  storage::TreeSize size;   ///< Of a file.
};

Result<Removed> take_away(const Lookup& lookup, const Path& path) {
  const std::lock_guard lock(lookup.volume().steps);
  auto place = lookup.place(path);
  if (!place) {
    if (place.error().code == ErrorCode::invalid) return fail_with(ENOENT);
    return failure_of(place);
  }
  Removed removed;
  // The handle keeps a file's blocks until the lock is free again: freeing them takes long.
  constexpr int kFlags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
  removed.item = Handle(::openat(place->folder.get(), place->name.c_str(), kFlags));
  if (!removed.item) return fail_with(errno);
  const auto status = status_of(removed.item.get(), kSizeMask);
  if (!status) return fail_with(status.error());
  int done = 0;
  if (is_folder(*status)) {
    removed.staged_name = Staging::new_name();
    done = ::renameat2(place->folder.get(), place->name.c_str(), lookup.volume().staging->folder(),
                       removed.staged_name.c_str(), RENAME_NOREPLACE);
  } else if (is_file(*status) || is_link(*status)) {
    removed.size = {.bytes = bytes_of(*status), .files = is_file(*status) ? 1U : 0U};
    done = ::unlinkat(place->folder.get(), place->name.c_str(), 0);
  } else {
    return fail_with(ENOENT);
  }
  if (done != 0) return std::unexpected(rename_error(errno));
  removed.place = std::move(*place);
  return removed;
}

Result<storage::TreeSize> stage_copy(const Lookup& lookup, const Path& from, const char* name,
                                     std::uint64_t limit_bytes) {
  const int staging = lookup.volume().staging->folder();
  Opened source = lookup.open(from, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!source) return fail_with(source.error());
  const auto status = status_of(source->get(), kCopyMask);
  if (!status) return fail_with(status.error());
  if (is_folder(*status)) return copy_tree(source->get(), staging, name, limit_bytes, {});
  if (!is_file(*status)) return fail_with(ENOENT);
  const auto bytes = copy_file(source->get(), *status, staging, name, limit_bytes);
  if (!bytes) return failure_of(bytes);
  return storage::TreeSize{.bytes = *bytes, .files = 1};
}

/// One call for a whole tree, instead of one for each file in it.
Result<void> sync_staged(const Lookup& lookup, const char* name, const storage::TreeSize& size) {
  const Volume& volume = lookup.volume();
  if (!volume.durable) return {};
  const Handle staged(::openat(volume.staging->folder(), name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!staged) return fail_with(errno);
  const int done = size.folders == 0 ? ::fsync(staged.get()) : ::syncfs(staged.get());
  if (done != 0) return fail_with(errno);
  return {};
}

Result<Handle> show_copy(const Lookup& lookup, const Path& to, StagedCopy& staged) {
  const std::lock_guard lock(lookup.volume().steps);
  auto place = lookup.place(to);
  if (!place) return failure_of(place);
  if (::renameat2(lookup.volume().staging->folder(), staged.name(), place->folder.get(),
                  place->name.c_str(), RENAME_NOREPLACE) != 0) {
    return std::unexpected(rename_error(errno));
  }
  staged.release();
  return std::move(place->folder);
}

}  // namespace

Result<void> make_folders(const Lookup& lookup, const Path& folder) {
  if (folder.is_root()) return fail_with(EEXIST);
  std::vector<Place> made;
  {
    const std::lock_guard lock(lookup.volume().steps);
    if (auto all = make_all(lookup, folder, made); !all) {
      for (; !made.empty(); made.pop_back()) {
        ::unlinkat(made.back().folder.get(), made.back().name.c_str(), AT_REMOVEDIR);
      }
      return all;
    }
  }
  for (const Place& place : made) {
    if (auto synced = sync_if_durable(lookup, place.folder); !synced) return synced;
  }
  return {};
}

Result<void> rename_item(const Lookup& lookup, const Path& from, const Path& to) {
  if (from != to && to.is_within(from) && !from.is_root()) {
    return std::unexpected(rename_error(EINVAL));
  }
  auto renamed = rename_places(lookup, from, to);
  if (!renamed) return failure_of(renamed);
  // The new name first: a crash between the two may leave both, but never none.
  if (auto synced = sync_if_durable(lookup, renamed->second.folder); !synced) return synced;
  return sync_if_durable(lookup, renamed->first.folder);
}

Result<storage::TreeSize> remove_item(const Lookup& lookup, const Path& path) {
  auto removed = take_away(lookup, path);
  if (!removed) return failure_of(removed);
  Staging& staging = *lookup.volume().staging;
  Result<storage::TreeSize> size = removed->size;
  if (!removed->staged_name.empty()) {
    size = measure_tree(removed->item.get());
    if (!size) {
      ::renameat2(staging.folder(), removed->staged_name.c_str(), removed->place.folder.get(),
                  removed->place.name.c_str(), RENAME_NOREPLACE);
      return size;
    }
    staging.reclaim(removed->staged_name);
  }
  if (auto synced = sync_if_durable(lookup, removed->place.folder); !synced) {
    return failure_of(synced);
  }
  return size;
}

Result<storage::TreeSize> copy_item(const Lookup& lookup, const Path& from, const Path& to,
                                    std::uint64_t limit_bytes) {
  if (to.is_within(from)) return std::unexpected(rename_error(EINVAL));
  const auto place = lookup.place(to);
  if (!place) return failure_of(place);
  if (status_in(place->folder.get(), place->name.c_str(), kSizeMask)) return fail_with(EEXIST);
  StagedCopy staged(*lookup.volume().staging);
  const auto size = stage_copy(lookup, from, staged.name(), limit_bytes);
  if (!size) return size;
  if (auto synced = sync_staged(lookup, staged.name(), *size); !synced) return failure_of(synced);
  auto folder = show_copy(lookup, to, staged);
  if (!folder) return failure_of(folder);
  if (auto synced = sync_if_durable(lookup, *folder); !synced) return failure_of(synced);
  return size;
}

}  // namespace coffer::local
