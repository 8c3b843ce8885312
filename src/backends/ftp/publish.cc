#include "backends/ftp/publish.h"

#include "backends/ftp/change.h"
#include "storage/partial_name.h"

namespace coffer::ftp {
namespace {

struct Step {
  FtpWriter* writer;
  storage::Published published = {};
  std::optional<Path> aside = {};  ///< Where the old file is now.
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
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  for (const Step& step : steps) {
    added += step.published.size_bytes;
    removed += step.published.replaced_bytes;
  }
  return added <= removed || added - removed <= growth_limit_bytes;
}

Result<void> put_aside(Session session, Step& step) {
  const Path& target = step.writer->target();
  const Path aside = target.parent() / Path::parse(storage::aside_name(target.name())).value();
  auto moved = move_name(session, target, aside);
  if (moved) step.aside = aside;
  return moved;
}

Result<void> show(Session session, Step& step, bool keep_old) {
  const FtpWriter& writer = *step.writer;
  if (step.published.replaced && keep_old) {
    if (auto moved = put_aside(session, step); !moved) return moved;
  }
  auto shown = move_name(session, writer.partial(), writer.target());
  if (!shown && step.published.replaced && !keep_old && session.connection.connected()) {
    // Some servers do not rename onto a name that is taken.
    if (auto moved = put_aside(session, step); !moved) return shown;
    shown = move_name(session, writer.partial(), writer.target());
  }
  step.done = shown.has_value();
  return shown;
}

void take_back(Session session, Step& step) {
  const FtpWriter& writer = *step.writer;
  // Best effort: what fails here fails because the server is gone.
  if (step.done) (void)move_name(session, writer.target(), writer.partial());
  if (step.aside) (void)move_name(session, *step.aside, writer.target());
  step.done = false;
  step.aside.reset();
}

Result<void> show_all(Session session, std::vector<Step*>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto shown = show(session, *order[i], i + 1 < order.size());
    if (shown) continue;
    for (std::size_t undone = i + 1; undone-- > 0;) take_back(session, *order[undone]);
    return shown;
  }
  return {};
}

void forget(Session session, const Path& aside) {
  auto& connection = session.connection;
  const auto gone = connection.command("DELE " + connection.place(aside));
  if (!gone || !gone->ok()) session.server.discard(aside);
}

}  // namespace

Result<std::vector<storage::Published>> publish_all(Session session,
                                                    const std::vector<FtpWriter*>& writers,
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
  std::vector<storage::Published> published;
  for (Step& step : steps) {
    step.writer->shown();
    if (step.aside) forget(session, *step.aside);
    published.push_back(step.published);
  }
  return published;
}

}  // namespace coffer::ftp
