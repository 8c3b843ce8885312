#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/error.h"

namespace coffer::oidc {

/// A steady clock, which tests set.
using SteadyClock = std::function<std::chrono::steady_clock::time_point()>;

/// A document of a provider, which is fetched when it is first needed and kept for a day. If it
/// cannot be fetched after that, the old copy serves. One thread fetches; others use the old copy
/// meanwhile, or wait if there is none. Safe from any thread.
template <class Document>
class KeptDocument {
 public:
  using Fetch = std::function<Result<Document>()>;
  using Copy = std::shared_ptr<const Document>;

  static constexpr auto kKept = std::chrono::hours(24);
  /// After a failure, the error is given again for so long, without a request.
  static constexpr auto kRetry = std::chrono::seconds(5);
  /// The time between requests for a newer copy.
  static constexpr auto kRenewal = std::chrono::seconds(30);

  /// `fetch` may block.
  KeptDocument(Fetch fetch, SteadyClock clock)
      : fetch_(std::move(fetch)), clock_(std::move(clock)) {}

  /// Returns the document; the error of `fetch` if there is no copy and none can be fetched.
  Result<Copy> get() {
    std::unique_lock lock(mutex_);
    if (copy_ && (is_fetching_ || clock_() < fetched_at_ + kKept)) return copy_;
    if (!is_within(failed_at_, kRetry)) fetch_or_wait(lock);
    if (copy_) return copy_;
    return std::unexpected(error_);
  }

  /// Returns a newer copy than `seen`, which lacks something. Returns `seen` if there is none: it
  /// cannot be fetched, or one was asked for within kRenewal.
  Copy get_newer(const Copy& seen) {
    std::unique_lock lock(mutex_);
    if (copy_ != seen || is_within(renewed_at_, kRenewal)) return copy_;
    renewed_at_ = clock_();
    fetch_or_wait(lock);
    return copy_;
  }

 private:
  using Time = std::chrono::steady_clock::time_point;

  bool is_within(const std::optional<Time>& since, std::chrono::seconds pause) const {
    return since && clock_() < *since + pause;
  }

  /// Fetches the document, or waits for the thread that does.
  void fetch_or_wait(std::unique_lock<std::mutex>& lock) {
    if (is_fetching_) {
      changed_.wait(lock, [this] { return !is_fetching_; });
    } else {
      fetch_now(lock);
    }
  }

  void fetch_now(std::unique_lock<std::mutex>& lock) {
    is_fetching_ = true;
    lock.unlock();
    Result<Document> document = fail(ErrorCode::failed, "The provider's document was not fetched.");
    try {
      document = fetch_();
    } catch (...) {
      end_fetch(lock, std::move(document));
      throw;
    }
    end_fetch(lock, std::move(document));
  }

  void end_fetch(std::unique_lock<std::mutex>& lock, Result<Document> document) {
    lock.lock();
    is_fetching_ = false;
    if (document) {
      copy_ = std::make_shared<const Document>(*std::move(document));
      fetched_at_ = clock_();
      failed_at_.reset();
    } else {
      error_ = std::move(document).error();
      failed_at_ = clock_();
    }
    changed_.notify_all();
  }

  const Fetch fetch_;
  const SteadyClock clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_fetching_ = false;
  Copy copy_;
  Error error_;  ///< Of the last failure.
  Time fetched_at_{};
  std::optional<Time> failed_at_;   ///< Absent after a success.
  std::optional<Time> renewed_at_;  ///< The last request for a newer copy.
};

}  // namespace coffer::oidc
