#include "backends/local/copy_item.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <mutex>

#include "backends/local/copy_tree.h"
#include "backends/local/errno_error.h"
#include "backends/local/local_tree.h"
#include "base/log.h"

namespace coffer::local {
namespace {

/// A copy of what was deleted meanwhile may be a part.
Result<StagedItem> stage_tree(const Lookup& lookup, const Path& from, int source,
                              const Status& status, const char* name,
                              const storage::CopyOptions& options) {
  const auto size = copy_tree(source, lookup.volume().staging->folder(), name, options, {});
  if (!size) return failure_of(size);
  if (auto same = check_source(source, lookup.open(from, O_PATH)); !same) return failure_of(same);
  const mode_t mode = status.stx_mode & 0777;
  StagedItem staged{*size, std::nullopt};
  if ((mode & S_IRWXU) != S_IRWXU) staged.mode = mode;
  return staged;
}

Result<StagedItem> stage_copy(const Lookup& lookup, const Path& from, const char* name,
                              const storage::CopyOptions& options) {
  Opened source = lookup.open(from, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!source) return fail_with(source.error());
  const auto status = status_of(source->get(), kCopyMask);
  if (!status) return fail_with(status.error());
  if (is_folder(*status)) return stage_tree(lookup, from, source->get(), *status, name, options);
  if (!is_file(*status)) return fail_with(ENOENT);
  const auto bytes = copy_file(source->get(), *status, lookup.volume().staging->folder(), name,
                               options.limit_bytes, options.watch);
  if (!bytes) return failure_of(bytes);
  return StagedItem{{.bytes = *bytes, .files = 1}, std::nullopt};
}

/// One call for a whole tree, instead of one for each file in it.
Result<void> sync_copy(const Volume& volume, const Handle& copy, const storage::TreeSize& size) {
  if (!volume.durable) return {};
  const int done = size.folders == 0 ? ::fsync(copy.get()) : ::syncfs(copy.get());
  if (done != 0) return fail_with(errno);
  return {};
}

/// For a copy that shows: a failure leaves a mode that is too wide, but a whole copy.
void set_mode(const Volume& volume, const Handle& copy, mode_t mode) {
  const bool done =
      ::fchmod(copy.get(), mode) == 0 && (!volume.durable || ::fsync(copy.get()) == 0);
  if (!done) spdlog::error("a copied folder did not get its mode: {}", errno_error(errno).message);
}

/// The folder that the copy stands in.
Result<Handle> show_copy(const Lookup& lookup, const Path& to, StagedCopy& staged) {
  const std::unique_lock lock(*lookup.volume().steps);
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

StagedCopy::~StagedCopy() {
  if (!name_.empty()) staging_.reclaim(std::move(name_));
}

Result<void> ItemCopy::collect() {
  if (to_.is_within(from_)) return std::unexpected(move_error(EINVAL));
  const auto place = lookup_.place(to_);
  if (!place) return failure_of(place);
  if (status_in(place->folder.get(), place->name.c_str(), kSizeMask)) return fail_with(EEXIST);
  auto item = stage_copy(lookup_, from_, staged_.name(), options_);
  if (!item) return failure_of(item);
  item_ = *item;
  const Volume& volume = lookup_.volume();
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC;
  copy_ = Handle(::openat(volume.staging->folder(), staged_.name(), kFlags));
  if (!copy_) return fail_with(errno);
  return sync_copy(volume, copy_, item_.size);
}

Result<storage::TreeSize> ItemCopy::show() {
  const auto shown = show_copy(lookup_, to_, staged_);
  if (!shown) return failure_of(shown);
  if (item_.mode) set_mode(lookup_.volume(), copy_, *item_.mode);
  if (auto synced = sync_if_durable(lookup_, *shown); !synced) {
    // It stays: others may have put something into it meanwhile.
    options_.watch.keep(item_.size);
    return failure_of(synced);
  }
  return item_.size;
}

}  // namespace coffer::local
