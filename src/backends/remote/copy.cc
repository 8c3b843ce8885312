#include "backends/remote/copy.h"

#include <ranges>

#include "backends/remote/lost_reply.h"
#include "backends/remote/removal.h"
#include "backends/remote/tree_changes.h"
#include "backends/remote/walk.h"

namespace coffer::remote {
namespace {

/// A file or a tree on its way to a new place, item by item.
class TreeCopy {
 public:
  TreeCopy(Adapter& adapter, const Found& source, const ServerPath& target,
           const storage::CopyOptions& options)
      : adapter_(adapter),
        source_(source),
        target_(target),
        limit_bytes_(options.limit_bytes),
        watch_(options.watch) {}

  Task<Result<storage::TreeSize>> run();

 private:
  Task<Result<void>> copy_folders();
  Task<Result<void>> copy_folder(const WalkedFolder& folder);
  Task<Result<void>> copy_file(const ServerPath& from, const Item& item);
  Task<Result<void>> set_times();
  std::unexpected<Error> vanished(const Error& error) const;
  /// Where what stands in the source is to stand.
  ServerPath in_copy(const ServerPath& place) const {
    return target_ + place.substr(source_.place.size());
  }

  Adapter& adapter_;
  const Found& source_;
  const ServerPath& target_;
  const std::uint64_t limit_bytes_;
  storage::CopyWatch& watch_;
  storage::TreeSize size_;
  std::vector<std::pair<ServerPath, Timestamp>> folder_times_;
};

Task<Result<storage::TreeSize>> TreeCopy::run() {
  auto copying =
      source_.item.kind == Kind::folder ? copy_folders() : copy_file(source_.place, source_.item);
  auto copied = co_await std::move(copying);
  if (copied) copied = storage::go_on(watch_);
  if (!copied) co_return failure_of(std::move(copied));
  co_return size_;
}

Task<Result<void>> TreeCopy::copy_folders() {
  Walk walk(adapter_, source_, Walk::Through::shown);
  for (;;) {
    if (auto on = storage::go_on(watch_); !on) co_return on;
    const auto folder = co_await walk.next();
    if (!folder) co_return vanished(folder.error());
    if (!*folder) break;
    auto copied = co_await copy_folder(**folder);
    if (!copied) co_return copied;
  }
  co_return co_await set_times();
}

Task<Result<void>> TreeCopy::copy_folder(const WalkedFolder& folder) {
  const ServerPath target = in_copy(folder.place);
  auto made = co_await adapter_.make_folder(target);
  if (!made) co_return made;
  ++size_.folders;
  folder_times_.emplace_back(target, folder.modified_at);
  watch_.completed_item();
  for (const Item& item : folder.items) {
    if (!counts(item) || item.kind == Kind::folder) continue;
    const ServerPath place = in_folder(folder.place, item.name);
    auto copied = co_await copy_file(place, item);
    if (!copied) co_return copied;
  }
  co_return Result<void>();
}

Task<Result<void>> TreeCopy::copy_file(const ServerPath& from, const Item& item) {
  if (auto on = storage::go_on(watch_); !on) co_return on;
  const ServerPath to = in_copy(from);
  const auto bytes =
      co_await adapter_.copy_file(from, to, item, limit_bytes_ - size_.bytes, watch_);
  if (!bytes) co_return failure_of(bytes);
  size_.bytes += *bytes;
  ++size_.files;
  watch_.completed_item();
  co_return Result<void>();
}

/// Of folders, at the end: what is put into one changes its time.
Task<Result<void>> TreeCopy::set_times() {
  for (const auto& [place, time] : folder_times_ | std::views::reverse) {
    if (time == Timestamp()) continue;
    if (auto on = storage::go_on(watch_); !on) co_return on;
    auto set = co_await adapter_.set_time(place, time);
    if (!set) co_return set;
  }
  co_return Result<void>();
}

std::unexpected<Error> TreeCopy::vanished(const Error& error) const {
  if (!is_not_found(error) || !adapter_.capabilities().tells_vanished) {
    return std::unexpected(error);
  }
  return fail_changed();
}

/// After a stop the caller waits for this; after a failure of the server it may run behind.
Task<void> rollback(Adapter& adapter, const ServerPath& staged, const storage::CopyWatch& watch) {
  if (watch.was_cancelled()) {
    const auto gone = co_await delete_at(adapter, staged);
    if (gone) co_return;
  }
  adapter.leftovers().add(staged);
}

Task<Result<storage::TreeSize>> copy_to(Adapter& adapter, const Found& source,
                                        const ServerPath& staged,
                                        const storage::CopyOptions& options) {
  if (adapter.capabilities().copies_trees) {
    co_return co_await adapter.copy_tree(source, staged, options);
  }
  TreeCopy copy(adapter, source, staged, options);
  co_return co_await copy.run();
}

Task<Result<void>> show(Adapter& adapter, const CollectedCopy& copy) {
  ServerPaths names(1, copy.target);
  const auto hold = co_await adapter.names().enter(std::move(names));
  auto free = co_await need_free_name(adapter, copy.target);
  if (!free) co_return free;
  if (adapter.capabilities().makes_parents) {
    auto there = co_await need_folder(adapter, parent_of(copy.target));
    if (!there) co_return there;
  }
  co_return co_await move_verified(adapter, copy.staged, copy.target, copy.kind);
}

}  // namespace

Task<Result<CollectedCopy>> collect_copy(Adapter& adapter, const Path& from, const Path& to,
                                         const std::string& staging,
                                         const storage::CopyOptions& options) {
  const auto source = co_await adapter.find_item(from, Look::shown);
  if (!source) co_return failure_of(source);
  const auto target = co_await adapter.place_of(to);
  if (!target) co_return failure_of(target);
  const Kind kind = source->item.kind;
  if (kind == Kind::folder && is_beneath(*target, source->place)) co_return fail_into_itself();
  if (to.is_root()) co_return fail_taken();
  auto free = co_await need_free_name(adapter, *target);
  if (free) free = co_await need_folder(adapter, parent_of(*target));
  if (!free) co_return failure_of(std::move(free));
  CollectedCopy copy{in_folder(parent_of(*target), staging), *target, kind};
  const auto copied = co_await copy_to(adapter, *source, copy.staged, options);
  if (copied) {
    copy.size = *copied;
    co_return copy;
  }
  co_await rollback(adapter, copy.staged, options.watch);
  co_return failure_of(copied);
}

Task<Result<void>> end_copy(Adapter& adapter, const CollectedCopy& copy, Result<void> may_show,
                            const storage::CopyWatch& watch) {
  if (may_show) may_show = co_await show(adapter, copy);
  if (!may_show) co_await rollback(adapter, copy.staged, watch);
  co_return may_show;
}

}  // namespace coffer::remote
