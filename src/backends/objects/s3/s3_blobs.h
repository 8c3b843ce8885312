#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "async/pool.h"
#include "backends/objects/blobs.h"
#include "backends/objects/s3/breaker.h"
#include "backends/objects/s3/s3_client.h"

namespace coffer::objects::s3 {

/// Objects in a bucket of an S3 store, under the keys `xx/<id>`, of which xx are the first two
/// digits, below S3Options::prefix. Each call sends one request at a time, and repeats it where
/// that may help: for S3Options::repeat_for, with growing pauses, or as the store tells. After some
/// calls that found the store away, others fail at once (Breaker). Safe from any thread. Must
/// outlive its calls.
class S3Blobs final : public Blobs {
 public:
  explicit S3Blobs(std::shared_ptr<S3Client> client);

  Task<Result<void>> put(const ObjectId& id, std::span<const std::byte> bytes,
                         const Sha256& sha256) override;
  Task<Result<void>> read(const ObjectId& id, std::uint64_t offset,
                          std::span<std::byte> out) override;
  Task<Result<void>> remove(std::span<const ObjectId> ids) override;

 private:
  using Clock = std::chrono::steady_clock;
  using Request = std::move_only_function<Attempt(S3Client&)>;

  /// What one call has done so far.
  struct Call {
    std::optional<Clock::time_point> began = {};
    int attempts = 0;
    bool is_refused = false;  ///< By the breaker.
  };

  Task<Result<void>> send(Request request);
  Attempt try_once(Request& request, Call& call);
  /// The pause before another attempt; nullopt if there is none.
  std::optional<std::chrono::milliseconds> pause_after(const Attempt& attempt,
                                                       const Call& call) const;
  Result<void> conclude(const Attempt& attempt, const Call& call);
  /// Tells the breaker what came of a call that it let through.
  void note(const Attempt& attempt);
  void complain(const Attempt& attempt);

  const std::shared_ptr<S3Client> client_;
  Breaker breaker_;
  std::mutex mutex_;
  /// When each outcome was logged last.
  std::array<std::optional<Clock::time_point>, kOutcomes> complaints_;
  Pool pool_;  ///< Last, so that its threads end first.
};

}  // namespace coffer::objects::s3
