#include "backends/objects/s3/s3_blobs.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <cstdint>
#include <iterator>
#include <set>
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
/// Of uploads in pieces, garbage, and the check at a start.
constexpr std::uint64_t kNoOwner = UINT64_MAX;
/// For segments and blocks beyond the least that each upload and download has.
constexpr std::uint64_t kRoomBytes = 128 << 20;
/// A key that no object has.
constexpr std::string_view kNoObject = "probe/none";

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

/// A view whose calls wait in a queue of their own.
class S3Blobs::OfOwner final : public Blobs {
 public:
  OfOwner(S3Blobs& all, std::uint64_t owner)
      : all_(all), owner_(owner), pool_(all.threads_.of(owner)) {}

  Task<Result<void>> put(const ObjectId& id, std::span<const std::byte> bytes,
                         const Sha256& sha256) override {
    return all_.send(pool_, put_request(id, bytes, sha256));
  }
  Task<Result<void>> read(const ObjectId& id, std::uint64_t offset,
                          std::span<std::byte> out) override {
    return all_.send(pool_, read_request(id, offset, out));
  }
  Task<Result<std::vector<ObjectId>>> remove(std::span<const ObjectId> ids) override {
    return all_.send_removal(pool_, ids);
  }
  Task<Result<void>> reach() override { return all_.reach(); }
  const Blobs& whole() const override { return all_; }
  MemoryRoom::Hold begin_hold() override { return all_.room_.begin({std::to_string(owner_)}); }

 private:
  S3Blobs& all_;
  const std::uint64_t owner_;
  Pool pool_;
};

S3Blobs::S3Blobs(std::shared_ptr<S3Client> client, Admission admission)
    : client_(std::move(client)),
      admission_(std::move(admission)),
      is_admitted_(!admission_),
      room_(MemoryRoom::limits_of(kRoomBytes)),
      threads_(client_->options().connections,
               std::max<std::size_t>(client_->options().connections / 2, 1)),
      pool_(threads_.of(kNoOwner)) {}

S3Blobs::~S3Blobs() = default;

Blobs& S3Blobs::of_owner(std::uint64_t owner) {
  const std::lock_guard lock(views_mutex_);
  auto& view = views_[owner];
  if (!view) view = std::make_unique<OfOwner>(*this, owner);
  return *view;
}

MemoryRoom::Hold S3Blobs::begin_hold() {
  return room_.begin({std::to_string(kNoOwner)});
}

S3Blobs::Request S3Blobs::put_request(const ObjectId& id, std::span<const std::byte> bytes,
                                      const Sha256& sha256) {
  return [key = key_of(id), bytes, hash = to_hex(sha256)](S3Client& client) {
    return client.put(key, bytes, hash);
  };
}

S3Blobs::Request S3Blobs::read_request(const ObjectId& id, std::uint64_t offset,
                                       std::span<std::byte> out) {
  return [key = key_of(id), offset, out](S3Client& client) {
    return out.empty() ? Attempt{} : client.read(key, offset, out);
  };
}

S3Blobs::Request S3Blobs::remove_request(std::span<const ObjectId> ids,
                                         std::vector<std::string>& refused) {
  std::vector<std::string> keys;
  for (const ObjectId& id : ids) keys.push_back(key_of(id));
  return [keys = std::move(keys), &refused](S3Client& client) {
    if (keys.empty()) return Attempt{};
    Attempt attempt = keys.size() == 1 ? client.remove(keys.front()) : client.remove(keys);
    refused = attempt.refused;
    return attempt;
  };
}

Task<Result<void>> S3Blobs::put(const ObjectId& id, std::span<const std::byte> bytes,
                                const Sha256& sha256) {
  return send(pool_, put_request(id, bytes, sha256));
}

Task<Result<void>> S3Blobs::read(const ObjectId& id, std::uint64_t offset,
                                 std::span<std::byte> out) {
  return send(pool_, read_request(id, offset, out));
}

Task<Result<std::vector<ObjectId>>> S3Blobs::remove(std::span<const ObjectId> ids) {
  return send_removal(pool_, ids);
}

Task<Result<std::vector<ObjectId>>> S3Blobs::send_removal(Pool& pool,
                                                          std::span<const ObjectId> ids) {
  std::vector<std::string> keys;
  Request request = remove_request(ids, keys);
  auto sent = co_await send(pool, std::move(request));
  if (!sent && keys.empty()) co_return failure_of(std::move(sent));
  const std::set<std::string> refused(keys.begin(), keys.end());
  std::vector<ObjectId> left;
  std::ranges::copy_if(ids, std::back_inserter(left),
                       [&](const ObjectId& id) { return refused.contains(key_of(id)); });
  co_return left;
}

Task<Result<void>> S3Blobs::reach() {
  Call call;
  Request request = [](S3Client& client) {
    std::array<std::byte, 1> out{};
    Attempt attempt = client.read(kNoObject, 0, out);
    return attempt.outcome == Outcome::missing ? Attempt{} : attempt;
  };
  const Attempt attempt = co_await reach_thread_.run([&] { return try_once(request, call); });
  co_return conclude(attempt, call);
}

Task<Result<void>> S3Blobs::send(Pool& pool, Request request) {
  Call call;
  for (;;) {
    const Attempt attempt = co_await pool.run([&] { return try_once(request, call); });
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
  Attempt admitted = admit();
  return admitted.is_done() ? request(*client_) : admitted;
}

Attempt S3Blobs::admit() {
  constexpr std::chrono::seconds kRefusalHolds{1};
  if (is_admitted_) return {};
  const std::lock_guard lock(admission_mutex_);
  if (is_admitted_) return {};
  if (Clock::now() < refused_until_) return refusal_;
  Attempt attempt = admission_(*client_);
  if (attempt.is_done()) {
    is_admitted_ = true;
    return attempt;
  }
  refusal_ = attempt;
  refused_until_ = Clock::now() + kRefusalHolds;
  return attempt;
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
  if (repeat_after(attempt.outcome) == Repeat::for_a_time && attempt.refused.empty()) {
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
