#include "backends/ftp/publish.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <ranges>

#include "backends/ftp/names.h"
#include "storage/partial_name.h"

namespace coffer::ftp {
namespace {

using Clock = std::chrono::steady_clock;

/// All who publish on the server wait meanwhile.
constexpr std::chrono::minutes kTakeBackLimit(1);
constexpr int kTakeBackTries = 2;

struct Step {
  FtpWriter* writer;
  storage::Published published = {};
  std::optional<Path> aside = {};  ///< Where the old file may be now.
  bool done = false;
};

Result<Step> planned(Session session, FtpWriter& writer) {
  Step step{.writer = &writer, .published = {.size_bytes = writer.written_bytes()}};
  const auto old = find(session, writer.target());
  if (!old) return failure_of(old);
  if (!*old) return step;
  if ((*old)->kind != Kind::file || writer.if_taken() == storage::IfTaken::refuse) {
    return std::unexpected(name_taken());
  }
  step.published.replaced = true;
  step.published.replaced_bytes = (*old)->size_bytes;
  return step;
}

bool fits(const std::vector<Step>& steps, std::uint64_t growth_limit_bytes) {
  storage::Growth growth;
  for (const Step& step : steps) growth.add(step.published);
  return growth.is_within(growth_limit_bytes);
}

Result<void> put_aside(Session session, Step& step) {
  const Path& target = step.writer->target();
  step.aside = storage::aside_of(target);
  auto moved = move_surely(session, target, *step.aside, step.published.replaced_bytes);
  // Without a connection it may be there all the same.
  if (!moved && session.connection.connected()) step.aside.reset();
  return moved;
}

Result<void> move_in(Session session, const Step& step) {
  const FtpWriter& writer = *step.writer;
  return move_surely(session, writer.partial(), writer.target(), writer.written_bytes());
}

Result<void> show(Session session, Step& step, bool keep_old) {
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

/// What was taken back already is found so.
Result<void> take_back(Session session, Step& step) {
  const FtpWriter& writer = *step.writer;
  if (step.done) {
    const auto partial = find(session, writer.partial());
    if (!partial) return failure_of(partial);
    auto hidden = *partial ? Result<void>() : move_name(session, writer.target(), writer.partial());
    if (!hidden) return hidden;
    step.done = false;
  }
  if (!step.aside) return {};
  const auto old = find(session, *step.aside);
  if (!old) return failure_of(old);
  auto back = *old ? move_name(session, *step.aside, writer.target()) : Result<void>();
  if (back) step.aside.reset();
  return back;
}

/// False if it did not come to its end. What the server refuses keeps nothing else back.
bool take_back(Session session, std::span<Step*> steps, Clock::time_point until) {
  bool all = true;
  for (Step* step : std::views::reverse(steps)) {
    if (Clock::now() > until) return false;
    const auto back = take_back(session, *step);
    if (!back && !session.connection.connected()) return false;
    all = all && back;
  }
  return all;
}

/// A connection that breaks here too is made anew once.
void take_back_all(Session session, std::span<Step*> steps) {
  const auto until = Clock::now() + kTakeBackLimit;
  for (int tries = 0; tries < kTakeBackTries; ++tries) {
    if (!session.connection.ready()) break;
    if (take_back(session, steps, until)) return;
  }
  spdlog::error("Files on an FTP server could not be taken back after a failure.");
}

Result<void> show_all(Session session, std::vector<Step*>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto shown = show(session, *order[i], i + 1 < order.size());
    if (shown) continue;
    take_back_all(session, std::span(order).first(i + 1));
    return shown;
  }
  return {};
}

/// Plans and shows all, while nobody else looks for names that are free.
Result<std::vector<Step>> publish_steps(Session session, const std::vector<FtpWriter*>& writers,
                                        std::uint64_t growth_limit_bytes) {
  const std::lock_guard lock(session.server.names);
  std::vector<Step> steps;
  for (FtpWriter* writer : writers) {
    auto step = planned(session, *writer);
    if (!step) return failure_of(step);
    steps.push_back(std::move(*step));
  }
  if (!fits(steps, growth_limit_bytes)) {
    return fail(ErrorCode::over_quota, "The new content is larger than the room for it.");
  }
  // New names first: the last step needs no way back, so it may replace at once.
  std::vector<Step*> order;
  for (const bool replacing : {false, true}) {
    for (Step& step : steps) {
      if (step.published.replaced == replacing) order.push_back(&step);
    }
  }
  if (auto shown = show_all(session, order); !shown) return failure_of(shown);
  return steps;
}

void forget(Session session, const Path& aside) {
  auto& connection = session.connection;
  if (connection.connected()) {
    const auto gone = connection.command("DELE " + connection.place(aside));
    if (gone && gone->ok()) return;
  }
  session.server.discard(aside);
}

}  // namespace

Result<std::vector<storage::Published>> publish_all(Session session,
                                                    const std::vector<FtpWriter*>& writers,
                                                    std::uint64_t growth_limit_bytes) {
  const auto steps = publish_steps(session, writers, growth_limit_bytes);
  if (!steps) return failure_of(steps);
  std::vector<storage::Published> published;
  for (const Step& step : *steps) {
    step.writer->shown();
    if (step.aside) forget(session, *step.aside);
    published.push_back(step.published);
  }
  return published;
}

}  // namespace coffer::ftp
