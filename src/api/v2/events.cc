#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "api/v2/route.h"
#include "base/text.h"
#include "core/events/event_service.h"

namespace coffer::api::v2 {
namespace {

using WatchedFolders = UpTo<Path, core::EventService::kMostFolders>;

struct EventParameters {
  FIELD(WatchedFolders, folder,
        "A folder to watch; it need not exist. Give the parameter several times for several "
        "folders. Empty means the root.",
        R"(["holiday"])");
};

using core::Event;
using Clock = std::chrono::steady_clock;

/// Shorter than what proxies wait for a byte.
constexpr std::chrono::seconds kKeepAlive{20};
/// Then the client comes again, and is asked anew who it is.
constexpr std::chrono::hours kLongest{1};

boost::json::object data_of(const Event& event) {
  if (event.kind == Event::Kind::task) return {{"id", event.subject}};
  const bool has_path = event.kind == Event::Kind::folder || event.kind == Event::Kind::shared ||
                        event.kind == Event::Kind::unshared;
  if (has_path) return {{"path", event.subject}};
  return {};
}

/// Events in their form on the line (the WHATWG's HTML standard, "Parsing an event stream").
class EventLines final : public http::Stream {
 public:
  explicit EventLines(std::unique_ptr<core::EventStream> stream) : stream_(std::move(stream)) {}

  Task<Result<std::optional<std::string_view>>> next() override {
    lines_.clear();
    if (!std::exchange(has_begun_, true)) {
      // An id without data is no event, but the client keeps it.
      lines_ = "retry: 2000\nid: " + stream_->id_of(stream_->number()) + "\n\n";
      co_return std::string_view(lines_);
    }
    const auto now = Clock::now();
    if (now >= ends_at_) co_return std::nullopt;
    const auto events = co_await stream_->next(std::min(now + kKeepAlive, ends_at_));
    if (!events) co_return std::nullopt;
    for (const Event& event : *events) append(event);
    if (lines_.empty()) lines_ = ":\nid: " + stream_->id_of(stream_->number()) + "\n\n";
    co_return std::string_view(lines_);
  }
  bool waits_long() const override { return true; }
  void end() override { stream_->end(); }

 private:
  void append(const Event& event) {
    lines_ += "event: ";
    lines_ += word_of(event.kind);
    lines_ += "\nid: " + stream_->id_of(event.number);
    lines_ += "\ndata: " + boost::json::serialize(data_of(event)) + "\n\n";
  }

  const std::unique_ptr<core::EventStream> stream_;
  const Clock::time_point ends_at_ = Clock::now() + kLongest;
  bool has_begun_ = false;
  std::string lines_;
};

Task<Result<http::Response>> send_events(Call call, EventParameters parameters) {
  std::string last_id(call.request.header("Last-Event-ID").value_or(""));
  CO_TRY(auto stream,
         co_await call.services.events.open(call.principal(), std::move(parameters.folder.values),
                                            std::move(last_id)));
  http::Response response;
  response.headers.emplace_back("Content-Type", "text/event-stream");
  response.headers.emplace_back("Cache-Control", "no-store");
  // So that nginx passes each event on as it comes.
  response.headers.emplace_back("X-Accel-Buffering", "no");
  response.body = std::make_shared<EventLines>(std::move(stream));
  co_return response;
}

}  // namespace

std::vector<Route> event_routes() {
  Route route{
      http::Method::get, "/api/v2/events", "watchEvents", "Receive events of changes",
      "Server-sent events, as EventSource reads them: folder with {\"path\"} when something in a "
      "watched folder changed, or the folder itself appeared or disappeared; task with {\"id\"} "
      "when a task of the account changed; account when its figures, name or locations changed; "
      "shared and unshared with {\"path\"} when another account begins and ends to share a "
      "location "
      "with it; "
      "resync when anything may have changed, since events were lost. An event only says what to "
      "request again, a few times a second at most. Changes by others on servers and drives behind "
      "mounts are not noticed. The answer ends with the key or session, and after an hour. A key "
      "that is limited to a folder gets the events within it."};
  route.rule = CallerRule::files;
  route.form = Form::events;
  route.errors = {404, 502, 504};
  route.headers = {{"Last-Event-ID",
                    false,
                    "The id of the last event that the client received. If it missed events since, "
                    "it gets one resync.",
                    {{"type", "string"}},
                    "1b2c3d4e-5f0c2a9d1b7e4c38-7"}};
  return {bytes_route(route, &send_events)};
}

}  // namespace coffer::api::v2
