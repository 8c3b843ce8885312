#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "async/pool.h"
#include "base/id.h"

namespace coffer::core {

/// Pools for the blocking calls of one account or one shared folder.
struct WorkPool {
  WorkPool(SharedThreads& brief_threads, std::size_t most_brief, SharedThreads& lengthy_threads,
           std::size_t most_lengthy)
      : brief(brief_threads, most_brief), lengthy(lengthy_threads, most_lengthy) {}

  Pool brief;    ///< For short calls that a request waits for.
  Pool lengthy;  ///< For whole trees: copies, deletions, counts. Its threads give way to others.
};

/// The server's threads for blocking calls, of which each account and each shared folder has a
/// bounded share. Copies of one account, or a disk that hangs, leave threads to the others, and
/// long work leaves those for short requests. Safe from any thread.
class WorkPools {
 public:
  /// `threads` are for brief work; a fifth as many are for lengthy work.
  explicit WorkPools(std::size_t threads);

  /// Made at the first call; lives as long as this object.
  WorkPool& of(AccountId account);
  WorkPool& of(const ShareId& share);
  /// A pool for brief work of no account.
  Pool& common();

  SharedThreads::Load brief_load() const { return brief_.load(); }
  SharedThreads::Load lengthy_load() const { return lengthy_.load(); }

 private:
  WorkPool& find(const std::string& owner, std::size_t most_lengthy);

  const std::size_t most_brief_;
  const std::size_t lengthy_threads_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<WorkPool>> pools_;  ///< Outlives the threads below.
  SharedThreads brief_;
  SharedThreads lengthy_;
};

}  // namespace coffer::core
