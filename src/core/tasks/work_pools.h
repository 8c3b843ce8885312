#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "async/pool.h"
#include "base/id.h"

namespace coffer::core {

/// The pools for the blocking calls of one account or one shared folder.
struct WorkPool {
  WorkPool(SharedThreads& brief_threads, std::size_t most_brief, SharedThreads& lengthy_threads,
           std::size_t most_lengthy)
      : brief(brief_threads, most_brief), lengthy(lengthy_threads, most_lengthy) {}

  Pool brief;    ///< For short calls that a request waits for.
  Pool lengthy;  ///< For whole trees (copies, deletions, counts). Its threads have a low priority.
};

/// Coffer's threads for blocking calls. Each account and shared folder can use only a part of them,
/// so that the copies of one account, or a disk that hangs, cannot take all threads. Lengthy work
/// has its own threads, so that it does not delay brief calls. Safe from any thread.
class WorkPools {
 public:
  /// Uses up to `threads` threads for brief work; for lengthy work, a fifth of that (at least two).
  explicit WorkPools(std::size_t threads);

  /// Returns the pools of an account or a shared folder. The first call creates the pools; they
  /// live as long as this object.
  WorkPool& of(AccountId account);
  WorkPool& of(const ShareId& share);
  /// Returns a pool for brief work that belongs to no account.
  Pool& common();

  SharedThreads::Load brief_load() const { return brief_.load(); }
  SharedThreads::Load lengthy_load() const { return lengthy_.load(); }

 private:
  WorkPool& find(const std::string& owner, std::size_t most_lengthy);

  const std::size_t most_brief_;
  const std::size_t lengthy_threads_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<WorkPool>> pools_;  ///< Outlives `brief_` and `lengthy_`.
  SharedThreads brief_;
  SharedThreads lengthy_;
};

}  // namespace coffer::core
