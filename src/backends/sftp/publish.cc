#include "backends/sftp/publish.h"

#include <algorithm>
#include <ranges>

#include "base/log.h"
#include "base/over_quota.h"

namespace coffer::sftp {

Result<std::vector<storage::Published>> Publication::run() {
  for (const auto& writer : writers_) {
    auto& file = dynamic_cast<SftpWriter&>(*writer);
    if (auto finished = file.finish_waiting(); !finished) return failure_of(finished);
    steps_.push_back({.writer = &file});
  }
  const auto is_in_place = [](const PublishStep& step) { return step.writer->is_out_of_sight(); };
  if (std::ranges::all_of(steps_, is_in_place)) return published_in_place();
  const auto find = [&](const auto& connection) { return find_places(SftpRemote(connection)); };
  if (auto found = server_.connections().with(find); !found) return failure_of(found);
  std::vector<std::string> places;
  for (const auto& step : steps_) places.push_back(step.place);
  const auto held = server_.hold(places);
  const auto plan_and_show = [&](const auto& connection) {
    auto planned = plan(SftpRemote(connection));
    return planned ? show_all(SftpRemote(connection)) : planned;
  };
  if (auto shown = server_.connections().with(plan_and_show); !shown) {
    rollback();
    return failure_of(shown);
  }
  drop_backups();
  std::vector<storage::Published> published;
  for (const auto& step : steps_) published.push_back(step.published);
  return published;
}

std::vector<storage::Published> Publication::published_in_place() const {
  std::vector<storage::Published> published;
  for (const auto& step : steps_) {
    step.writer->set_published(true);
    published.push_back({.size_bytes = step.writer->written_bytes()});
  }
  return published;
}

Result<void> Publication::find_places(const SftpRemote& remote) {
  for (auto& step : steps_) {
    auto found = lookup_.find_name(remote, step.writer->target());
    if (!found) return failure_of(found);
    step.place = std::move(found->place);
  }
  return {};
}

/// Finds out what would change, without changing anything.
Result<void> Publication::plan(const SftpRemote& remote) {
  storage::Growth growth;
  for (auto& step : steps_) {
    const auto& writer = *step.writer;
    const auto old = replaceable(lookup_, remote, writer.target(), step.place, writer.options());
    if (!old) return failure_of(old);
    step.published.size_bytes = writer.written_bytes();
    step.published.replaced = old->has_value();
    step.published.replaced_bytes = *old ? (*old)->size_bytes.value_or(0) : 0;
    growth.add(step.published);
  }
  if (growth.is_within(limit_)) return {};
  return fail_over_quota();
}

Result<void> Publication::show_all(const SftpRemote& remote) {
  for (auto& step : steps_) {
    if (auto shown = show(remote, step, &step == &steps_.back()); !shown) return shown;
  }
  return {};
}

Result<void> Publication::show(const SftpRemote& remote, PublishStep& step, bool is_last) {
  const bool in_one_step = remote.connection().extensions().posix_rename;
  // The last is never taken back, so what it replaces need not be kept.
  if (step.published.replaced && !(in_one_step && is_last)) {
    if (auto kept = put_aside(remote, step); !kept) return kept;
  }
  auto moved = move_in(remote, step);
  if (!moved && remote.connection().is_alive()) return moved;
  if (!moved) {
    // Whether a request whose answer was lost was done, shows on the server.
    const auto done = was_moved(step);
    // If not even that is known, it may show, and is taken back where that loses nothing.
    step.is_shown = !done && (!step.published.replaced || !step.backup.empty());
    if (!done.value_or(false)) return moved;
  }
  step.is_shown = true;
  step.writer->set_published(true);
  return {};
}

Result<void> Publication::put_aside(const SftpRemote& remote, PublishStep& step) const {
  const auto& can = remote.connection().extensions();
  // Named before it is asked for: if the answer is lost, what was done is found by it.
  step.backup = aside_beside(step.place);
  Result<void> kept = fail_with(Status::unsupported);
  if (can.posix_rename && can.hard_link) kept = remote.link(step.place, step.backup);
  // Not every file system has a second name for a file: its own is free for a moment then.
  if (!kept && remote.connection().is_alive()) kept = remote.rename(step.place, step.backup);
  return kept;
}

Result<void> Publication::move_in(const SftpRemote& remote, PublishStep& step) const {
  const auto& staged = step.writer->staged();
  const bool may_replace = step.writer->options().if_taken == storage::IfTaken::replace;
  if (may_replace && remote.connection().extensions().posix_rename) {
    return remote.replace(staged, step.place);
  }
  auto moved = remote.rename(staged, step.place);
  // The protocol has one code for all that went wrong.
  if (!moved && remote.connection().is_alive() && remote.lstat(step.place)) {
    return fail_taken();
  }
  return moved;
}

Result<bool> Publication::was_moved(const PublishStep& step) const {
  const auto look = [&](const SftpRemote& remote) -> Result<bool> {
    const auto items = remote.lstat({step.writer->staged(), step.place});
    for (const auto& item : items) {
      if (!item && is_outage(item.error())) return failure_of(item);
    }
    const auto& staged = items[0];
    const auto& shown = items[1];
    return !staged && staged.error().code == ErrorCode::not_found && shown &&
           shown->size_bytes == step.writer->written_bytes();
  };
  return server_.retry_on_new_connection(look);
}

void Publication::rollback() {
  const bool changed = std::ranges::any_of(
      steps_, [](const PublishStep& step) { return step.is_shown || !step.backup.empty(); });
  if (!changed) return;
  // A connection may break here too; what was taken back already is found so.
  const auto work = [&](const SftpRemote& remote) {
    Result<void> back;
    for (auto& step : std::views::reverse(steps_)) {
      if (back) back = rollback(remote, step);
    }
    return back;
  };
  if (server_.retry_on_new_connection(work)) return;
  spdlog::error("Files on a remote server could not be taken back after a failure.");
}

Result<void> Publication::rollback(const SftpRemote& remote, PublishStep& step) const {
  if (step.is_shown) {
    if (auto kept = hide(remote, step); !kept) return kept;
    step.writer->set_published(false);
  }
  if (step.backup.empty()) return {};
  const auto old = remote.lstat(step.backup);
  if (!old && old.error().code == ErrorCode::not_found) return {};
  if (!old) return failure_of(old);
  auto back = remote.connection().extensions().posix_rename
                  ? remote.replace(step.backup, step.place)
                  : remote.rename(step.backup, step.place);
  if (!back) return back;
  // Two names of one file stay two when one takes the other's place.
  auto gone = remote.remove_file(step.backup);
  if (!gone && gone.error().code == ErrorCode::not_found) return {};
  return gone;
}

/// Gives the new file its partial name again; with two names the place is never free meanwhile.
Result<void> Publication::hide(const SftpRemote& remote, const PublishStep& step) const {
  const auto& can = remote.connection().extensions();
  const auto& staged = step.writer->staged();
  if (remote.lstat(staged)) return {};
  if (!step.backup.empty() && can.posix_rename && can.hard_link &&
      remote.link(step.place, staged)) {
    return {};
  }
  return remote.rename(step.place, staged);
}

/// On any connection: that on which they were shown may have died since.
void Publication::drop_backups() const {
  for (const auto& step : steps_) {
    if (step.backup.empty()) continue;
    const auto drop = [&](const SftpRemote& remote) { return remote.remove_file(step.backup); };
    const auto gone = server_.retry_on_new_connection(drop);
    if (gone || gone.error().code == ErrorCode::not_found) continue;
    spdlog::warn("A replaced file stays on a remote server: {}", step.backup);
  }
}

}  // namespace coffer::sftp
