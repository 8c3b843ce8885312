#include "backends/remote/publish.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <ranges>

#include "backends/remote/adapter.h"
#include "base/error.h"

namespace coffer::remote {
namespace {

using Clock = std::chrono::steady_clock;

/// The names are held from others for that long.
constexpr std::chrono::minutes kTakeBackLimit(1);
/// Attempts at a step that must not stay half done while connections break.
constexpr int kTries = 3;

struct PublishStep {
  PartialWriter* writer;
  ServerPath place = {};
  std::optional<Item> old = {};
  storage::Published published = {};
  ServerPath backup = {};  ///< The place of the old file, set before it is renamed.
  bool is_linked = false;  ///< The old file keeps its name beside that of its backup.
  bool may_show = false;
};

class Publication {
 public:
  explicit Publication(Adapter& adapter) : adapter_(adapter) {}

  Task<Result<void>> find_places(std::span<PartialWriter* const> writers);
  /// Plans and shows all, or none, while the names are held.
  Task<Result<void>> take_names(std::uint64_t growth_limit_bytes);
  Task<void> drop_backups();
  std::vector<storage::Published> published() const;

 private:
  ServerPaths places() const;
  /// Finds out what would change, without changing anything.
  Task<Result<void>> plan(std::uint64_t growth_limit_bytes);
  Task<Result<void>> plan(PublishStep& step);
  Task<Result<void>> show_all();
  Task<Result<void>> show(PublishStep& step, bool is_last);
  Task<Result<void>> put_aside(PublishStep& step);
  Task<Result<void>> move_in(PublishStep& step);
  Task<void> rollback_all();
  Task<Result<void>> rollback(PublishStep& step);
  Task<Result<void>> hide(const PublishStep& step);
  Task<Result<void>> bring_back(const PublishStep& step);

  Adapter& adapter_;
  std::vector<PublishStep> steps_;
  std::vector<PublishStep*> order_;
};

Task<Result<void>> Publication::find_places(std::span<PartialWriter* const> writers) {
  for (PartialWriter* writer : writers) {
    PublishStep step{.writer = writer, .published = {.size_bytes = writer->written_bytes()}};
    if (!writer->is_out_of_sight()) {
      CO_TRY(step.place, co_await adapter_.place_of(writer->target()));
    }
    steps_.push_back(std::move(step));
  }
  co_return Result<void>();
}

ServerPaths Publication::places() const {
  ServerPaths places;
  for (const PublishStep& step : steps_) {
    if (!step.writer->is_out_of_sight()) places.push_back(step.place);
  }
  return places;
}

Task<Result<void>> Publication::take_names(std::uint64_t growth_limit_bytes) {
  const auto hold = co_await adapter_.names().enter(places());
  auto done = co_await plan(growth_limit_bytes);
  if (done) done = co_await show_all();
  if (done) std::ranges::for_each(steps_, [](auto& step) { step.writer->set_shown(); });
  co_return done;
}

Task<Result<void>> Publication::plan(std::uint64_t growth_limit_bytes) {
  storage::Growth growth;
  for (PublishStep& step : steps_) {
    growth.add(step.published);
    if (step.writer->is_out_of_sight()) continue;
    CO_TRY_VOID(co_await plan(step));
    growth.add({.replaced_bytes = step.published.replaced_bytes});
    order_.push_back(&step);
  }
  // New names first: the last step needs no way back, so it may replace at once.
  std::ranges::partition(order_, [](const PublishStep* step) { return !step->old; });
  if (growth.is_within(growth_limit_bytes)) co_return Result<void>();
  co_return fail_over_quota();
}

Task<Result<void>> Publication::plan(PublishStep& step) {
  const PartialWriter& writer = *step.writer;
  CO_TRY(step.old, co_await find_replaced(adapter_, writer.target(), step.place, writer.options()));
  step.published.replaced = step.old.has_value();
  if (step.old) step.published.replaced_bytes = step.old->size_bytes;
  if (step.old || !adapter_.capabilities().makes_parents) co_return Result<void>();
  const ServerPath folder = parent_of(step.place);
  co_return co_await need_folder(adapter_, folder);
}

Task<Result<void>> Publication::show_all() {
  for (PublishStep* step : order_) {
    auto shown = co_await show(*step, step == order_.back());
    if (shown) continue;
    co_await rollback_all();
    co_return shown;
  }
  co_return Result<void>();
}

Task<Result<void>> Publication::show(PublishStep& step, bool is_last) {
  const Replaces replaces = adapter_.capabilities().replaces;
  const bool at_once = is_last && replaces != Replaces::never;
  if (step.old && !at_once) {
    CO_TRY_VOID(co_await put_aside(step));
  }
  auto shown = co_await move_in(step);
  // Only the connection broke, and it is known by now that nothing was done.
  if (!shown && is_outage(shown.error()) && !adapter_.is_unsure()) shown = co_await move_in(step);
  // Any other way makes the name free for a moment: it is for servers that refuse to replace.
  if (shown || !step.old || !at_once || replaces == Replaces::surely || adapter_.is_unsure() ||
      is_outage(shown.error())) {
    co_return shown;
  }
  const auto kept = co_await put_aside(step);
  if (!kept) co_return shown;
  co_return co_await move_in(step);
}

Task<Result<void>> Publication::put_aside(PublishStep& step) {
  // Named before it is asked for: if the answer is lost, what was done is found by it.
  step.backup = backup_beside(step.place);
  Result<void> done;
  if (adapter_.capabilities().links) {
    done = co_await adapter_.link(step.place, step.backup);
    step.is_linked = done.has_value();
    if (done || adapter_.is_unsure()) co_return done;
  }
  // Not every file system gives a file a second name: its own is free for a moment then. If it is
  // not known whether the file was renamed, the rollback finds out.
  co_return co_await move_verified(adapter_, step.place, step.backup, step.old->kind);
}

Task<Result<void>> Publication::move_in(PublishStep& step) {
  const PartialWriter& writer = *step.writer;
  const bool may_replace = writer.options().if_taken == storage::IfTaken::replace &&
                           adapter_.capabilities().replaces != Replaces::never;
  const Item* old = step.old && step.backup.empty() ? &*step.old : nullptr;
  auto moving = may_replace ? adapter_.replace(writer.staged(), step.place, old)
                            : adapter_.move(writer.staged(), step.place, Kind::file);
  auto moved = co_await std::move(moving);
  step.may_show = moved.has_value();
  if (moved || !adapter_.is_unsure()) co_return moved;
  // If the name was free, the item there now is the new file, whatever size the server tells.
  std::optional<std::uint64_t> size_bytes;
  if (old || step.is_linked) size_bytes = step.published.size_bytes;
  const auto done = co_await was_moved(adapter_, writer.staged(), step.place, size_bytes);
  if (done.value_or(false)) moved = {};
  // If not even that is known, it may show, and is taken back where that loses nothing.
  step.may_show = moved || (!done && (!step.old || !step.backup.empty()));
  co_return moved;
}

/// Connections may break here too, and a repeated step finds that it was done. A step that the
/// server refuses, or does not answer, does not keep the others from being rolled back.
Task<void> Publication::rollback_all() {
  const auto until = Clock::now() + kTakeBackLimit;
  bool is_lost = true;
  for (int tries = 0; is_lost && tries < kTries && Clock::now() < until; ++tries) {
    is_lost = false;
    bool is_refused = false;
    for (PublishStep* step : order_ | std::views::reverse) {
      if (Clock::now() > until) break;
      const auto back = co_await rollback(*step);
      if (back) continue;
      (is_outage(back.error()) ? is_lost : is_refused) = true;
    }
    if (!is_lost && !is_refused && Clock::now() < until) co_return;
  }
  for (const PublishStep* step : order_) {
    if (!step->may_show && step->backup.empty()) continue;
    spdlog::error(
        "A failed upload to a remote server could not be undone. The replaced file is named: {}",
        step->backup.empty() ? "(none, the file is new)" : name_of(step->backup));
  }
}

Task<Result<void>> Publication::rollback(PublishStep& step) {
  if (step.may_show) {
    CO_TRY_VOID(co_await hide(step));
    step.may_show = false;
  }
  if (step.backup.empty()) co_return Result<void>();
  auto back = co_await bring_back(step);
  if (back) step.backup.clear();
  co_return back;
}

/// Gives the new file its partial name again; with two names the place is never free meanwhile.
Task<Result<void>> Publication::hide(const PublishStep& step) {
  const ServerPath& staged = step.writer->staged();
  CO_TRY(const auto partial, co_await adapter_.find(staged, Look::sure));
  if (partial) co_return Result<void>();
  if (!step.backup.empty() && adapter_.capabilities().links) {
    auto linked = co_await adapter_.link(step.place, staged);
    if (linked || adapter_.is_unsure()) co_return linked;
  }
  co_return co_await move_verified(adapter_, step.place, staged, Kind::file);
}

/// The old file has its name again, unless it never lost it.
Task<Result<void>> Publication::bring_back(const PublishStep& step) {
  CO_TRY(const auto old, co_await adapter_.find(step.backup, Look::sure));
  if (!old) co_return Result<void>();
  if (!adapter_.capabilities().links) {
    // Another item that took the name meanwhile must not be lost.
    CO_TRY_VOID(co_await need_free_name(adapter_, step.place));
    co_return co_await move_verified(adapter_, step.backup, step.place, Kind::file);
  }
  auto back = co_await adapter_.replace(step.backup, step.place, nullptr);
  if (!back) co_return back;
  // Two names of one file stay two when one takes the other's place.
  back = co_await adapter_.remove_file(step.backup, Kind::file);
  if (!back && is_not_found(back.error())) back = {};
  co_return back;
}

/// After one that the server did not answer for, each of the others is tried once.
Task<void> Publication::drop_backups() {
  bool is_lost = false;
  for (const PublishStep& step : steps_) {
    if (step.backup.empty()) continue;
    bool is_left = true;
    const int most_tries = is_lost ? 1 : kTries;
    for (int tries = 0; is_left && tries < most_tries; ++tries) {
      const auto gone = co_await remove_verified(adapter_, step.backup, Kind::file);
      is_left = !gone && !is_not_found(gone.error());
      if (!is_left) break;
      is_lost = is_outage(gone.error());
      if (!is_lost) break;
    }
    if (is_left) adapter_.leftovers().add(step.backup);
  }
}

std::vector<storage::Published> Publication::published() const {
  std::vector<storage::Published> published;
  for (const PublishStep& step : steps_) published.push_back(step.published);
  return published;
}

}  // namespace

Task<Result<std::vector<storage::Published>>> publish_all(Adapter& adapter,
                                                          std::span<PartialWriter* const> writers,
                                                          std::uint64_t growth_limit_bytes) {
  Publication publication(adapter);
  CO_TRY_VOID(co_await publication.find_places(writers));
  CO_TRY_VOID(co_await publication.take_names(growth_limit_bytes));
  // The names are not held any more here.
  co_await publication.drop_backups();
  co_return publication.published();
}

std::vector<storage::Published> published_in_place(std::span<PartialWriter* const> writers) {
  std::vector<storage::Published> published;
  for (PartialWriter* writer : writers) {
    writer->set_shown();
    published.push_back({.size_bytes = writer->written_bytes()});
  }
  return published;
}

Task<Result<std::optional<Item>>> find_replaced(Adapter& adapter, const Path& target,
                                                const ServerPath& place,
                                                const storage::WriteOptions& options) {
  CO_TRY(auto old, co_await adapter.find(place, Look::sure));
  std::optional<storage::FileVersion> version;
  if (old) {
    Item shown = *old;
    if (shown.kind == Kind::link && adapter.capabilities().keeps_links) {
      const auto found = co_await adapter.find_item(target, Look::shown);
      if (!found && is_outage(found.error())) co_return failure_of(found);
      if (found) shown = found->item;
      old->size_bytes = 0;
    } else if (shown.kind != Kind::file) {
      co_return fail_taken();
    }
    if (shown.kind == Kind::folder) co_return fail_taken();
    version = storage::FileVersion{shown.size_bytes, shown.modified_at};
  }
  CO_TRY_VOID(check_taken(options, version));
  co_return std::move(old);
}

}  // namespace coffer::remote
