#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
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
/// calls that found the store away, others fail at once (Breaker). An owner has at most half of the
/// connections at once (of_owner), and so is the memory for what is on its way shared. Before its
/// first request it asks whether the bucket is the right one, until it is. Safe from any thread.
/// Must outlive its calls.
class S3Blobs final : public Blobs {
 public:
  /// Finds out whether the bucket is the right one; a done Attempt says that it is. Blocks.
  using Admission = std::function<Attempt(S3Client&)>;

  /// Without `admission` any bucket is right.
  explicit S3Blobs(std::shared_ptr<S3Client> client, Admission admission = {});
  ~S3Blobs() override;

  Task<Result<void>> put(const ObjectId& id, std::span<const std::byte> bytes,
                         const Sha256& sha256) override;
  Task<Result<void>> read(const ObjectId& id, std::uint64_t offset,
                          std::span<std::byte> out) override;
  Task<Result<std::vector<ObjectId>>> remove(std::span<const ObjectId> ids) override;
  Blobs& of_owner(std::uint64_t owner) override;
  MemoryRoom::Hold begin_hold() override;
  /// Has a thread of its own, and the breaker judges by it as by other calls.
  Task<Result<void>> reach() override;
  /// Asks `admission` unless it has found the bucket right. What it answered otherwise holds for a
  /// second, for all calls that wait for it too. Blocks.
  Attempt admit();

 private:
  class OfOwner;
  using Clock = std::chrono::steady_clock;
  using Request = std::move_only_function<Attempt(S3Client&)>;

  /// What one call has done so far.
  struct Call {
    std::optional<Clock::time_point> began = {};
    int attempts = 0;
    bool is_refused = false;  ///< By the breaker.
  };

  // What is to be sent for each call; the arguments must outlive the request.
  static Request put_request(const ObjectId& id, std::span<const std::byte> bytes,
                             const Sha256& sha256);
  static Request read_request(const ObjectId& id, std::uint64_t offset, std::span<std::byte> out);
  /// Sets `refused` to Attempt::refused of what was sent last.
  static Request remove_request(std::span<const ObjectId> ids, std::vector<std::string>& refused);

  Task<Result<void>> send(Pool& pool, Request request);
  Task<Result<std::vector<ObjectId>>> send_removal(Pool& pool, std::span<const ObjectId> ids);
  Attempt try_once(Request& request, Call& call);
  /// The pause before another attempt; nullopt if there is none.
  std::optional<std::chrono::milliseconds> pause_after(const Attempt& attempt,
                                                       const Call& call) const;
  Result<void> conclude(const Attempt& attempt, const Call& call);
  /// Tells the breaker what came of a call that it let through.
  void note(const Attempt& attempt);
  void complain(const Attempt& attempt);

  const std::shared_ptr<S3Client> client_;
  const Admission admission_;
  std::atomic<bool> is_admitted_;
  std::mutex admission_mutex_;
  Attempt refusal_;  ///< What `admission_` answered at last.
  Clock::time_point refused_until_;
  Breaker breaker_;
  std::mutex mutex_;
  /// When each outcome was logged last.
  std::array<std::optional<Clock::time_point>, kOutcomes> complaints_;
  MemoryRoom room_;
  // Last, so that their threads end first.
  FairThreads threads_;
  Pool pool_;  ///< Of calls without an owner.
  Pool reach_thread_{1};
  std::mutex views_mutex_;
  std::map<std::uint64_t, std::unique_ptr<OfOwner>> views_;  ///< By their owners.
};

}  // namespace coffer::objects::s3
