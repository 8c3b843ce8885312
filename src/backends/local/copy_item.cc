#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <mutex>

#include "backends/local/copy_tree.h"
#include "backends/local/errno_error.h"
#include "backends/local/local_tree.h"

namespace coffer::local {
namespace {

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

Result<storage::TreeSize> stage_copy(const Lookup& lookup, const Path& from, const char* name,
                                     const storage::CopyOptions& options) {
  const int staging = lookup.volume().staging->folder();
  Opened source = lookup.open(from, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!source) return fail_with(source.error());
  const auto status = status_of(source->get(), kCopyMask);
  if (!status) return fail_with(status.error());
  if (is_folder(*status)) return copy_tree(source->get(), staging, name, options, {});
  if (!is_file(*status)) return fail_with(ENOENT);
  const auto bytes =
      copy_file(source->get(), *status, staging, name, options.limit_bytes, options.watch);
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
  const std::unique_lock lock(lookup.volume().steps);
  auto place = lookup.place(to);
  if (!place) return failure_of(place);
  if (::renameat2(lookup.volume().staging->folder(), staged.name(), place->folder.get(),
                  place->name.c_str(), RENAME_NOREPLACE) != 0) {
    return std::unexpected(move_error(errno));
  }
  staged.release();
  return std::move(place->folder);
}

}  // namespace

Result<storage::TreeSize> copy_item(const Lookup& lookup, const Path& from, const Path& to,
                                    const storage::CopyOptions& options) {
  if (to.is_within(from)) return std::unexpected(move_error(EINVAL));
  const auto place = lookup.place(to);
  if (!place) return failure_of(place);
  if (status_in(place->folder.get(), place->name.c_str(), kSizeMask)) return fail_with(EEXIST);
  StagedCopy staged(*lookup.volume().staging);
  const auto size = stage_copy(lookup, from, staged.name(), options);
  if (!size) return size;
  if (auto synced = sync_staged(lookup, staged.name(), *size); !synced) return failure_of(synced);
  if (auto on = go_on(options.watch); !on) return failure_of(on);
  auto folder = show_copy(lookup, to, staged);
  if (!folder) return failure_of(folder);
  if (auto synced = sync_if_durable(lookup, *folder); !synced) return failure_of(synced);
  return size;
}

}  // namespace coffer::local
