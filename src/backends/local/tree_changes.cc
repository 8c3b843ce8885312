#include "backends/local/tree_changes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <mutex>
#include <vector>

#include "backends/local/errno_error.h"
#include "backends/local/file_systems.h"
#include "backends/local/folder_sync.h"
#include "backends/local/staging.h"
#include "backends/local/status.h"
#include "backends/local/tree_reads.h"
#include "backends/local/tree_walk.h"
#include "storage/depth.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

/// `unseen` is a link that leads nowhere, a device, a socket or a FIFO.
enum class Made : std::uint8_t { anew, was_folder, was_file, unseen };

Result<Made> make_one(const Lookup& lookup, const Path& folder, std::vector<EntryRef>& made) {
  TRY(auto place, lookup.place(folder));
  if (::mkdirat(place.folder.get(), place.name.c_str(), 0777) == 0) {
    made.push_back(std::move(place));
    return Made::anew;
  }
  if (errno != EEXIST) return std::unexpected(creation_error(errno));
  const auto found = lookup.find(folder, kSizeMask);
  if (!found) return Made::unseen;
  return is_folder(found->second) ? Made::was_folder : Made::was_file;
}

Result<void> make_all(const Lookup& lookup, const Path& folder, std::vector<EntryRef>& made) {
  // From the deepest folder that is there already, usually the parent.
  std::vector<Path> missing;
  for (Path above = folder.parent(); !above.is_root(); above = above.parent()) {
    if (const auto found = lookup.find(above, kSizeMask); found) break;
    missing.push_back(above);
  }
  for (; !missing.empty(); missing.pop_back()) {
    TRY(const auto one, make_one(lookup, missing.back(), made));
    if (one == Made::unseen) return fail_with(ENOENT);
    if (one == Made::was_file) return fail(ErrorCode::invalid, "This is a file, not a folder.");
  }
  TRY(const auto last, make_one(lookup, folder, made));
  if (last != Made::anew) return fail_with(EEXIST);
  return {};
}

/// The folder itself before its name: that alone may lead to nothing where a disk is written no
/// more than it is asked for. One that another took away meanwhile needs neither.
Result<void> sync_made(const EntryRef& place) {
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const Handle made(::openat(place.folder.get(), place.name.c_str(), kFlags));
  if (made) {
    TRY_VOID(FolderSync::sync_here(made.get()));
  }
  return FolderSync::sync_here(place.folder.get());
}

/// True if both places are one item: names that differ by case only, on a file system that does not
/// tell them apart. Two hard links to one file are two items.
bool are_one_item(const EntryRef& a, const EntryRef& b) {
  constexpr unsigned kMask = STATX_TYPE | STATX_INO | STATX_NLINK;
  const auto first = status_in(a.folder.get(), a.name.c_str(), kMask);
  const auto second = status_in(b.folder.get(), b.name.c_str(), kMask);
  if (!first || !second || number_of(*first) != number_of(*second)) return false;
  return is_folder(*first) || first->stx_nlink == 1;
}

NameRef ref(const EntryRef& entry) {
  return {entry.folder.get(), entry.name.c_str()};
}

/// Changes the name of an item, also to one that differs in case alone.
int rename_errno(const NameChanges& names, const EntryRef& from, const EntryRef& to) {
  const int error = names.rename_to_free(ref(from), ref(to));
  if (error != EEXIST || !are_one_item(from, to)) return error;
  return NameChanges::rename_onto_itself(ref(from), ref(to));
}

/// A mount would go with the folder, where nobody reaches it.
Result<void> check_no_mounts(const EntryRef& folder) {
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const Handle opened(::openat(folder.folder.get(), folder.name.c_str(), kFlags));
  if (!opened || !has_mounts_below(opened.get())) return {};
  return fail(ErrorCode::conflict,
              "A disk is mounted in this folder, so that it is neither renamed nor deleted.");
}

struct Renamed {
  EntryRef from;
  EntryRef to;
};

Result<Renamed> rename_places(const Lookup& lookup, const Path& from, const Path& to) {
  const std::unique_lock lock(*lookup.volume().steps);
  TRY(auto old, lookup.place_itself(from));
  const auto status = status_in(old.folder.get(), old.name.c_str(), kSizeMask);
  if (!status) return fail_with(status.error());
  if (!is_file(*status) && !is_folder(*status) && !is_link(*status)) return fail_with(ENOENT);
  if (is_folder(*status)) {
    TRY_VOID(check_no_mounts(old));
  }
  TRY(auto place, lookup.place_itself(to));
  if (const int error = rename_errno(lookup.volume().staging->names(), old, place)) {
    return std::unexpected(move_error(error, ref(old), ref(place)));
  }
  return Renamed{std::move(old), std::move(place)};
}

}  // namespace

Result<void> sync_if_durable(const Lookup& lookup, const Handle& folder) {
  if (!lookup.volume().durable) return {};
  return FolderSync::sync_here(folder.get());
}

// Neither upwards nor in place does anything come deeper. Deleting never fails for its depth, nor
// does its undoing.
Result<bool> may_become_too_deep(const Lookup& lookup, const Path& from, const Path& to) {
  const Path source = lookup.from_root(from);
  const Path target = lookup.from_root(to);
  const bool is_deleted =
      storage::is_hidden_name(source.front()) || storage::is_hidden_name(target.front());
  if (is_deleted || target.depth() <= source.depth()) return false;
  TRY(const auto place, lookup.place_itself(from));
  const auto status = status_in(place.folder.get(), place.name.c_str(), STATX_TYPE);
  if (!status || !is_folder(*status)) return false;
  TRY_VOID(storage::check_depth(target.depth()));
  return true;
}

Result<void> check_height(const Lookup& lookup, const Path& from, const Path& to) {
  TRY(const auto place, lookup.place_itself(from));
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const Handle folder(::openat(place.folder.get(), place.name.c_str(), kFlags));
  if (!folder) return fail_with(errno);
  const std::size_t depth = lookup.from_root(to).depth();
  const auto is_too_high = has_folder_below(folder.get(), storage::kDeepestFolder - depth);
  if (!is_too_high) return fail_with(is_too_high.error());
  return storage::check_depth(*is_too_high ? storage::kDeepestFolder + 1 : depth);
}

Result<void> make_folders(const Lookup& lookup, const Path& folder) {
  if (folder.is_root()) return fail_with(EEXIST);
  TRY_VOID(storage::check_depth(lookup.from_root(folder).depth()));
  std::vector<EntryRef> made;
  {
    const std::unique_lock lock(*lookup.volume().steps);
    if (auto all = make_all(lookup, folder, made); !all) {
      for (; !made.empty(); made.pop_back()) {
        const EntryRef& place = made.back();
        ::unlinkat(place.folder.get(), place.name.c_str(), AT_REMOVEDIR);
      }
      return all;
    }
  }
  if (!lookup.volume().durable) return {};
  for (const EntryRef& place : made) {
    TRY_VOID(sync_made(place));
  }
  return {};
}

Result<void> rename_item(const Lookup& lookup, const Path& from, const Path& to) {
  if (from != to && to.is_within(from) && !from.is_root()) {
    return std::unexpected(into_itself());
  }
  TRY(const auto renamed, rename_places(lookup, from, to));
  // The new name first: a crash between the two may leave both, but never none.
  auto synced = sync_if_durable(lookup, renamed.to.folder);
  if (synced) synced = sync_if_durable(lookup, renamed.from.folder);
  return synced;
}

Result<void> ItemRemoval::take_away() {
  const std::unique_lock lock(*lookup_.volume().steps);
  TRY(place_, lookup_.place_itself(path_));
  const int folder = place_.folder.get();
  const char* name = place_.name.c_str();
  // The handle keeps a file's blocks until the lock is free again: freeing them takes long.
  item_ = Handle(::openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!item_) return fail_with(errno);
  const auto status = status_of(item_.get(), kSizeMask);
  if (!status) return fail_with(status.error());
  if (coffer::local::is_folder(*status)) return take_folder_away();
  if (!is_file(*status) && !is_link(*status)) return fail_with(ENOENT);
  size_ = {.bytes = bytes_of(*status), .files = is_file(*status) ? 1U : 0U};
  return ::unlinkat(folder, name, 0) == 0 ? Result<void>() : fail_with(errno);
}

Result<void> ItemRemoval::take_folder_away() {
  Volume& volume = lookup_.volume();
  if (!volume.staging.stands()) return fail_with(ENOSPC);
  TRY_VOID(check_no_mounts(place_));
  const Staging& staging = *volume.staging;
  std::string staged = new_staging_name();
  const int error = staging.names().rename_to_free(ref(place_), staging.ref(staged));
  if (error != 0) {
    return std::unexpected(move_error(error, ref(place_), {staging.folder(), ""}));
  }
  staged_name_ = std::move(staged);
  return {};
}

Result<storage::TreeSize> ItemRemoval::measure() {
  if (!is_folder()) return size_;
  Staging& staging = *lookup_.volume().staging;
  auto size = measure_tree(item_.get());
  if (size) {
    staging.reclaim(staged_name_);
    return size;
  }
  if (staging.names().rename_to_free(staging.ref(staged_name_), ref(place_)) != 0) {
    staging.save(staged_name_, place_.name);
  }
  // The disk may know of the removal already.
  (void)sync_if_durable(lookup_, place_.folder);
  return size;
}

Result<storage::Removed> ItemRemoval::finish() {
  TRY(storage::Removed removed, measure());
  auto synced = sync_if_durable(lookup_, place_.folder);
  if (!synced) removed.unsafe = std::move(synced).error();
  return removed;
}

}  // namespace coffer::local
