#include "backends/objects/s3/s3_blobs.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/random.h"
#include "base/text.h"

namespace coffer::objects::s3 {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause(50);
constexpr milliseconds kLongestPause(1000);
constexpr int kMostBriefAttempts = 3;
constexpr auto kBetweenComplaints = std::chrono::minutes(1);

std::string key_of(const ObjectId& id) {
  if (!is_hex(id.value, 32)) throw std::invalid_argument("not the name of an object");
  return fmt::format("{}/{}", id.value.substr(0, 2), id.value);
}

/// Doubles with each attempt, and differs by up to a half, so that calls that failed together are
/// not repeated together.
milliseconds pause_of(int attempts) {
  const milliseconds pause =
      std::min(kFirstPause * (1 << std::min(attempts - 1, 10)), kLongestPause);
  std::uint16_t chance = 0;
  fill_random(std::as_writable_bytes(std::span(&chance, 1)));
  return pause - pause * chance / 2 / UINT16_MAX;
}

/// These concern one object, so each of them is logged.
bool is_of_one_object(Outcome outcome) {
  return outcome == Outcome::missing || outcome == Outcome::too_short;
}

}  // namespace

S3Blobs::S3Blobs(std::shared_ptr<S3Client> client)
    : client_(std::move(client)), pool_(client_->options().connections) {}

Task<Result<void>> S3Blobs::put(const ObjectId& id, std::span<const std::byte> bytes,
                                const Sha256& sha256) {
  return send([key = key_of(id), bytes, hash = to_hex(sha256)](S3Client& client) {
    return client.put(key, bytes, hash);
  });
}

Task<Result<void>> S3Blobs::read(const ObjectId& id, std::uint64_t offset,
                                 std::span<std::byte> out) {
  return send([key = key_of(id), offset, out](S3Client& client) {
    return out.empty() ? Attempt{} : client.read(key, offset, out);
  });
}

Task<Result<void>> S3Blobs::remove(std::span<const ObjectId> ids) {
  std::vector<std::string> keys;
  for (const ObjectId& id : ids) keys.push_back(key_of(id));
  return send([keys = std::move(keys)](S3Client& client) {
    if (keys.empty()) return Attempt{};
    return keys.size() == 1 ? client.remove(keys.front()) : client.remove(keys);
  });
}

Task<Result<void>> S3Blobs::send(Request request) {
  Call call;
  for (;;) {
    const Attempt attempt = co_await pool_.run([&] { return try_once(request, call); });
    const auto pause = pause_after(attempt, call);
    if (!pause) co_return conclude(attempt, call);
    asio::steady_timer timer(co_await asio::this_coro::executor, *pause);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

Attempt S3Blobs::try_once(Request& request, Call& call) {
  if (client_->options().deadlines.ending.stop_requested()) return {.outcome = Outcome::ending};
  // Asked here and not before the call waited for a thread: much may wait when a store goes away.
  if (const auto wait = breaker_.refusal()) {
    call.is_refused = true;
    return {.outcome = Outcome::unreachable, .retry_after = *wait};
  }
  if (!call.began) call.began = Clock::now();
  ++call.attempts;
  return request(*client_);
}

std::optional<milliseconds> S3Blobs::pause_after(const Attempt& attempt, const Call& call) const {
  const Repeat repeat = repeat_after(attempt.outcome);
  if (call.is_refused || repeat == Repeat::never) return std::nullopt;
  if (repeat == Repeat::briefly && call.attempts >= kMostBriefAttempts) return std::nullopt;
  const milliseconds pause = std::max<milliseconds>(pause_of(call.attempts), attempt.retry_after);
  if (Clock::now() + pause > *call.began + client_->options().repeat_for) return std::nullopt;
  return pause;
}

Result<void> S3Blobs::conclude(const Attempt& attempt, const Call& call) {
  if (!call.is_refused) note(attempt);
  if (attempt.is_done()) return {};
  if (!call.is_refused) complain(attempt);
  return std::unexpected(error_of(attempt));
}

void S3Blobs::note(const Attempt& attempt) {
  if (attempt.outcome == Outcome::ending || attempt.outcome == Outcome::lack) return;
  if (repeat_after(attempt.outcome) == Repeat::for_a_time) {
    breaker_.note_outage();
  } else if (breaker_.note_answer()) {
    spdlog::info("The object store answers again ({}).", client_->place());
  }
}

void S3Blobs::complain(const Attempt& attempt) {
  if (attempt.outcome == Outcome::ending) return;
  const std::lock_guard lock(mutex_);
  auto& last = complaints_.at(static_cast<std::size_t>(attempt.outcome));
  const auto time = Clock::now();
  if (last && time < *last + kBetweenComplaints && !is_of_one_object(attempt.outcome)) return;
  last = time;
  const auto level = repeat_after(attempt.outcome) == Repeat::for_a_time ? spdlog::level::warn
                                                                         : spdlog::level::err;
  spdlog::log(level, "{} ({}; {})", explanation(attempt.outcome), client_->place(), attempt.detail);
}

}  // namespace coffer::objects::s3
