#include "backends/ftp/publish.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <ranges>

#include "backends/ftp/names.h"
#include "base/over_quota.h"
#include "storage/partial_name.h"

namespace coffer::ftp {
namespace {

using Clock = std::chrono::steady_clock;

/// All other publishing on the server waits meanwhile.
constexpr std::chrono::minutes kTakeBackLimit(1);
constexpr int kTakeBackTries = 2;

struct PublishStep {
  FtpWriter* writer;
  storage::Published published = {};
  std::optional<Path> backup = {};  ///< Where the old file may be now.
  bool done = false;
};

Result<PublishStep> planned(Session session, FtpWriter& writer) {
  PublishStep step{.writer = &writer, .published = {.size_bytes = writer.written_bytes()}};
  const auto old = find(session, writer.target());
  if (!old) return failure_of(old);
  if (*old && (*old)->kind != Kind::file) return std::unexpected(name_taken());
  std::optional<storage::FileVersion> version;
  if (*old) version = version_of(entry_of(**old));
  if (auto may = check_taken(writer.options(), version); !may) return failure_of(may);
  if (!*old) return step;
  step.published.replaced = true;
  step.published.replaced_bytes = (*old)->size_bytes;
  return step;
}

bool fits(const std::vector<PublishStep>& steps, std::uint64_t growth_limit_bytes) {
  storage::Growth growth;
  for (const PublishStep& step : steps) growth.add(step.published);
  return growth.is_within(growth_limit_bytes);
}

Result<void> put_aside(Session session, PublishStep& step) {
  const Path& target = step.writer->target();
  step.backup = storage::backup_of(target);
  auto moved = move_verified(session, target, *step.backup, step.published.replaced_bytes);
  // Without a connection it may be there all the same.
  if (!moved && session.connection.connected()) step.backup.reset();
  return moved;
}

Result<void> move_in(Session session, const PublishStep& step) {
  const FtpWriter& writer = *step.writer;
  return move_verified(session, writer.partial(), writer.target(), writer.written_bytes());
}

Result<void> show(Session session, PublishStep& step, bool keep_old) {
  if (step.published.replaced && keep_old) {
    if (auto moved = put_aside(session, step); !moved) return moved;
  }
  auto shown = move_in(session, step);
  if (!shown && step.published.replaced && !keep_old && session.connection.connected()) {
    // Some servers do not rename onto a name that is taken.
    if (auto moved = put_aside(session, step); !moved) return shown;
    shown = move_in(session, step);
  }
  step.done = shown.has_value();
  return shown;
}

/// What was rolled back already is found so.
Result<void> rollback(Session session, PublishStep& step) {
  const FtpWriter& writer = *step.writer;
  if (step.done) {
    const auto partial = find(session, writer.partial());
    if (!partial) return failure_of(partial);
    auto hidden = *partial ? Result<void>() : move_name(session, writer.target(), writer.partial());
    if (!hidden) return hidden;
    step.done = false;
  }
  if (!step.backup) return {};
  const auto old = find(session, *step.backup);
  if (!old) return failure_of(old);
  auto back = *old ? move_name(session, *step.backup, writer.target()) : Result<void>();
  if (back) step.backup.reset();
  return back;
}

/// False if it did not come to its end. What the server refuses keeps nothing else back.
bool rollback(Session session, std::span<PublishStep*> steps, Clock::time_point until) {
  bool all = true;
  for (PublishStep* step : std::views::reverse(steps)) {
    if (Clock::now() > until) return false;
    const auto back = rollback(session, *step);
    if (!back && !session.connection.connected()) return false;
    all = all && back;
  }
  return all;
}

/// A connection that breaks here too is made anew once.
void take_back_all(Session session, std::span<PublishStep*> steps) {
  const auto until = Clock::now() + kTakeBackLimit;
  for (int tries = 0; tries < kTakeBackTries; ++tries) {
    if (!session.connection.ready()) break;
    if (rollback(session, steps, until)) return;
  }
  spdlog::error("Files on an FTP server could not be taken back after a failure.");
}

Result<void> show_all(Session session, std::vector<PublishStep*>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto shown = show(session, *order[i], i + 1 < order.size());
    if (shown) continue;
    take_back_all(session, std::span(order).first(i + 1));
    return shown;
  }
  return {};
}

/// Plans and shows all, while nothing else looks for free names.
Result<std::vector<PublishStep>> publish_steps(Session session,
                                               const std::vector<FtpWriter*>& writers,
                                               std::uint64_t growth_limit_bytes) {
  const std::lock_guard lock(session.server.names);
  std::vector<PublishStep> steps;
  for (FtpWriter* writer : writers) {
    auto step = planned(session, *writer);
    if (!step) return failure_of(step);
    steps.push_back(std::move(*step));
  }
  if (!fits(steps, growth_limit_bytes)) return fail_over_quota();
  // New names first: the last step needs no way back, so it may replace at once.
  std::vector<PublishStep*> order;
  for (const bool replacing : {false, true}) {
    for (PublishStep& step : steps) {
      if (step.published.replaced == replacing) order.push_back(&step);
    }
  }
  if (auto shown = show_all(session, order); !shown) return failure_of(shown);
  return steps;
}

void drop_backup(Session session, const Path& backup) {
  auto& connection = session.connection;
  if (connection.connected()) {
    const auto gone = connection.command("DELE " + connection.place(backup));
    if (gone && gone->ok()) return;
  }
  session.server.discard(backup);
}

}  // namespace

std::vector<storage::Published> published_in_place(const std::vector<FtpWriter*>& writers) {
  std::vector<storage::Published> published;
  for (FtpWriter* writer : writers) {
    writer->shown();
    published.push_back({.size_bytes = writer->written_bytes()});
  }
  return published;
}

Result<std::vector<storage::Published>> publish_all(Session session,
                                                    const std::vector<FtpWriter*>& writers,
                                                    std::uint64_t growth_limit_bytes) {
  const auto steps = publish_steps(session, writers, growth_limit_bytes);
  if (!steps) return failure_of(steps);
  std::vector<storage::Published> published;
  for (const PublishStep& step : *steps) {
    step.writer->shown();
    if (step.backup) drop_backup(session, *step.backup);
    published.push_back(step.published);
  }
  return published;
}

}  // namespace coffer::ftp
